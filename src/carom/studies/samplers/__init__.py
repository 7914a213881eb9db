"""How samples are drawn: one module each, found by the registry."""

from __future__ import annotations

from carom.studies.samplers.base import SAMPLERS, Axis, register_sampler

__all__ = ["SAMPLERS", "Axis", "register_sampler"]
