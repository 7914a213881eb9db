"""Who stands beside whom, shaken how: a frozen join of structures, contacts and ground motion, and its plain arrays."""

from carom.problem.flat import FlatProblem
from carom.problem.labels import distinct_labels
from carom.problem.problem import Problem
from carom.problem.supports import Support

__all__ = ["FlatProblem", "Problem", "Support", "distinct_labels"]
