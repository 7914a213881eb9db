"""What is possible but unlikely in a study: in its scenario, at the ends of its parameters, in its motions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from carom.errors import InputError
from carom.problem.plausibility import unlikely_intensity, unlikely_step
from carom.scenario.motions.components import Components
from carom.scenario.studies.parameters import Parameter
from carom.scenario.studies.paths import changed
from carom.scenario.studies.quick import problem_of

if TYPE_CHECKING:
    from carom.scenario.studies.reading import Study

__all__ = ["unlikely_in"]

TYPICAL = ("low", "mode", "high", "mean", "median")
"""Numbers of a distribution that are values of the parameter itself."""


def unlikely_in(study: Study) -> Iterator[str]:
    """Yield a sentence for each quantity that is unlikely; of a parameter's values the least and the largest count."""
    said = study.problem.unlikely
    yield from said
    for parameter in study.parameters:
        for value in _ends(parameter):
            try:
                problem = problem_of(changed(study.tables, parameter.at(value)), allow_overlap=True)
            except InputError:  # what cannot be run is the run's own outcome
                continue
            for sentence in problem.unlikely:
                if sentence not in said:
                    yield f"Unlikely: with {parameter.name} = {value:g} the {sentence.removeprefix('Unlikely: ')}"
    if study.motions is not None:
        yield from unlikely_intensity(float((study.motions.factors * study.motions.pga[:, None]).max()))
        yield from unlikely_step(
            part
            for motion in study.motions.motions
            for part in (motion.along.values() if isinstance(motion, Components) else (motion,))
        )


def _ends(parameter: Parameter) -> list[float]:
    """Return the least and the largest value that a parameter is known to take."""
    if not parameter.is_number:
        return []
    if parameter.values is not None:
        known = [float(value) for value in parameter.values]
    else:
        known = [value for name, value in parameter.numbers if name in TYPICAL]
    return list(dict.fromkeys((min(known), max(known)))) if known else []
