"""Contracts that every law, joint, scheme and reader keeps, for those who write one of their own.

Each function takes what is to be tested and raises `AssertionError`, in words, where it does not keep its contract::

    import carom.testing

    def test_my_law():
        carom.testing.check_law(MyLaw(stiffness=1e9, restitution=0.6))

They need neither pytest nor anything else; random numbers come from a seed that may be given.
"""

from __future__ import annotations

from carom.testing.joints import check_joint
from carom.testing.laws import check_law
from carom.testing.readers import check_reader
from carom.testing.schemes import check_scheme

__all__ = ["check_joint", "check_law", "check_reader", "check_scheme"]
