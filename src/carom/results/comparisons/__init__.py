"""One number beside another: published and computed, carom and OpenSees, penalty laws and rigid contact."""
