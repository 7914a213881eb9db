"""Commands about one scenario: new, check, run, cite, to and from other programs."""
