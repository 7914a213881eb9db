"""What shakes: ground motions read, made, shaped and measured.

motion = carom.read_motion("RSN6_IMPVALL.I_I-ELC180.AT2")
motion = carom.motions.get("default")            # built in, no file needed
suite  = carom.motions.suite("thirty")           # thirty generated motions, 0.1 g to 1.0 g
motion.scaled(pga="0.4 g").filtered(0.1, 25).spectrum(damping=[0.02, 0.05])
"""

from __future__ import annotations

from carom.motions.builtin import get, names, suite
from carom.motions.fourier import FourierSpectrum, fourier_amplitude
from carom.motions.matching import Matched, match
from carom.motions.motion import Motion, MotionSet
from carom.motions.pulses import Pulse, pulse_indicator
from carom.motions.readers import read_motion, read_motions, read_set
from carom.motions.readers.base import READERS
from carom.motions.rotation import RotatedSpectrum, rotate, rotd
from carom.motions.sequences import sequence
from carom.motions.spectra import Spectrum, default_periods, response_spectrum
from carom.motions.suites import Selection, SuiteFit, scale_to_target, select
from carom.motions.supports import SupportMotions, support_motions
from carom.motions.synthetic import (
    Site,
    filtered_noise,
    harmonic,
    mavroeidis_2003,
    rezaeian_2010,
    rezaeian_2010_parameters,
    scenario,
    sweep,
)
from carom.motions.targets import Target
from carom.motions.writers import write_motion

__all__ = [
    "FourierSpectrum",
    "Matched",
    "Motion",
    "MotionSet",
    "Pulse",
    "RotatedSpectrum",
    "Selection",
    "Site",
    "Spectrum",
    "SuiteFit",
    "SupportMotions",
    "Target",
    "default_periods",
    "filtered_noise",
    "formats",
    "fourier_amplitude",
    "get",
    "harmonic",
    "match",
    "mavroeidis_2003",
    "names",
    "pulse_indicator",
    "read_motion",
    "read_motions",
    "read_set",
    "response_spectrum",
    "rezaeian_2010",
    "rezaeian_2010_parameters",
    "rotate",
    "rotd",
    "scale_to_target",
    "scenario",
    "select",
    "sequence",
    "suite",
    "support_motions",
    "sweep",
    "write_motion",
]


def formats() -> dict[str, str]:
    """Return the file formats that can be read, by name, with one line about each."""
    return {reader.name: reader.about for reader in READERS}
