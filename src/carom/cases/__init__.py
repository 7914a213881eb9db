"""Published problems with their published answers, one per file; others run them."""

from __future__ import annotations

from carom.cases.base import Case, Run, cases, register_case

__all__ = ["Case", "Run", "cases", "register_case"]
