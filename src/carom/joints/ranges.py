"""Ranges that several rules share."""

from carom.units import Range

__all__ = ["UNIT_SHARE"]

UNIT_SHARE = Range(0.0, 1.0, low_open=False, high_open=True)
"""A share, such as that of a stiffness: 0 to below 1."""
