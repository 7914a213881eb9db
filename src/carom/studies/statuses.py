"""How a run of a study ended, in one word."""

from __future__ import annotations

from carom.results import Outcome

__all__ = ["FAILED", "FINISHED", "LOST", "REFUSED", "STATUSES"]

FINISHED = Outcome.FINISHED.word
REFUSED, LOST = "refused", "lost"
STATUSES = (*(outcome.word for outcome in Outcome), REFUSED, LOST)
"""As an `Outcome` says; refused: its values state no problem; lost: every process that computed it died."""
FAILED = (*(outcome.word for outcome in Outcome if outcome.failed), REFUSED, LOST)
"""Those that are counted apart: they say nothing about the structure."""
