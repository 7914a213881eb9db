"""What happened: containers that a run fills, and how a run ended."""

from __future__ import annotations

from carom.results.impact import Impact, Impacts
from carom.results.outcome import Outcome

__all__ = ["Impact", "Impacts", "Outcome"]
