"""Questions put to a study: one module each, found by the registry."""

from __future__ import annotations

from carom.studies.analyses.base import ANALYSES, Finding, StudyTable, check_analyses, findings, register_analysis

__all__ = ["ANALYSES", "Finding", "StudyTable", "check_analyses", "findings", "register_analysis"]
