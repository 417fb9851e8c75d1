"""Selects the headers that are forwarded, in both directions (RFC 9110 §7.6.1). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from multidict import CIMultiDict

PRIVATE_PREFIX = "x-recollect-"
"""Our own headers: read from clients, never sent upstream, never forwarded from an upstream."""

_PRIVATE = PRIVATE_PREFIX.encode()
_AS_IS = "surrogateescape"

RawHeaders = Sequence[tuple[bytes, bytes]]
"""Names and values as received: aiohttp's parsed headers change the case of known names."""

_HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
# Host follows from the upstream's URL; the server answers Expect itself.
_NOT_UPSTREAM = _HOP_BY_HOP | {b"host", b"expect"}
_ABOUT_THE_BYTES = (
    "Content-Encoding",
    "Content-MD5",
    "Digest",
    "Content-Digest",
    "Repr-Digest",
    "Signature",
    "Signature-Input",
)
_TRANSFER_CODINGS = frozenset({"gzip", "x-gzip", "deflate", "compress", "x-compress"})
"""The codings of IANA's registry that change bytes."""
PLAIN = frozenset({"", "identity"})
DECODABLE = PLAIN | {"gzip", "deflate"}
"""Content codings the standard library decodes; routes that we read request no other."""


def forwarded_request_headers(headers: RawHeaders) -> CIMultiDict[str]:
    """All headers except hop-by-hop headers and our own; keeps order and case."""
    return _pass(headers, _NOT_UPSTREAM)


def forwarded_response_headers(headers: RawHeaders) -> CIMultiDict[str]:
    """The headers for the client, with `Content-Length` and `Content-Encoding`."""
    return _pass(headers, _HOP_BY_HOP)


def transfer_codings(headers: RawHeaders) -> str:
    """The transfer codings of a body besides `chunked`.

    The proxy does not decode them, so it must forward their names (RFC 9112 §7). Names that are not
    registered are left out: a name that only resembles `chunked` must not be forwarded.
    """
    lines = [value for name, value in headers if name.lower() == b"transfer-encoding"]
    if not lines or lines == [b"chunked"]:
        return ""
    codings = [coding.strip() for coding in b",".join(lines).decode("latin-1").split(",")]
    return ", ".join(each for each in codings if each.lower() in _TRANSFER_CODINGS)


def describe_edited_body(headers: CIMultiDict[str]) -> None:
    """Drop headers about the client's bytes: an edited body is neither encoded nor signed."""
    for name in _ABOUT_THE_BYTES:
        headers.popall(name, None)


def readable_encodings(accept: str, readable: Iterable[str]) -> str:
    """``Accept-Encoding`` reduced to readable codings, with their weights."""
    known = {coding for coding in readable if coding}
    kept = [part for part in accept.split(",") if part.split(";")[0].strip().lower() in known]
    return ",".join(kept).strip() or "identity"


def _pass(headers: RawHeaders, dropped: frozenset[bytes]) -> CIMultiDict[str]:
    passed: CIMultiDict[str] = CIMultiDict()
    for raw_name, raw_value in headers:
        lower = raw_name.lower()
        if lower == b"connection":
            return _pass_named(headers, dropped)
        if lower not in dropped and not lower.startswith(_PRIVATE):
            passed.add(raw_name.decode("ascii", _AS_IS), raw_value.decode("utf-8", _AS_IS))
    return passed


def _pass_named(headers: RawHeaders, dropped: frozenset[bytes]) -> CIMultiDict[str]:
    """`_pass` without the headers that `Connection` names, in any number of lines."""
    lines = [value for name, value in headers if name.lower() == b"connection"]
    named = {name.strip().lower() for name in b",".join(lines).split(b",")}
    rest = [(name, value) for name, value in headers if name.lower() not in named | {b"connection"}]
    return _pass(rest, dropped)
