"""Which contacts steps leave out: none. These kernels hold the place of those of `near_contacts`.

A kernel for problems with many contacts is compiled with those instead (`near_contacts.LEAVING_OUT`), so that all
others compile without them.
"""

from carom.kernels.tables import Near, Tables
from carom.kernels.types import Matrix


def leaves_out(near: Near) -> bool:
    """Return whether steps leave out contacts."""
    return False


def write_overlaps(column: int, into: int, tables: Tables, near: Near) -> None:
    """Do nothing."""


def find_slack(t: float, dt: float, tables: Tables, near: Near) -> None:
    """Do nothing."""


def gather_near(tables: Tables, near: Near) -> int:
    """Return that no contact is chosen."""
    return 0


def put_back_near(contacts: Matrix, near: Near) -> None:
    """Do nothing."""


def use_slack(kind: int, h: float, dt: float, part: Tables, tables: Tables, near: Near) -> bool:
    """Return that no contact comes near."""
    return False
