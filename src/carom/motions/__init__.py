"""What shakes: ground motions read, made, shaped and measured.

motion = carom.read_motion("RSN6_IMPVALL.I_I-ELC180.AT2")
motion = carom.motions.get("default")            # built in, no file needed
suite  = carom.motions.suite("thirty")           # thirty generated motions, 0.1 g to 1.0 g
motion.scaled(pga="0.4 g").filtered(0.1, 25).spectrum(damping=[0.02, 0.05])
"""

from __future__ import annotations

from carom.motions.builtin import get, names, suite
from carom.motions.motion import Motion, MotionSet
from carom.motions.readers import read_motion, read_motions, read_set
from carom.motions.readers.base import READERS
from carom.motions.spectra import Spectrum, default_periods, response_spectrum
from carom.motions.synthetic import Site, filtered_noise, harmonic, scenario, sweep
from carom.motions.writers import write_motion

__all__ = [
    "Motion",
    "MotionSet",
    "Site",
    "Spectrum",
    "default_periods",
    "filtered_noise",
    "formats",
    "get",
    "harmonic",
    "names",
    "read_motion",
    "read_motions",
    "read_set",
    "response_spectrum",
    "scenario",
    "suite",
    "sweep",
    "write_motion",
]


def formats() -> dict[str, str]:
    """Return the file formats that can be read, by name, with one line about each."""
    return {reader.name: reader.about for reader in READERS}
