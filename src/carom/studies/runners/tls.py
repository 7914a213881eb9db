"""Certificates, by which a Dask cluster and those who use it know each other, and nobody else is let in."""

from __future__ import annotations

import importlib.util
import warnings
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from carom.errors import CaromWarning, InputError, refusal

__all__ = ["NO_TLS", "Tls", "private_security", "security_for"]


@dataclass(frozen=True)
class Tls:
    """Files in PEM form: whose certificates are trusted, one's own certificate, and its key."""

    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None


NO_TLS = Tls()


def security_for(address: str, tls: Tls, distributed: Any) -> Any:
    """Return how to speak to a scheduler: by the given certificates, or those of Dask's configuration; None: openly."""
    if not address.startswith("tls://"):
        if tls != NO_TLS:
            raise InputError(f"Certificates need an address such as tls://host:8786. Got '{address}'.")
        if address != "local":  # which has certificates of its own
            warnings.warn(
                f"{address} is open: whoever reaches that scheduler can run code on its workers and read what they "
                "compute. On a network with others, start it with certificates and write tls:// here.",
                CaromWarning,
                stacklevel=3,
            )
        return None
    given = {one.name: getattr(tls, one.name) for one in fields(tls)}
    for name, path in given.items():
        if path is not None and not path.is_file():
            raise refusal(f"--tls-{name}", "a study", "must be a file that exists", str(path))
    named = {"tls_ca_file": given["ca"], "tls_client_cert": given["cert"], "tls_client_key": given["key"]}
    stated = {name: str(path) for name, path in named.items() if path is not None}
    security = distributed.Security(require_encryption=True, **stated)
    if missing := [option for option, name in zip(given, named, strict=True) if not getattr(security, name)]:
        options = ", ".join(f"--tls-{name}" for name in missing)
        raise InputError(f"{address} needs certificates. Missing: {options}, files in PEM form.")
    try:
        security.get_connection_args("client")
    except (OSError, ValueError) as error:  # as OpenSSL says
        raise InputError(
            f"--tls-ca, --tls-cert and --tls-key must be certificates and keys in PEM form ({error}). Got {stated}."
        ) from None
    return security


def private_security(distributed: Any) -> Any:
    """Return certificates for a cluster on this machine, made for it alone; None, with a warning, where none can be."""
    if importlib.util.find_spec("cryptography") is not None:
        return distributed.Security.temporary()
    warnings.warn(
        "The local cluster has no certificates, since the package cryptography is not installed: other users of this "
        "machine could send it work. Run: pip install cryptography, or leave --cluster out on a shared machine.",
        CaromWarning,
        stacklevel=2,
    )
    return None
