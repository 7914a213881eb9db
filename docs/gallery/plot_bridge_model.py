"""
The Tacoma Narrows model by three integrators
=============================================

mahmoud2008, Figure 14: a slackening suspension bridge, whose force has corners.
"""

import carom
from carom.plots import draw

# %%
# ``carom reproduce mahmoud2008-fig14``

case = carom.reproduce("mahmoud2008-fig14")
drawn = [draw(figure)[0] for figure in case.figures]
