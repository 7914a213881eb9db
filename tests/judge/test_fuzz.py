"""About a minute of random problems: energy, momentum, invariances and, for a share of them, the judge.

Longer runs: ``make fuzz SEED=… MINUTES=…``. The seeds are a plain range; none was chosen for what it gives.
"""

from __future__ import annotations

import pytest

from tests.judge.check import Report, check
from tests.judge.settings import SETTINGS

RTOL = 1e-6
GROUPS = 8
EACH = 9
"""Problems of a group; the judge sees every third."""
FEW = 4
"""Problems of a setting; the judge sees every second."""


ONCE_WRONG = {
    202600000006: "an acceleration between nodes",
    202600000925: "a light storey that came free after a long contact",
    202600001170: "a balance that followed rtol loosely",
    77700000000001485: "tips: an impact that 1e-6 of a gap brings about",
    3100001026: "velocities of stiff floors that follow a contact force",
    3100004304: "a stiff body's ripple that comes back to it through the contact",
    3100000707: "what 146 impacts of a light body leave adds up",
    2026111600000852: "a touch at speed entered early, beside two without speed",
    2026111600005744: "a crest early in a step that bends back later",
    471100003083: "a touch without speed, flown beyond while a stiff body gathered speed",
    471100003348: "energy of floors that swing in a long step from a touch",
    471100002383: "bodies that rattled while they leaned on each other",
    9041700000673: "a contact at rest, whose errors were counted in the speed of one it has nothing to do with",
    9041700000905: "stiff bodies at a soft contact: the speed their pull gives them was overrated",
    9041700001994: "65 elastic impacts, whose errors are alike",
    9041700002370: "a contact released with an overlap of rounding, which never closed again",
    9041700004705: "a crest in a step at whose start the law takes another slope",
    5821300008213: "a contact that damping holds at rest, whose rate is all but noise",
    5821300010118: "a touch flown through beside a closed contact: energy at the start had not been counted",
    7391100003020: "a crest just behind the start of a step, where the guard on v0 begins to act",
    6060700004062: "a touch flown through: a stiff body's second touch ended the step in which the first lay",
    6060700003923: "a heavy body at rest on a wall, struck by a light one: its speed was taken for that of the blow",
    6060700007662: "an overlap of rounding at the start, from which a contact could not part",
    8155500001096: "bodies that met by rounding alone, and could neither press nor part",
    5821300003139: "bodies pressed together at rest at the start, which damping without bound held like glue",
    5821300003613: "the same, as failed: a force that jumps with the sign of the rate",
    186200002556: "the end of a step to a parting, later than it by rounding",
    63809500004178: "velocities of a stiff body that moves far less than what strikes it",
    63809500009843: "what a dashpot dissipates in steps of a radian, by nodes too few for it",
    63809500010651: "bodies side by side that could neither press nor part (another problem beside it)",
    63809500017830: "bodies pressed by rounding alone, whose rate had any sign (in other units)",
    87532400001603: "the force on a light storey squeezed by stiff contacts, inside long steps",
    99271800001073: "a floor that nothing touches, largest in the step to a parting elsewhere",
    66612300000617: "velocities of a stiff body that hardly moves, at a soft contact",
    66612300000870: "a stiff body that rings through a long contact, whose own ripple was missed alike in every step",
    2026111600002255: "a released contact that opened and came back within a short step",
    811700000069: "a velocity between parts of a step",
    1327584000001928: "a touch without speed whose flight another touch ended, deep for its speed (in other units)",
    464103100004288: "bodies that parted in a long step while they still pressed, and closed at once with an overlap",
    464103100000503: "a vibration that no contact reached, lost in the steps of a long one (explicit engine)",
    44812000000829: "an acceleration inside a step, by a law that answered rounding (explicit engine)",
    44812000000475: "what a wall fixed in space brings in, left out of the explicit engine's ledger",
    5550000152: "a contact of rounding without tension, released and never closed again (explicit engine)",
    5550000167: "the same beside a blow at the start",
    91827300008500: "what damping takes of buildings in long steps beside a wall fixed in space",
    77120300000069: "a touch at a bound on its rate, whose force was never settled after (another problem beside it)",
    77120300000304: "the same, in other units",
    77120300000309: "the same",
    91173100000007: "vibrations in graded steps, of which a load that grows with time was all but lost",
    91173100001178: "the same, in the ledger",
    27182800000220: "a contact without tension whose force fades, let go by rounding and never closed again",
    29979200000083: "a force that pulls between the stages of a step and presses at its end (explicit engine)",
    4611190300007293: "what damping takes of a building beside a contact that lasts (explicit engine)",
}
"""Problems that broke a rule at some time, and how."""


@pytest.mark.parametrize("seed", ONCE_WRONG)
def test_what_was_wrong_stays_right(seed: int) -> None:
    assert [finding.line() for finding in check(seed, RTOL).findings if not finding.tips] == []


@pytest.mark.parametrize("group", range(GROUPS))
def test_random_problems(group: int) -> None:
    seeds = range(group * EACH, (group + 1) * EACH)
    reports = [check(seed, RTOL, ask=seed % 3 == 0) for seed in seeds]
    right(reports)


def test_random_problems_under_three_components() -> None:
    right([check(seed, RTOL, ask=seed % 2 == 0, setting="space") for seed in range(EACH)])


@pytest.mark.parametrize("setting", [name for name in SETTINGS if name != "space"])
def test_random_problems_in_other_settings(setting: str) -> None:
    right([check(seed, RTOL, ask=seed % 2 == 0, setting=setting) for seed in range(FEW)])


def right(reports: list[Report]) -> None:
    assert [report.seed for report in reports if report.judged not in ("", "yes")] == []
    assert [finding.line() for report in reports for finding in report.findings if not finding.tips] == []
