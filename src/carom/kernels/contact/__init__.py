"""Closed contacts, from touch to separation, by collocation on the contact forces.

Between two impacts a structure is linear, so that its motion over a step is known as soon as the contact forces are:
overlap(τ) = free overlap(τ) − ∫ answer(τ − s) F(s) ds, where `answer` is how the overlap moves after a unit impulse. A
step takes F as a parabola through three Gauss points, the nodes, and solves for the forces at which law and motion
agree there (`step`). Stiff modes of the structure do not limit the step, since the integral over them is exact. Once
the forces at the nodes are known, so is the overlap everywhere in the step, and the law gives the forces at both its
ends: by how much the parabola misses these is the measure of its error.

A step is plain, or graded: one that begins at a touch or ends at a parting has s² or s⁴ in place of time, in which
forces like δ^1.5 are smooth (`collocation`).

The order of things in `run.in_contact`: choose kind and length of the next step (`step_lengths`), solve it (`step`;
`quick_modes` for modes much quicker than the contacts, `node_forces` for the forces at its nodes), end it at the first
event inside (`events`), prove that no open contact closed and opened again in it (`open_contacts`), find where forces
and overlaps are largest (`extremes.forces`), carry the modes to its end and enter work and impulse (`accept`, `work`),
raise the peaks of the floors (`extremes.floors`, or `extremes.swinging` beside quick modes), and look whether contacts
open or close (`run`).

Of many contacts `near_contacts` hands over those that may close in the sample. `extremes.columns` has the motion of
buildings inside a solved step, modes side by side; `miss_weights` what a miss of a force does to stiff structures.

`collocation` holds the coefficients of the nodes, `step_curves` the polynomials through them, `forced_modes` the motion
of a mode inside a solved step, `ripple` the error that quick modes leave, `impact_record` what is kept on a contact.
"""
