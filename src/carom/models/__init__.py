"""Models of other programs as structures: OpenSees, PyNite, storey tables as ETABS and SAP2000 print them."""

from carom.models.opensees import from_opensees
from carom.models.pynite import from_pynite
from carom.models.storeys import read_storeys

__all__ = ["from_opensees", "from_pynite", "read_storeys"]
