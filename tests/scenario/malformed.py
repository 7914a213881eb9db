"""Malformed scenarios: what was changed in a sound one, and the fields and words a newcomer must read."""

from __future__ import annotations

SOUND = """
title = "Two neighbours"

[structures.tower]
kind = "shear-building"
floors = 4
masses = "200 t"
stiffnesses = "300 kN/mm"
heights = "3 m"
damping_ratio = "5 %"

[structures.annex]
kind = "shear-building"
masses = ["150 t", "150 t"]
stiffnesses = ["400 kN/mm", "400 kN/mm"]
heights = [3.0, 6.0]
damping_ratio = 0.05

[structures.pier]
kind = "oscillator"
mass = 4600
period = "0.4 s"
damping_ratio = 0.02

[laws.slabs]
name = "hertzdamp"
stiffness = "2e9 N/m^1.5"
restitution = 0.65

[[contacts]]
left = "tower"
right = "annex"
gap = "2 cm"
law = "slabs"

[[contacts]]
left = {structure = "annex", floor = 2}
right = "pier"
gap = 0.03
law = "slabs"

[motion]
record = "default"
pga = "0.4 g"
end = "10 s"

[initial.pier]
displacement = "5 mm"

[analysis]
rtol = 1e-6
"""

# what is replaced, by what, and the words of each fault, in any order
MALFORMED: dict[str, tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]] = {
    "decimal comma": (
        (
            ('gap = "2 cm"', 'gap = "3,5 cm"'),
            ('masses = "200 t"', 'masses = "250,5 t"'),
            ('pga = "0.4 g"', 'pga = "0,4 g"'),
        ),
        (
            ("contacts[1].gap", 'must be written without a comma, which may mean "3.5 cm" or "35 cm"'),
            ("structures.tower.masses", 'which may mean "250.5 t" or "2505 t"'),
            ("motion.pga", 'which may mean "0.4 g" or "4 g"'),
        ),
    ),
    "not TOML": ((('gap = "2 cm"', "gap = 2 cm"),), (("the file", "must be TOML: "),)),
    "no title": ((('title = "Two neighbours"', ""),), (("title", "must be given"),)),
    "title is a number": ((('title = "Two neighbours"', "title = 3"),), (("title", "must be text in quotes. Got 3"),)),
    "no structures": (((SOUND[: SOUND.index("[laws")], 'title = "x"\n'),), (("structures", "must be given"),)),
    "no kind": ((('kind = "oscillator"\n', ""),), (("structures.pier.kind", "must be one of"),)),
    "unknown kind": (
        (('kind = "oscillator"', 'kind = "tower"'),),
        (
            (
                "structures.pier.kind",
                "must be one of 'oscillator', 'shear-building', 'body', 'wall', 'ground', 'deck', 'abutment', ",
            ),
        ),
    ),
    "negative mass": (
        (("mass = 4600", "mass = -4600"),),
        (("structures.pier.mass", 'must be positive. Got -4600. Write mass = "4600 kg"'),),
    ),
    "mass in metres": (
        (("mass = 4600", 'mass = "46 m"'),),
        (("structures.pier.mass", 'must be convertible to kg. Got "46 m"'),),
    ),
    "unit that nobody knows": (
        (('masses = "200 t"', 'masses = "200 tonnen"'),),
        (("structures.tower.masses", "must be a number, or a number with a unit"),),
    ),
    "one bad value of a list": (
        (('["150 t", "150 t"]', '["150 t", "-1 t"]'),),
        (("structures.annex.masses[2]", 'must be positive. Got "-1 t"'),),
    ),
    "mass forgotten": ((("mass = 4600", ""),), (("structures.pier.mass", "must be given"),)),
    "misspelt field": (
        (('masses = "200 t"', 'mases = "200 t"'),),
        (("structures.tower.masses", "must be given"), ("structures.tower.mases", "Did you mean `masses`?")),
    ),
    "two stiffnesses": (
        (('period = "0.4 s"', 'period = "0.4 s"\nfrequency = 2.5'),),
        (("structures.pier", "exactly one of `stiffness`, `period`, `frequency`"),),
    ),
    "lists of different length": (
        (('["400 kN/mm", "400 kN/mm"]', '["400 kN/mm", "400 kN/mm", "400 kN/mm"]'),),
        (("structures.annex.masses", "must be one number, or one for each of 3 storeys"),),
    ),
    "floors against list": (
        (('masses = "200 t"', "masses = [1e5, 1e5]"),),
        (("structures.tower.masses", "one for each of 4 floors"),),
    ),
    "half a floor": ((("floors = 4", "floors = 4.5"),), (("structures.tower.floors", "must be a whole number"),)),
    "no floor at all": ((("floors = 4", "floors = 0"),), (("structures.tower.floors", "must be at least 1. Got 0"),)),
    "falling heights": (
        (("heights = [3.0, 6.0]", "heights = [6.0, 3.0]"),),
        (("structures.annex.heights", "must increase from floor to floor"),),
    ),
    "damping twice": (
        (("damping_ratio = 0.02", 'damping_ratio = 0.02\ndamping = "1 kN*s/m"'),),
        (("structures.pier", "`damping_ratio` or `damping`, not both"),),
    ),
    "negative damping": (
        (("damping_ratio = 0.02", "damping_ratio = -0.02"),),
        (("structures.pier.damping_ratio", "must not be negative"),),
    ),
    "unknown law": (
        (('name = "hertzdamp"', 'name = "herzdamp"'),),
        (("laws.slabs.name", "Did you mean"),),
    ),
    "law without stiffness": (
        (('stiffness = "2e9 N/m^1.5"\n', ""),),
        (("laws.slabs.stiffness", 'must be given. Write stiffness = "2e9 N/m^1.5"'),),
    ),
    "stiffness of another law": (
        (('"2e9 N/m^1.5"', '"2e9 N/m"'),),
        (("laws.slabs.stiffness", "must be convertible to N/m^1.5"),),
    ),
    "restitution above one": (
        (("restitution = 0.65", "restitution = 1.3"),),
        (("laws.slabs.restitution", "must lie in (0, 1]. Got 1.3"),),
    ),
    "neither restitution nor damping": (
        (("restitution = 0.65\n", ""),),
        (("laws.slabs", "needs `restitution` (0 < e ≤ 1) or `damping`"),),
    ),
    "parameter the law does not take": (
        (("restitution = 0.65", "restitution = 0.65\nalpha = 3"),),
        (("laws.slabs.alpha", "is not a parameter of lankarani-nikravesh-1990"),),
    ),
    "law that is not there": (
        (('law = "slabs"\n\n[motion]', 'law = "slab"\n\n[motion]'),),
        (("contacts[2].law", 'must be the name of a table under [laws]: slabs. Got "slab"'),),
    ),
    "neighbour that is not there": (
        (('right = "annex"', 'right = "anex"'),),
        (("contacts[1].right", "must be the name of a structure. Got \"anex\". Did you mean 'annex'?"),),
    ),
    "floor that is not there": (
        (("floor = 2", "floor = 5"),),
        (("contacts[2].left.floor", "must lie in 1…2. Got 5"),),
    ),
    "contact with itself": (
        (('right = "annex"', 'right = "tower"'),),
        (("contacts[1]", "joins 'tower' with itself"),),
    ),
    "gap without number": (
        (('gap = "2 cm"', 'gap = "narrow"'),),
        (("contacts[1].gap", 'Got "narrow". Write gap = "2 cm"'),),
    ),
    "overlapping at the start": (
        (('displacement = "5 mm"', 'displacement = "-5 cm"'),),
        (("contacts[2].gap", "must be at least the initial closing"),),
    ),
    "record that is not there": (
        (('record = "default"', 'record = "elcentro.at2"'),),
        (("motion.record", "must be a file in"),),
    ),
    "scaled twice": (
        (('pga = "0.4 g"', 'pga = "0.4 g"\nfactor = 2'),),
        (("motion", "exactly one of `factor`, `pga`, `pgv`, `sa`, `sa_avg`"),),
    ),
    "acceleration in metres": (
        (('pga = "0.4 g"', 'pga = "0.4 m"'),),
        (("motion.pga", "must be a unit of acceleration"),),
    ),
    "initial of nobody": (
        (("[initial.pier]", "[initial.peer]"),),
        (("initial.peer", "must be the name of a structure"),),
    ),
    "initial of too few floors": (
        (("[initial.pier]", "[initial.annex]"),),
        (("initial.annex.displacement", "must be a list of 2 values"),),
    ),
    "tolerance too loose": (
        (("rtol = 1e-6", "rtol = 0.1"),),
        (("analysis.rtol", "must lie in [1e-12, 0.001]. Got 0.1"),),
    ),
    "unknown scheme": (
        (("rtol = 1e-6", 'scheme = "newmrk"'),),
        (("analysis.scheme", 'must be a scheme that `carom schemes` lists. Got "newmrk". Did you mean'),),
    ),
    "option of another scheme": (
        (("rtol = 1e-6", 'scheme = "newmark"\ntheta = 0.5'),),
        (("analysis.theta", "is not an option of the scheme newmark. Got 0.5. It takes dt, beta, gamma"),),
    ),
    "step for a scheme without": (
        (("rtol = 1e-6", 'dt = "1 ms"'),),
        (("analysis.dt", "is not an option of the scheme event"),),
    ),
    "theta out of range": (
        (
            ("rtol = 1e-6", 'scheme = "moreau-jean"\ntheta = 0.2'),
            ('name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"', 'name = "newton"'),
        ),
        (("analysis.theta", "must lie in [0.5, 1]"),),
    ),
    "gamma that newmark refuses": (
        (("rtol = 1e-6", 'scheme = "newmark"\ngamma = 0.3'),),
        (("analysis.gamma", "must lie in [0.5, 1] for newmark"),),
    ),
    "solver misspelt": (
        (("rtol = 1e-6", 'solver = "gauss"'),),
        (("analysis.solver", "must be 'auto', 'active-set' or 'gauss-seidel'"),),
    ),
    "step longer than the record's": (
        (
            ("rtol = 1e-6", 'scheme = "moreau-jean"\ndt = "1 s"'),
            ('name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"', 'name = "newton"'),
        ),
        (("analysis.dt", "must not exceed the motion's time step, 0.01 s"),),
    ),
    "rigid scheme, law with stiffness": (
        (("rtol = 1e-6", 'scheme = "moreau-jean"'),),
        (
            (
                "analysis.scheme",
                'does not take contacts with a force (lankarani-nikravesh-1990). Got "moreau-jean". '
                'Write scheme = "event" or "newmark" or ',
            ),
        ),
    ),
    "impulsive law, scheme that wants forces": (
        (("rtol = 1e-6", 'scheme = "newmark"'), ('name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"', 'name = "newton"')),
        (
            (
                "analysis.scheme",
                'does not take impulsive contacts (newton). Got "newmark". Write scheme = "event" or "moreau-jean". '
                "Or give laws with a stiffness",
            ),
        ),
    ),
    "impulsive law with a stiffness": (
        (('name = "hertzdamp"', 'name = "newton"'),),
        (("laws.slabs.stiffness", "is not for newton, whose bodies are rigid"),),
    ),
    "impulsive law without restitution": (
        (('name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"\nrestitution = 0.65', 'name = "poisson"'),),
        (("laws.slabs.restitution", "must be given. Write restitution = 0.65"),),
    ),
    "restitution of an impulsive law beyond 1": (
        (('name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"\nrestitution = 0.65', 'name = "poisson"\nrestitution = 1.2'),),
        (("laws.slabs.restitution", "must lie in [0, 1]"),),
    ),
    "three numbers in a pair": (
        (
            (
                'name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"\nrestitution = 0.65',
                'name = "newton"\nrestitution = [[0, 0.5, 3]]',
            ),
        ),
        (("laws.slabs.restitution", "must be a number, or pairs of approach velocity and e"),),
    ),
    "plastic law that rebounds": (
        (('name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"', 'name = "plastic"'),),
        (("laws.slabs.restitution", "must be 0"),),
    ),
    "impulsive law beside another": (
        (('gap = 0.03\nlaw = "slabs"', 'gap = 0.03\nlaw = {name = "newton", restitution = 0.5}'),),
        (("contacts", "must not mix impulsive laws with others: lankarani-nikravesh-1990, newton"),),
    ),
    "two hypotheses": (
        (
            ('gap = 0.03\nlaw = "slabs"', 'gap = 0.03\nlaw = {name = "poisson", restitution = 0.5}'),
            ('name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"', 'name = "newton"'),
        ),
        (("contacts", "must share one impulsive law: newton and poisson"),),
    ),
    "no stiffness": (
        (('stiffness = "2e9 N/m^1.5"\n', ""),),
        (("laws.slabs.stiffness", 'must be given. Write stiffness = "2e9 N/m^1.5"'),),
    ),
    "storeys that yield, event-driven": (
        (("floors = 4", 'floors = 4\nstoreys = {kind = "bilinear", yield_drift = "1 cm"}'),),
        (("structures.tower.storeys", 'cannot be followed by the scheme event. Write scheme = "newmark"'),),
    ),
    "storey without kind": (
        (("floors = 4", 'floors = 4\nstoreys = {yield_drift = "1 cm"}'),),
        (("structures.tower.storeys.kind", "must be one of 'bilinear', 'bouc-wen'"),),
    ),
    "storey of unknown kind": (
        (("floors = 4", 'floors = 4\nstoreys = [{kind = "rubber"}]'),),
        (("structures.tower.storeys[1].kind", "'bouc-wen'"),),
    ),
    "storey without yield drift": (
        (("floors = 4", 'floors = 4\nstoreys = {kind = "bilinear"}'),),
        (("structures.tower.storeys.yield_drift", 'must be given. Write yield_drift = "2 cm"'),),
    ),
    "storey with a negative yield drift": (
        (("floors = 4", 'floors = 4\nstoreys = {kind = "bouc-wen", yield_drift = "-1 cm"}'),),
        (("structures.tower.storeys.yield_drift", "must be positive"),),
    ),
    "too few storeys": (
        (("floors = 4", 'floors = 4\nstoreys = [{kind = "elastic"}, {kind = "bilinear", yield_drift = 0.01}]'),),
        (("structures.tower.storeys", "one (or None) for each of 4 storeys"),),
    ),
    "nothing moves it, and no end": (
        (('[motion]\nrecord = "default"\npga = "0.4 g"\nend = "10 s"\n', ""),),
        (("analysis.duration", "must be given where there is no motion"),),
    ),
    "a switch in quotes": (
        (("rtol = 1e-6", 'checks = "yes"'),),
        (("analysis.checks", "must be true or false, without quotes"),),
    ),
    "many at once": (
        (
            ("mass = 4600", "mass = 0"),
            ('name = "hertzdamp"', 'name = "nonsense"'),
            ('gap = "2 cm"', 'gap = "2 kg"'),
            ('record = "default"', 'record = "nowhere"'),
            ("rtol = 1e-6", "rtl = 1e-6"),
            ('stiffnesses = "300 kN/mm"', "stiffnesses = []"),
        ),
        (
            ("structures.pier.mass", "must be positive"),
            ("laws.slabs.name", "must be a law of the catalogue"),
            ("contacts[1].gap", "must be convertible to m"),
            ("motion.record", "built-in motion"),
            ("analysis.rtl", "Did you mean `rtol`?"),
            ("structures.tower.stiffnesses", "must not be empty"),
        ),
    ),
}
