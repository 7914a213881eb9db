"""Runge-Kutta methods as data that prove themselves."""

from __future__ import annotations

from carom.integrate.tableaux.families import tableau, tableaux
from carom.integrate.tableaux.tableau import Tableau

__all__ = ["Tableau", "tableau", "tableaux"]
