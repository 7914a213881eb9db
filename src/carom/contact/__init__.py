"""Where structures may meet: one relation and one law between two places."""

from carom.contact.contact import Contact
from carom.contact.facing import Facing, facing
from carom.contact.relation import Place, Relation

__all__ = ["Contact", "Facing", "Place", "Relation", "facing"]
