"""Where structures may meet: one relation and one law between two places; dashpots, and what decks rest on."""

from carom.contact.bearing import Bearing, Seat
from carom.contact.contact import Contact
from carom.contact.damper import Damper
from carom.contact.facing import Facing, facing
from carom.contact.friction import Friction
from carom.contact.relation import Place, Relation

__all__ = ["Bearing", "Contact", "Damper", "Facing", "Friction", "Place", "Relation", "Seat", "facing"]
