"""Spectra to aim at: of codes, of tables, conditional means; what motions are scaled, selected and matched to."""

from __future__ import annotations

from carom.motions.targets.asce7 import asce7
from carom.motions.targets.base import Target, of_motion, table
from carom.motions.targets.conditional import conditional_mean, correlation
from carom.motions.targets.ec8 import ec8
from carom.motions.targets.stated import target

__all__ = ["Target", "asce7", "conditional_mean", "correlation", "ec8", "of_motion", "table", "target"]
