"""The event engine: linear structures that hit each other, from one event to the next.

Each natural mode of a structure moves by

    q̈ + 2σ q̇ + ω² q = load − participation·a_g(t) − pushᵀ F,      overlap δ = reach·q − gap,

where the ground acceleration a_g is a straight line between two samples of the record, and F are the contact forces. A
run goes round this circle until the record ends:

1. flight: all contacts are open, F = 0, and every mode has a closed form. A sample counts as free of touches only where
   a bound proves it (`flight`); the peaks are raised by the true extremes inside it (`flight_peaks`).
2. touch: an overlap reaches zero. The moment is found by Newton's method in a bracket, and the contact's row takes the
   speed of the touch and what the law makes of it (`contact.impact_record`).
3. contact: the contact forces are the unknowns, and are stepped to the tolerance of the run (`contact.run`).
4. release: an overlap comes back to zero, or a force that may not pull reaches zero. When all contacts are open again,
   the next flight begins.

Which file does what:

| file | what it does |
| --- | --- |
| `engine` | the loop above, sample by sample: `pound` runs one problem |
| `batch`, `runs` | many runs of the engine; the one kernel that is compiled |
| `mode_table` | what never changes in a run: propagators, power series, answers of contacts to each other |
| `flight` | overlaps, their bounds, and the first touch in a stretch of flight |
| `flight_peaks`, `flight_search`, `peak_search` | true extremes in flight, and the rules of the search |
| `clear_flight` | buildings over samples that hold neither a touch nor a new peak, eight modes at a time |
| `mode_columns` | modes side by side: power series of buildings in contact |
| `floor_sums`, `floor_bounds`, `series_crests` | degrees of freedom side by side: states, bounds, extremes |

The last two lines serve buildings alone (`tables.Tables.side_by_side`); structures of few modes are worked on row by
row. A run has its tables in one record, `tables.Tables`: `modes`, `contacts`, `pairs` of contacts and `floors`, whose
columns `rows` names; `small`, scratch; `run`, the account and the settings of the run, whose columns `ledger` names.
"""
