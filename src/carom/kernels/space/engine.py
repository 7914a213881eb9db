"""A scene in space from its first sample to its last: the engine of scenes, with leaves for space in it."""

from carom.kernels.joints import Springs
from carom.kernels.scene import contact_forces, kinematics, step, writing
from carom.kernels.scene import links as flat_links
from carom.kernels.scene.engine import play
from carom.kernels.scene.tables import Motion, Plan, Writing
from carom.kernels.space import contacts, far, links
from carom.kernels.space import kinematics as spatial
from carom.kernels.tables import Shaking

SPACE_PARTS = (
    (kinematics.move_body, spatial.move_body),
    (kinematics.move_anchor, spatial.move_anchor),
    (kinematics.clear_body, spatial.clear_body),
    (kinematics.clear_anchor, spatial.clear_anchor),
    (kinematics.load_modes, spatial.load_modes),
    (kinematics.turn_bodies, spatial.turn_bodies),
    (kinematics.body_path, spatial.body_path),
    (kinematics.riding_path, spatial.riding_path),
    (step.place_turns, spatial.place_turns),
    (step.miss_of_turns, spatial.miss_of_turns),
    (contact_forces.approach, contacts.approach),
    (contact_forces.push_apart, contacts.push_apart),
    (writing.write_view, contacts.write_view),
    (writing.leaves_far, far.leaves_far),
    (writing.move_read, far.move_read),
    (flat_links.stretch, links.stretch),
    (flat_links.tighten, links.tighten),
)
"""What is put in for space: a function in the plane, and the one that takes its place."""


def play_in_space(plan: Plan, motion: Motion, springs: Springs, shaking: Shaking, writing: Writing) -> int:
    """Run a scene in space; return how it ended."""
    return play(plan, motion, springs, shaking, writing)
