"""Selects the headers that are forwarded, in both directions (RFC 9110 §7.6.1). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

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

_DROPPED, _PASSES, _LENGTH, _DATE, _NAMES_OTHERS = range(5)
_FORBIDDEN = bytes([*range(9), *range(10, 32), 127])
"""Control characters except the tab; RFC 9110 §5.5."""
_KNOWN_NAMES = 512
_KNOWN_CHARS = 64


class _Fates(dict[bytes, int]):
    """What becomes of a header with this name, as it was written; some names are remembered."""

    def __init__(self, dropped: frozenset[bytes]) -> None:
        super().__init__()
        self._dropped = dropped

    def __missing__(self, name: bytes) -> int:
        lower, fate = name.lower(), _PASSES
        if lower == b"connection":
            fate = _NAMES_OTHERS
        elif lower in self._dropped or lower.startswith(_PRIVATE):
            fate = _DROPPED
        elif lower == b"content-length":
            fate = _LENGTH
        elif lower == b"date":
            fate = _DATE
        if len(name) <= _KNOWN_CHARS:
            if len(self) >= _KNOWN_NAMES:
                self.clear()
            self[name] = fate
        return fate


_UPSTREAM, _TO_CLIENT = _Fates(_NOT_UPSTREAM), _Fates(_HOP_BY_HOP)


class Lines(NamedTuple):
    """Header lines as they go over a connection, each with its line end."""

    text: bytes
    number: int
    states_length: bool
    """Whether `Content-Length` is one of them."""
    states_date: bool = False
    """Whether `Date` is one."""


def forwarded_request_headers(headers: RawHeaders) -> CIMultiDict[str]:
    """All headers except hop-by-hop headers and our own; keeps order and case."""
    return _decoded(_passed(headers, _UPSTREAM))


def forwarded_request_lines(headers: RawHeaders) -> Lines:
    """The same, as they go over a connection."""
    return _lines(_passed(headers, _UPSTREAM), _UPSTREAM)


def forwarded_response_headers(headers: RawHeaders) -> CIMultiDict[str]:
    """The headers for the client, with `Content-Length` and `Content-Encoding`."""
    return _decoded(_passed(headers, _TO_CLIENT))


def forwarded_response_lines(headers: RawHeaders) -> Lines:
    """The same, as they go over a connection."""
    return _lines(_passed(headers, _TO_CLIENT), _TO_CLIENT)


def lines_of(headers: CIMultiDict[str]) -> Lines:
    """Headers as they go over a connection."""
    text = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
    stated = ("Content-Length" in headers, "Date" in headers)
    return Lines(text.encode("utf-8", _AS_IS), len(headers), *stated)


def head_of(start: Sequence[str], lines: Lines, more: Sequence[str] = ()) -> bytes:
    """The head of a message, with its empty line; `start` and `more` come without line ends.

    Raises:
        ValueError: it contains a control character.
    """
    before = "\r\n".join([*start, ""]).encode("utf-8", _AS_IS)
    behind = "\r\n".join([*more, "", ""]).encode("utf-8", _AS_IS)
    head = before + lines.text + behind
    # The ends of the lines are control characters, too.
    ends = 2 * (len(start) + lines.number + len(more) + 1)
    if len(head.translate(None, _FORBIDDEN)) != len(head) - ends:
        raise ValueError("a header holds a control character")
    return head


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


def _passed(headers: RawHeaders, fates: _Fates) -> RawHeaders:
    """Those that are forwarded: none that `Connection` names, in any number of lines."""
    passed = [header for header in headers if fates[header[0]]]
    lines = [value for name, value in passed if fates[name] == _NAMES_OTHERS]
    if not lines:
        return passed
    named = {name.strip().lower() for name in b",".join(lines).split(b",")}
    return [
        (name, value)
        for name, value in passed
        if fates[name] != _NAMES_OTHERS and name.lower() not in named
    ]


def _lines(headers: RawHeaders, fates: _Fates) -> Lines:
    text = b"".join([b"%b: %b\r\n" % header for header in headers])
    told = {fates[name] for name, _ in headers}
    return Lines(text, len(headers), _LENGTH in told, _DATE in told)


def _decoded(headers: RawHeaders) -> CIMultiDict[str]:
    return CIMultiDict(
        [(name.decode("ascii", _AS_IS), value.decode("utf-8", _AS_IS)) for name, value in headers]
    )
