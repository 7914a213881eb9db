"""Bodies in space: orientations, nodes against faces; what the engine of scenes takes in place of its plane leaves."""
