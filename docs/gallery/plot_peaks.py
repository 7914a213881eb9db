"""
Peak forces of a steel ball
===========================

alves2015, Figures 6 to 9: the force over time of a ball of 0.54 kg on two specimens, at two speeds.
"""

import carom
from carom.plots import draw

# %%
# ``carom reproduce alves2015-fig6``

case = carom.reproduce("alves2015-fig6")
drawn = [draw(figure)[0] for figure in case.figures]

# %%
# ``carom reproduce alves2015-fig9``

case = carom.reproduce("alves2015-fig9")
drawn = [draw(figure)[0] for figure in case.figures]
