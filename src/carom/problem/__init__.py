"""Who stands beside whom, shaken how: a frozen join of structures, contacts and ground motion, and its plain arrays."""

from carom.problem.flat import FlatProblem
from carom.problem.labels import distinct_labels
from carom.problem.problem import Problem
from carom.problem.relations import over_outputs, read_normal, separate_mobilities
from carom.problem.supports import Support, along_x

__all__ = [
    "FlatProblem",
    "Problem",
    "Support",
    "along_x",
    "distinct_labels",
    "over_outputs",
    "read_normal",
    "separate_mobilities",
]
