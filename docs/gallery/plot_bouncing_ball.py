"""
A ball that bounces infinitely often
====================================

langlade2021: event by event, and by Moreau-Jean with γ = 3/2 and 1/2.
"""

import carom
from carom.plots import draw

# %%
# ``carom reproduce langlade2021-ball``

case = carom.reproduce("langlade2021-ball")
drawn = [draw(figure)[0] for figure in case.figures]
