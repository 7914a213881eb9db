"""Models of other programs as structures: OpenSees, PyNite, storey tables as ETABS and SAP2000 print them."""

from carom.models.opensees import from_opensees

__all__ = ["from_opensees"]
