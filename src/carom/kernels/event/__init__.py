"""The event engine: flight from sample to sample, touches located, contact, peaks and the account of it all."""
