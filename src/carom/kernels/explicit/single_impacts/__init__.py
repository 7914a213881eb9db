"""Single impacts of two bodies: `run` strings the steps of `step` together, by the method of `dormand_prince`."""
