"""`python -m tests.motions 20000 [reader …]`: damaged files of every format; see `samples.survive`."""

from __future__ import annotations

import sys
import time

from tests.motions.network_samples import BINARY, NETWORKS
from tests.motions.samples import FORMATS, survive

count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
files = {name: (name, make().encode(), options) for name, (make, options) in FORMATS.items()}
files |= {
    name: (form, sample.content, sample.given)
    for name, (form, make) in {**NETWORKS, **BINARY}.items()
    if (sample := make())
}
for name in sys.argv[2:] or files:
    form, content, options = files[name]
    begin = time.perf_counter()
    tally = survive(form, content, options, count, seed=0)
    print(f"{name:14s} {tally} in {time.perf_counter() - begin:.0f} s", flush=True)
