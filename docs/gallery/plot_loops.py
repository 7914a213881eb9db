"""
Force-overlap loops of two aluminium spheres
============================================

alves2015, Figures 3 and 4: eight laws, one impact of 0.15 m/s against 0.15 m/s with e = 0.7 asked for. The area of a loop is the energy lost.
"""

import carom
from carom.plots import draw

# %%
# ``carom reproduce alves2015-fig3``

case = carom.reproduce("alves2015-fig3")
drawn = [draw(figure)[0] for figure in case.figures]

# %%
# ``carom reproduce alves2015-fig4``

case = carom.reproduce("alves2015-fig4")
drawn = [draw(figure)[0] for figure in case.figures]
