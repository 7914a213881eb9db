"""Contact of the event engine, from touch to separation: steps by collocation on the contact forces."""
