"""How a run ended, as kernels say it: one number for each ending, whatever the scheme."""

FINISHED = 0
STEP_LIMIT = 3
NOT_FINITE = 4
UNTRUSTED = 5  # it contradicts itself
NO_SOLUTION = 6  # Newton's method does not find the forces of a step
SINGULAR = 7  # the equations of a step are singular
UNDERFLOW = 8  # the step became too short
NOT_COMPLEMENTARY = 9  # the impulses of contacts struck together were not found
UNUSUAL = 10  # a quick path leaves the run to the general engine
