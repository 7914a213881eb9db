"""
A concrete ball on a slab
=========================

papi2022, Figures 2 and 3: force history and force-overlap loop, gravity acting.
"""

import carom
from carom.plots import draw

# %%
# ``carom reproduce papi2022-fig2``

case = carom.reproduce("papi2022-fig2")
drawn = [draw(figure)[0] for figure in case.figures]

# %%
# ``carom reproduce papi2022-fig3``

case = carom.reproduce("papi2022-fig3")
drawn = [draw(figure)[0] for figure in case.figures]
