"""Motions made, not recorded: harmonic, sweep, and filtered noise from explicit seeds."""

from carom.motions.synthetic.filtered_noise import Site, filtered_noise
from carom.motions.synthetic.harmonic import harmonic, sine_cycles, sweep
from carom.motions.synthetic.mavroeidis_2003 import mavroeidis_2003
from carom.motions.synthetic.rezaeian_2010 import rezaeian_2010
from carom.motions.synthetic.rezaeian_parameters import rezaeian_2010_parameters
from carom.motions.synthetic.scenario import scenario

__all__ = [
    "Site",
    "filtered_noise",
    "harmonic",
    "mavroeidis_2003",
    "rezaeian_2010",
    "rezaeian_2010_parameters",
    "scenario",
    "sine_cycles",
    "sweep",
]
