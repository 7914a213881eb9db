"""Motions made, not recorded: harmonic, sweep, and filtered noise from explicit seeds."""

from carom.motions.synthetic.filtered_noise import Site, filtered_noise
from carom.motions.synthetic.harmonic import harmonic, sine_cycles, sweep
from carom.motions.synthetic.scenario import scenario

__all__ = ["Site", "filtered_noise", "harmonic", "scenario", "sine_cycles", "sweep"]
