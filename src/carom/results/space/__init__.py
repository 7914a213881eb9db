"""What structures in space did, as data: where they stand, how they move, friction, joints, seats."""
