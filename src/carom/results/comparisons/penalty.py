"""Penalty laws against rigid contact: how far they agree, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from carom.results.simulation import Simulation

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import xarray as xr

    Array = npt.NDArray[np.float64]

__all__ = ["PenaltyComparison"]

QUANTITIES = {
    "history": "largest difference of a displacement over time, relative to the largest displacement",
    "peaks": "largest relative difference of a peak displacement",
    "impacts": "number of impacts",
    "overlap": "deepest interpenetration [m]",
    "steps": "steps in contact",
    "seconds": "time of the run [s]",
}


def _counted(count: int, what: str) -> str:
    plural = f"{what}es" if what.endswith("s") else f"{what}s"
    return f"{count} {what if count == 1 else plural}"


@dataclass(frozen=True, eq=False, repr=False)
class PenaltyComparison:
    """One problem with several penalty laws at several stiffnesses, beside the same problem with rigid contact."""

    rigid: Simulation
    """The run with impulses, event by event."""
    laws: tuple[str, ...]
    stiffnesses: Array
    """Of a linear law [N/m]; other laws have the same elastic peak force."""
    own: Array
    """What each law takes for them at the first contact [N/mⁿ], shape (law, stiffness)."""
    values: dict[str, Array]
    """Each of `QUANTITIES`, shape (law, stiffness); NaN where a run failed."""
    together: bool
    """Whether rigid contacts were struck at once: then penalty laws need not converge to the rigid answer."""
    restitution: float

    def agreement(self, tolerance: float = 0.01) -> dict[str, float | None]:
        """Return for each law the smallest stiffness [N/m] from which histories agree within `tolerance`, or None."""
        found: dict[str, float | None] = {}
        for name, errors in zip(self.laws, self.values["history"], strict=True):
            fine = [bool(error <= tolerance) for error in errors]
            first = next((i for i in range(len(fine)) if all(fine[i:])), None)
            found[name] = None if first is None else float(self.stiffnesses[first])
        return found

    @property
    def words(self) -> tuple[str, ...]:
        """Say where agreement is reached, what it costs, and why it may not be."""
        lines = []
        for name, stiffness in self.agreement().items():
            if stiffness is None:
                lines.append(f"{name}: {self._nearest(name)}")
                continue
            at = list(self.stiffnesses).index(stiffness)
            steps = int(self.values["steps"][self.laws.index(name), at])
            lines.append(f"{name}: within 1 % from {stiffness:.3g} N/m on, with {steps} steps in contact.")
        if self.together:
            lines.append(
                "Contacts were struck at once. Rigid contact shares the impulse by its hypothesis, penalty laws by a "
                "wave that needs time to pass from one contact to the next: however stiff, the two differ."
            )
        return tuple(lines)

    def _nearest(self, name: str) -> str:
        """Say how near the rigid answer a law comes that does not come within 1 % of it."""
        errors = self.values["history"][self.laws.index(name)].tolist()
        known = [(error, k) for error, k in zip(errors, self.stiffnesses.tolist(), strict=True) if error == error]
        if not known:
            return f"no run finished, or the law cannot give e = {self.restitution:g}."
        error, stiffness = min(known)
        return (
            f"histories do not come within 1 % of the rigid answer; nearest with {stiffness:.3g} N/m, "
            f"{100.0 * error:.2g} %."
        )

    def __repr__(self) -> str:
        return f"<PenaltyComparison: {', '.join(self.laws)} at {self.stiffnesses.size} stiffnesses>"

    def __str__(self) -> str:
        """Return it in a few lines: what was compared, then law by law."""
        head = (
            f"{_counted(len(self.laws), 'law')} at {_counted(self.stiffnesses.size, 'stiffness')} beside rigid contact "
            f"with e = {self.restitution:g} ({_counted(self.rigid.impact_count, 'impact')})"
        )
        return "\n".join([head, *(f"  {line}" for line in self.words)])

    def to_xarray(self) -> xr.Dataset:
        """Return the table, labelled over law and stiffness."""
        import xarray as xr

        variables: dict[str, Any] = {
            name: (("law", "stiffness"), self.values[name], {"long_name": text}) for name, text in QUANTITIES.items()
        }
        variables["own_stiffness"] = (("law", "stiffness"), self.own, {"long_name": "the law's own stiffness [N/m^n]"})
        return xr.Dataset(variables, coords={"law": list(self.laws), "stiffness": self.stiffnesses})
