"""Closed contacts, from touch to separation, by collocation on the contact forces.

Between two impacts a structure is linear, so that its motion over a step is known as soon as the contact forces are:
overlap(τ) = free overlap(τ) − ∫ answer(τ − s) F(s) ds. A step takes F as a parabola through three Gauss points, the
nodes, and solves for the forces at which law and motion agree there (`step`). Stiff modes of the structure do not limit
the step, since the integral over them is exact.

The order of things in `run.in_contact`: choose kind and length of the next step (`step_lengths`), solve it (`step`,
`quick_modes` for modes much quicker than the contacts), end it at the first event inside (`events`), prove that no open
contact closed and opened again in it (`open_contacts`), find where forces and overlaps are largest (`force_crests`),
carry the modes to its end and enter work and impulse (`accept`, `work`), raise the peaks of the floors (`peaks`, or
`swinging_peaks` beside quick modes), and look whether contacts open or close (`run`).

`collocation` holds the coefficients of the nodes, `step_curves` the polynomials through them, `forced_modes` the motion
of a mode inside a solved step, `ripple` the error that quick modes leave, `impact_record` what is kept on a contact.
"""
