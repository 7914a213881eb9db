"""Which contact is meant: by its label in results, or by its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from carom.errors import InputError, UnknownNameError, refusal

__all__ = ["ContactName", "contact_number"]

ContactName: TypeAlias = int | str
"""A label, as in results, or a number from 0; text that is no label may be a number too, as on a command line."""


def contact_number(labels: Sequence[str], contact: ContactName, *, owner: str) -> int:
    """Return the number, from 0, of the contact that a label or a number names."""
    if not labels:
        raise InputError(f"{owner} needs a problem with contacts: there is none to name.")
    if isinstance(contact, str) and contact in labels:
        return labels.index(contact)
    number = int(contact) if isinstance(contact, str) and contact.isdecimal() else contact
    if isinstance(number, str):
        raise UnknownNameError("contact", number, labels)
    if isinstance(number, bool) or not 0 <= number < len(labels):
        rule = f"must be a label, or a number from 0 to {len(labels) - 1}"
        raise refusal("contact", owner, rule, contact, f"Contacts: {', '.join(labels)}.")
    return int(number)
