"""What all tables of a scenario file share."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Part"]


class Part(BaseModel):
    """A table of the file: unknown fields are refused, nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
