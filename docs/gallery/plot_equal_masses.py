"""
Two masses that exchange their motion
=====================================

zhu2002, Figures 7 and 8: elastic impacts between equal masses on equal springs, and what a step that is too coarse makes of them.
"""

import carom
from carom.plots import draw

# %%
# ``carom reproduce zhu2002-fig7``

case = carom.reproduce("zhu2002-fig7")
drawn = [draw(figure)[0] for figure in case.figures]

# %%
# ``carom reproduce zhu2002-fig8``

case = carom.reproduce("zhu2002-fig8")
drawn = [draw(figure)[0] for figure in case.figures]
