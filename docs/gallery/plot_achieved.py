"""
Asked and achieved restitution
==============================

papi2022, Figure 6 and the search for α: what linear laws with a dashpot return of the restitution asked for.
"""

import carom
from carom.plots import draw

# %%
# ``carom reproduce papi2022-fig6``

case = carom.reproduce("papi2022-fig6")
drawn = [draw(figure)[0] for figure in case.figures]

# %%
# ``carom reproduce papi2022-alpha``

case = carom.reproduce("papi2022-alpha")
drawn = [draw(figure)[0] for figure in case.figures]
