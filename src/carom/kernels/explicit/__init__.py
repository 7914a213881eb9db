"""Explicit Runge-Kutta: the quick engine for pounding, and single impacts.

The quick engine, from the outside in:

- `batch` runs many problems, or one with its histories (`histories`);
- `engine` has the loop: flight, touches, contact, from sample to sample, and the account of the run;
- `flight` flies over whole samples while a bound proves that nobody touches, `touches` finds the first touch otherwise;
- `contact` has the state machine of steps in contact, `step_control` what one contact would like of a step, `step` the
  step itself by the method of `tableau`;
- `floors`, `peaks` and `inner_peaks` find true extremes, in flight and in contact;
- `rows` says where what is kept, `sums` what contacts take from modes, `warp` how the threads of a GPU share a run.

Two oscillators are what studies run a million times. For them some functions are written by hand (`pairs.flight`,
`pairs.step`, `pairs.peaks`); `pairs.parts` lists them, and the compiler puts them in.

Buildings on a processor's core fly as in the general engine, and `buildings.parts` lists what the compiler puts into
that: the state machine of `contact`, and steps of eight modes side by side (`buildings.step`, `buildings.tiles`).

Single impacts are a room of their own, `single_impacts`.
"""
