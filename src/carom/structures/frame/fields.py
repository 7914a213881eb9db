"""Names and switches of what frames are made of, checked."""

from __future__ import annotations

from carom.errors import refusal
from carom.plain_text import refuse_controls

__all__ = ["owner_of", "refuse_no_switch", "refuse_no_text"]


def owner_of(kind: str, name: object) -> str:
    """Return kind and name, as refusals say it; refuse a name that is no text."""
    if isinstance(name, str) and not name:
        return kind
    refuse_no_text("name", kind, name)
    return f"{kind} '{name}'"


def refuse_no_text(field: str, owner: str, given: object, rule: str = "must be text") -> None:
    """Refuse a name that is none."""
    if not isinstance(given, str) or not given.strip():
        raise refusal(field, owner, rule, given)
    refuse_controls(given, field, owner)


def refuse_no_switch(field: str, owner: str, given: object) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(given, bool):
        raise refusal(field, owner, "must be True or False", given)
