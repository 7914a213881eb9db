"""Results to hand over: files that are whole or not there, and pages that need nothing else."""

from __future__ import annotations

from carom.reports.runs.files import write_impacts, write_json, write_response

__all__ = ["write_impacts", "write_json", "write_response"]
