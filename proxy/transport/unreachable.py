"""Why a server cannot be reached, for a person. Pure."""

from __future__ import annotations

import os

import aiohttp


def why(error: BaseException) -> str:
    """The reason in a few words, without addresses, which may contain credentials."""
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "its name is not known (DNS)"
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return "its certificate cannot be verified"
    number = getattr(error, "errno", None)
    if isinstance(error, OSError) and isinstance(number, int) and number > 0:
        return os.strerror(number).lower()
    return type(error).__name__
