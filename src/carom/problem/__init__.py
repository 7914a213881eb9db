"""Who stands beside whom, shaken how: a frozen join of structures, contacts and ground motion, and its plain arrays."""

from carom.problem.flat import FlatProblem
from carom.problem.labels import distinct_labels
from carom.problem.modal_terms import initial_state
from carom.problem.problem import Problem
from carom.problem.reduction import Reduction, forced_places, stood_for, told
from carom.problem.relations import over_outputs, read_normal, separate_mobilities
from carom.problem.stacked import StackedPart, stacked_part
from carom.problem.supports import Support, along_x

__all__ = [
    "FlatProblem",
    "Problem",
    "Reduction",
    "StackedPart",
    "Support",
    "along_x",
    "distinct_labels",
    "forced_places",
    "initial_state",
    "over_outputs",
    "read_normal",
    "separate_mobilities",
    "stacked_part",
    "stood_for",
    "told",
]
