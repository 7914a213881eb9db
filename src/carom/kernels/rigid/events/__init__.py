"""Rigid contact event by event: flight to the next touch, impacts, contacts that last."""
