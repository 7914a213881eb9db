"""Who stands beside whom, shaken how: a frozen join of structures, contacts and ground motion, and its plain arrays."""

from carom.problem.flat import FlatProblem
from carom.problem.ground.drives import Drives, Riders, along_directions, drives_of, moving_along
from carom.problem.ground.supports import Support, common_base, take_ground
from carom.problem.ground.travelling_wave import wave_passage
from carom.problem.labels import distinct_labels
from carom.problem.modal_terms import initial_state
from carom.problem.problem import Problem
from carom.problem.reduction import Reduction, forced_places, reduction_cautions, stood_for, told
from carom.problem.relations import over_outputs, read_normal, separate_mobilities
from carom.problem.rest import AtRest
from carom.problem.stacked import StackedPart, stacked_part

__all__ = [
    "AtRest",
    "Drives",
    "FlatProblem",
    "Problem",
    "Reduction",
    "Riders",
    "StackedPart",
    "Support",
    "along_directions",
    "common_base",
    "distinct_labels",
    "drives_of",
    "forced_places",
    "initial_state",
    "moving_along",
    "over_outputs",
    "read_normal",
    "reduction_cautions",
    "separate_mobilities",
    "stacked_part",
    "stood_for",
    "take_ground",
    "told",
    "wave_passage",
]
