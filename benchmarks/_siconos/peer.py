"""Siconos's side, run by the interpreter that has it: reads a problem (.npz), steps it, writes displacements and time.

python3 peer.py PROBLEM.npz ANSWER.npz
"""

import sys
import time

import numpy as np
import siconos.kernel as sk


def main(problem: str, answer: str) -> None:
    given = np.load(problem)
    h, forces = float(given["h"]), given["forces"]
    body = sk.LagrangianLinearTIDS(given["q0"], given["v0"], given["M"])
    if np.any(given["K"]):
        body.setKPtr(given["K"])
    if np.any(given["C"]):
        body.setCPtr(given["C"])
    pull = np.array(forces[0])
    body.setFExtPtr(pull)
    system = sk.NonSmoothDynamicalSystem(0.0, h * (len(forces) + 10))
    system.insertDynamicalSystem(body)
    for row, gap in zip(given["H"], given["gap"], strict=True):
        relation = sk.LagrangianLinearTIR(np.array([row]), np.array([gap]))
        system.link(sk.Interaction(sk.NewtonImpactNSL(float(given["e"])), relation), body)
    scheme = sk.MoreauJeanOSI(float(given["theta"]))
    scheme.setGamma(float(given["gamma"]))
    scheme.setUseGamma(True)
    stepping = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, h), scheme, sk.LCP())
    found = np.zeros((len(forces) + 1, body.dimension()))
    found[0] = body.q()
    shaken = bool(np.any(forces != forces[0]))
    begin = time.thread_time()
    for i, force in enumerate(forces):
        if shaken:
            body.setFExtPtr(np.array(force))  # the mean over the step
        stepping.computeOneStep()
        found[i + 1] = body.q()
        stepping.nextStep()
    seconds = time.thread_time() - begin
    np.savez(answer, q=found, seconds=seconds / len(forces))


main(sys.argv[1], sys.argv[2])
