"""Where the runs of a study are computed: in this process, in local ones, or on a cluster."""

from __future__ import annotations

from carom.studies.runners.base import Runner, Tell, choose_runner
from carom.studies.runners.tls import NO_TLS, Tls

__all__ = ["NO_TLS", "Runner", "Tell", "Tls", "choose_runner"]
