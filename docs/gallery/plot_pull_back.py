"""
Released and colliding
======================

langlade2021, Figures 8 to 10: two frames pulled back and let go, rigid contact beside penalty laws of a range of stiffnesses.
"""

import carom
from carom.plots import draw

# %%
# ``carom reproduce langlade2021-fig8``

case = carom.reproduce("langlade2021-fig8")
drawn = [draw(figure)[0] for figure in case.figures]

# %%
# ``carom reproduce langlade2021-fig9``

case = carom.reproduce("langlade2021-fig9")
drawn = [draw(figure)[0] for figure in case.figures]

# %%
# ``carom reproduce langlade2021-fig10``

case = carom.reproduce("langlade2021-fig10")
drawn = [draw(figure)[0] for figure in case.figures]
