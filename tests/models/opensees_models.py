"""Models for the tests of import: each builds itself in OpenSees, from random numbers."""

from __future__ import annotations

import math

import numpy as np

AXES = {"x": 1, "y": 2}


def plane_frame(ops, chance, beam_mass=True):
    """Storeys and bays in a plane, lumped masses without turning, a beam with mass, Rayleigh damping."""
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    ops.geomTransf("Linear", 1)
    bays, storeys, element = int(chance.integers(1, 4)), int(chance.integers(1, 5)), 0
    for level in range(storeys + 1):
        for line in range(bays + 1):
            node = 100 * level + line + 1
            ops.node(node, 5.0 * line + chance.uniform(-0.5, 0.5), 3.3 * level)
            if level == 0:
                ops.fix(node, 1, 1, int(chance.integers(0, 2)))
                continue
            mass = chance.uniform(5e3, 2e4)
            ops.mass(node, mass, mass, 0.0)
            for other, kind in ((node - 100, "column"), (node - 1, "beam")):
                if kind == "column" or line:
                    element += 1
                    area, inertia = chance.uniform(0.01, 0.03), chance.uniform(1e-4, 6e-4)
                    extra = ("-mass", 300.0) if beam_mass and kind == "beam" and chance.random() < 0.5 else ()
                    ops.element("elasticBeamColumn", element, other, node, area, 2e11, inertia, 1, *extra)
    ops.rayleigh(chance.uniform(0.1, 0.5), 0.0, chance.uniform(1e-4, 1e-3), 0.0)


def nodal_masses(ops, chance):
    """The same without masses of beams, which OpenSees 3.7.1 counts twice in the forces of a uniform excitation: a
    cantilever with 450 kg at its tip moves by half of what one moves with a mass of 300 kg/m along 3 m.
    """
    plane_frame(ops, chance, beam_mass=False)


def diaphragms(ops, chance):
    """A building in space: columns and beams, rigid diaphragms with masses at their master nodes."""
    ops.model("basic", "-ndm", 3, "-ndf", 6)
    ops.geomTransf("Linear", 1, 1.0, 0.0, 0.0)
    ops.geomTransf("Linear", 2, 0.0, 0.0, 1.0)
    width, depth, element = chance.uniform(5, 9), chance.uniform(6, 12), 0
    corners = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)]
    for level in range(int(chance.integers(2, 5))):
        nodes = [10 * level + i + 1 for i in range(4)]
        for node, (x, y) in zip(nodes, corners, strict=True):
            ops.node(node, x, y, 3.5 * level)
            if level == 0:
                ops.fix(node, 1, 1, 1, 1, 1, 1)
                continue
            element += 1
            i = chance.uniform(1e-4, 4e-4, 2)
            ops.element("elasticBeamColumn", element, node - 10, node, 0.02, 2e11, 8e10, 3e-5, *i.tolist(), 1)
        if level == 0:
            continue
        for a, b in zip(nodes, nodes[1:] + nodes[:1], strict=True):
            element += 1
            ops.element("elasticBeamColumn", element, a, b, 0.01, 2e11, 8e10, 2e-5, 1e-4, 3e-4, 2)
        master = 10 * level + 9
        mass = chance.uniform(3e4, 6e4)
        at = chance.uniform(0.4, 0.6, 2) * (width, depth)
        ops.node(master, *at.tolist(), 3.5 * level)
        ops.fix(master, 0, 0, 1, 1, 1, 0)
        ops.mass(master, mass, mass, 0.0, 0.0, 0.0, mass * chance.uniform(6, 12))
        ops.rigidDiaphragm(3, master, *nodes)
    ops.rayleigh(0.2, 0.0, 0.0, 2e-4)


def truss(ops, chance):
    """A truss in space with consistent masses, on three supports."""
    ops.model("basic", "-ndm", 3, "-ndf", 3)
    ops.uniaxialMaterial("Elastic", 1, 2e11)
    panels, element = int(chance.integers(2, 5)), 0
    for i in range(panels + 1):
        for j in range(3):
            turn = 2.0 * math.pi * j / 3.0
            place = np.array([4.0 * i, 2.0 * math.cos(turn), 2.0 * math.sin(turn)]) + chance.uniform(-0.2, 0.2, 3)
            ops.node(3 * i + j + 1, *place.tolist())
            if i == 0:
                ops.fix(3 * i + j + 1, 1, 1, 1)
    for a in range(1, 3 * panels + 4):
        for b in range(a + 1, 3 * panels + 4):
            if (b - 1) // 3 - (a - 1) // 3 <= 1:
                element += 1
                area = chance.uniform(1e-3, 3e-3)
                ops.element("Truss", element, a, b, area, 1, "-rho", 7850.0 * area, "-cMass", 1)


def dampers(ops, chance):
    """A chain with dashpots between some of its masses: damping that couples the modes."""
    ops.model("basic", "-ndm", 1, "-ndf", 1)
    n = int(chance.integers(4, 8))
    ops.node(1, 0.0)
    ops.fix(1, 1)
    for i in range(n):
        ops.node(i + 2, 0.0, "-mass", chance.uniform(1e4, 3e4))
        ops.uniaxialMaterial("Elastic", i + 1, chance.uniform(2e7, 6e7))
        ops.element("zeroLength", i + 1, i + 1, i + 2, "-mat", i + 1, "-dir", 1)
    for i in (1, n // 2, n - 1):
        ops.uniaxialMaterial("Viscous", 50 + i, chance.uniform(1e4, 1e5), 1.0)
        ops.element("zeroLength", 50 + i, i, i + 2, "-mat", 50 + i, "-dir", 1)


def links(ops, chance):
    """Rigid links and equal displacements in a chain: nodes that follow nodes that follow, offset and without mass."""
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    ops.geomTransf("Linear", 1)
    for node, x, y in ((1, 0.0, 0.0), (2, 0.0, 4.0), (3, 0.7, 4.3), (4, 6.0, 4.3), (5, 6.0, 0.0), (6, 6.4, 4.3)):
        ops.node(node, x + chance.uniform(-0.1, 0.1) * (node != 1), y)
    ops.fix(1, 1, 1, 1)
    ops.fix(5, 1, 1, 0)
    for tag, a, b in ((1, 1, 2), (2, 3, 4), (3, 5, 4)):
        ops.element("elasticBeamColumn", tag, a, b, 0.01, 2e11, chance.uniform(1e-4, 3e-4), 1)
    ops.rigidLink("beam", 2, 3)
    ops.equalDOF(4, 6, 1, 2, 3)
    ops.uniaxialMaterial("Elastic", 1, chance.uniform(1e6, 1e7))
    ops.node(7, *ops.nodeCoord(6))
    ops.element("zeroLength", 9, 6, 7, "-mat", 1, 1, 1, "-dir", 1, 2, 6)
    for node in (2, 3, 4, 6):
        mass = chance.uniform(1e3, 4e3)
        ops.mass(node, mass, mass, 0.0)
    ops.mass(7, 500.0, 500.0, 40.0)
    ops.rayleigh(0.3, 0.0, 2e-4, 0.0)


def pendulum(ops, chance):
    """Masses on rigid arms, so that the mass matrix of what follows is full and has no rank of its own."""
    ops.model("basic", "-ndm", 2, "-ndf", 3)
    ops.geomTransf("Linear", 1)
    ops.node(1, 0.0, 0.0)
    ops.node(2, 0.0, 5.0)
    ops.node(3, chance.uniform(0.5, 1.5), chance.uniform(5.2, 6.0))
    ops.fix(1, 1, 1, 1)
    ops.element("elasticBeamColumn", 1, 1, 2, 0.01, 2e11, chance.uniform(1e-4, 3e-4), 1)
    ops.rigidLink("beam", 2, 3)
    ops.mass(3, 2e3, 2e3, 0.0)


MODELS = (plane_frame, diaphragms, truss, dampers, links, pendulum)


def eigenvalues(ops, count):
    """Return OpenSees' own eigenvalues, by LAPACK."""
    ops.wipeAnalysis()
    ops.constraints("Transformation")
    ops.numberer("Plain")
    return np.array(ops.eigen("-fullGenLapack", count))
