"""Which headers pass, in both directions. Pure. RFC 9110 §7.6.1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from multidict import CIMultiDict

PRIVATE_PREFIX = "x-recollect-"
"""Ours: read from clients, never sent upstream, never passed on from an upstream."""

_HOP_BY_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
# Host follows from the upstream's URL; the server answers Expect itself.
_REQUEST_ONLY = frozenset({"host", "expect"})


def forwarded_request_headers(headers: Mapping[str, str]) -> CIMultiDict[str]:
    """What goes upstream: everything but hop-by-hop headers and ours, order and case kept."""
    return _pass(headers, _REQUEST_ONLY)


def forwarded_response_headers(headers: Mapping[str, str]) -> CIMultiDict[str]:
    """What goes to the client; `Content-Length` and `Content-Encoding` stay with their bytes."""
    return _pass(headers, frozenset())


_ABOUT_THE_BYTES = (
    "Content-Encoding",
    "Content-MD5",
    "Digest",
    "Content-Digest",
    "Repr-Digest",
    "Signature",
    "Signature-Input",
)


def describe_edited_body(headers: CIMultiDict[str]) -> None:
    """Drop what was true of the client's bytes only: our edit is plain, and nobody signed it."""
    for name in _ABOUT_THE_BYTES:
        headers.popall(name, None)


def readable_encodings(accept: str, readable: Iterable[str]) -> str:
    """An ``Accept-Encoding`` cut down to codings that can be read, with their weights."""
    known = {coding for coding in readable if coding}
    kept = [part for part in accept.split(",") if part.split(";")[0].strip().lower() in known]
    return ",".join(kept).strip() or "identity"


def _pass(headers: Mapping[str, str], also: frozenset[str]) -> CIMultiDict[str]:
    dropped = _HOP_BY_HOP | also | _named_by_connection(headers)
    passed: CIMultiDict[str] = CIMultiDict()
    for name, value in headers.items():
        lower = name.lower()
        if lower not in dropped and not lower.startswith(PRIVATE_PREFIX):
            passed.add(name, value)
    return passed


def _named_by_connection(headers: Mapping[str, str]) -> frozenset[str]:
    """The headers that the sender called hop-by-hop, in any number of Connection lines."""
    if "Connection" not in headers:
        return frozenset()
    lines = [value for name, value in headers.items() if name.lower() == "connection"]
    return frozenset(name.strip().lower() for name in ",".join(lines).split(","))
