"""The event engine: linear structures that hit each other, from one event to the next.

Not every run comes here: of up to eight modes, and of buildings, the explicit engine takes what it can
(`carom.kernels.explicit`). What it leaves as unusual, and everything else, is run by this general engine;
``path="general"`` has all of it run here.

Each natural mode of a structure moves by

    q̈ + 2σ q̇ + ω² q = load − participation·a_g(t) − pushᵀ F,      overlap δ = reach·q − gap,

where q is the displacement of the mode, scaled to modal mass one, and F are the contact forces. The ground acceleration
a_g is a straight line between two values of the record, and the participation of a mode says how hard it drives the
mode; the load besides is constant. Every contact has two numbers for each mode: its reach, how much the mode adds to
the overlap, and its push, how much of the contact's force acts on the mode. Both are the same number, but for motion
that is prescribed, which no force pushes; they stand side by side in the row of the contact (`rows.LEVER`).

A sample is the time between two values of the record; a stretch is a part of it, from one event to the next. A run goes
round this circle until the record ends:

1. flight: all contacts are open, F = 0, and every mode has a closed form.
   - Whole samples first. Each mode is carried to the end of the sample. No contact closes in it if, for every contact,

         max(δ at both ends) + dt²/8 · (largest |δ̈| in the sample) < 0.

     The largest |δ̈| is known beforehand. Within a sample the load is a straight line in time, so y = q̈ obeys
     ÿ + 2σẏ + ω²y = 0, and d/dt(ẏ² + ω²y²) = −4σẏ² ≤ 0: q⃛² + ω²q̈² of a mode cannot grow. At the next value of the
     record q⃛ jumps, and the bound begins anew. Most samples end here (`engine.glide`; `clear_flight` for buildings,
     which asks the same of their peaks).
   - In any other sample the first touch is sought part by part, with the same kind of bound (`flight`).
   - The peaks are raised by the true extremes inside the sample or stretch (`flight_peaks`).
2. touch: an overlap rises through zero. Newton's method finds the moment, and the contact's row takes the rate at touch
   and what the law makes of it (`contact.impact_record`). Bodies that touch without speed fly on for a moment, until
   they overlap a little or have parted again (`slow_touches`).
3. contact: the contact forces are the unknowns, and are stepped to the tolerance of the run (`contact.run`). Other
   contacts may close and open meanwhile.
4. release: an overlap comes back to zero, or a force that may not pull reaches zero. In the second case bodies still
   overlap: the contact is released, and can touch again only after the overlap has gone. When no contact is closed, the
   next flight begins.

The account of energy has, at any time,

    energy at the start + input = kinetic + strain + damping + work in contacts + residual.

In steps in contact input and damping are integrals of their own, and the residual shows what steps miss; at the end of
a run it is held to the tolerance (`ledger.watch_balance`). In flight damping is what the balance leaves: a wrong flight
does not show there, but at the touch after it, where bodies would overlap before they have met (`ledger.watch_touch`).
How a run ends is said in `kernels.endings`: what is not finite is seen in steps in contact, and behind a flight by
whoever keeps its results.

Problems with many structures are worked on island by island: in each sample those that contacts may tie together go
round the circle apart from all others (`islands`). With many contacts between few structures, steps in contact look at
those that may close in the sample (`contact.near_contacts`). Both are proofs, as in flight: nothing is left out unseen.

Damping that couples modes is a dashpot between them. In flight complex modes take the place of the natural ones, as
twice as many modes that nothing couples; in contact a dashpot is a contact without stiffness that never opens
(`complex_flight`), or in explicit steps of buildings a load by its rate (`explicit.buildings.damped`). Where complex
modes do not serve a problem, a run with dashpots is in contact all along.

Which file does what:

| file | what it does |
| --- | --- |
| `engine` | the loop above, sample by sample: `pound` runs one problem |
| `touches`, `slow_touches` | flight to the next touch; how touches without speed begin |
| `batch`, `runs` | many runs of the engine, put together from what they share; the kernels that are compiled |
| `islands` | the same loop for many structures, island by island |
| `complex_flight` | the same loop for damping that couples modes: flight in complex modes, contact in natural ones |
| `complex_states` | the state and the peaks handed from complex modes to natural ones at the first touch, and back |
| `complex_clear_flight` | complex modes over samples that hold nothing new, eight at a time |
| `mode_table` | what never changes in a run: propagators, power series, how each contact feels a push at another |
| `flight` | overlaps, their bounds, and the first touch in a stretch of flight |
| `flight_peaks` | peaks in flight: which of them may rise, and who searches for them |
| `peak_search`, `flight_search` | the bounds that prove where no new peak is; the search for one by closed forms |
| `clear_flight` | buildings over samples that hold neither a touch nor a new peak, eight modes at a time |
| `mode_columns` | modes side by side: power series of buildings in contact, and for their peaks in flight |
| `floor_sums`, `floor_bounds`, `series_crests` | degrees of freedom side by side: states, bounds, extremes |

The last three lines serve buildings alone: problems in which a structure has four modes or more
(`tables.Tables.side_by_side`). In all others each mode and each degree of freedom is worked on in its own row.

A run has its tables in one record, `tables.Tables`: `modes`, `contacts`, `pairs` of contacts and `floors`, which have
their columns named in `rows`; `small`, scratch; `run`, the account and the settings of the run, with columns named in
`ledger`. The words are explained in docs/glossary.md.
"""
