"""Selects the headers that are forwarded, in both directions (RFC 9110 §7.6.1). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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

_CODINGS, _DROPPED, _PASSES, _LENGTH, _DATE, _NAMES_OTHERS = range(-1, 5)
"""What becomes of a header; the first two do not pass."""
_FORBIDDEN = bytes([*range(9), *range(10, 32), 127])
"""Control characters except the tab; RFC 9110 §5.5."""
_CHUNKED = b"Transfer-Encoding: chunked\r\n"
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
        elif lower == b"transfer-encoding":
            fate = _CODINGS
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


@dataclass(slots=True)
class HeaderLines:
    """Header lines as they go over a connection, each with its line end."""

    text: bytes
    number: int
    states_length: bool
    """Whether `Content-Length` is one of them."""
    states_date: bool = False
    """Whether `Date` is one."""

    def head(self, start: bytes, more: bytes = b"") -> bytes:
        """The head of a message with these lines between others, and its empty line.

        Raises:
            ValueError: one of these lines has a control character.
        """
        if not has_lines(self.text, self.number):
            raise ValueError("a header holds a control character")
        return b"".join([start, self.text, more, b"\r\n"])


def has_lines(text: bytes, number: int) -> bool:
    """Whether a text is so many lines without a control character."""
    # The ends of the lines are such characters, too.
    return len(text.translate(None, _FORBIDDEN)) == len(text) - 2 * number


def forwarded_request_headers(headers: RawHeaders) -> CIMultiDict[str]:
    """All headers except hop-by-hop headers and our own; keeps order and case."""
    return _decoded(_passed(headers, _UPSTREAM))


def forwarded_request_lines(headers: RawHeaders) -> HeaderLines:
    """The same, as they go over a connection."""
    return _lines(headers, _UPSTREAM)


def forwarded_response_headers(headers: RawHeaders) -> CIMultiDict[str]:
    """The headers for the client, with `Content-Length` and `Content-Encoding`."""
    return _decoded(_passed(headers, _TO_CLIENT))


def forwarded_response_lines(headers: RawHeaders) -> HeaderLines:
    """The same, as they go over a connection."""
    return _lines(headers, _TO_CLIENT)


def lines_of(headers: CIMultiDict[str]) -> HeaderLines:
    """Headers as they go over a connection."""
    text = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
    stated = ("Content-Length" in headers, "Date" in headers)
    return HeaderLines(text.encode("utf-8", _AS_IS), len(headers), *stated)


def transfer_codings(headers: RawHeaders) -> str:
    """The transfer codings of a body besides `chunked`.

    The proxy does not decode them, so it must forward their names (RFC 9112 §7). Names that are not
    registered are left out: a name that only resembles `chunked` must not be forwarded.
    """
    lines = [value for name, value in headers if _UPSTREAM[name] == _CODINGS]
    if not lines or lines == [b"chunked"]:
        return ""
    codings = [coding.strip() for coding in b",".join(lines).decode("latin-1").split(",")]
    return ", ".join(each for each in codings if each.lower() in _TRANSFER_CODINGS)


def transfer_line(codings: str) -> bytes:
    """The header line of a body in chunks with these other codings."""
    return f"Transfer-Encoding: {codings}, chunked\r\n".encode() if codings else _CHUNKED


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
    lines = [value for name, value in headers if fates[name] == _NAMES_OTHERS]
    named = {name.strip().lower() for name in b",".join(lines).split(b",")} if lines else set()
    return [
        (name, value)
        for name, value in headers
        if _DROPPED < fates[name] < _NAMES_OTHERS and name.lower() not in named
    ]


def _lines(headers: RawHeaders, fates: _Fates) -> HeaderLines:
    told = {fates[name] for name, _ in headers}
    if _NAMES_OTHERS in told:
        headers = _passed(headers, fates)
        told = {fates[name] for name, _ in headers}
    lines = [b"%b: %b\r\n" % header for header in headers if fates[header[0]] > _DROPPED]
    return HeaderLines(b"".join(lines), len(lines), _LENGTH in told, _DATE in told)


def _decoded(headers: RawHeaders) -> CIMultiDict[str]:
    return CIMultiDict(
        [(name.decode("ascii", _AS_IS), value.decode("utf-8", _AS_IS)) for name, value in headers]
    )
