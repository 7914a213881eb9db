"""Where structures may meet: one relation and one law between two places; and dashpots that join two."""

from carom.contact.contact import Contact
from carom.contact.damper import Damper
from carom.contact.facing import Facing, facing
from carom.contact.friction import Friction
from carom.contact.relation import Place, Relation

__all__ = ["Contact", "Damper", "Facing", "Friction", "Place", "Relation", "facing"]
