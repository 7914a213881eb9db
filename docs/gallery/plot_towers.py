"""
Two towers on a shaking table
=============================

mahmoud2008, Figures 6 and 7: relative impact velocity in the steady state over the frequency of the excitation, one impact a cycle and one in two cycles.
"""

import carom
from carom.plots import draw

# %%
# ``carom reproduce mahmoud2008-fig6``

case = carom.reproduce("mahmoud2008-fig6")
drawn = [draw(figure)[0] for figure in case.figures]

# %%
# ``carom reproduce mahmoud2008-fig7``

case = carom.reproduce("mahmoud2008-fig7")
drawn = [draw(figure)[0] for figure in case.figures]
