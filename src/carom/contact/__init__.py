"""Where structures may meet: one gap and one law between two places."""

from carom.contact.contact import Contact, Place
from carom.contact.facing import Facing, facing

__all__ = ["Contact", "Facing", "Place", "facing"]
