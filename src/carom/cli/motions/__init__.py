"""`carom motion`: information, spectra, conversion and sheets of ground motions."""
