"""Reads the credentials that a request presents. Pure.

A client may send several, and which of them the model server judges nobody here knows: a revoked
one in `Authorization` may go along with a valid one in `api-key`. So a request stands for all that
it presents, and for one of them only if it presents nothing else. One value at several places is
one credential: clients send their key as `Authorization` and as `api-key` at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

AUTHORIZATION = "authorization"
_SCHEMES = frozenset({"bearer", "token"})
_HEADER_ENDS = ("authorization", "-auth", "api-key", "apikey", "subscription-key")
"""How the names of headers end in which model servers and gateways take keys: `api-key` (Azure),
`x-api-key` (Anthropic), `x-goog-api-key`, `x-litellm-api-key`, `ocp-apim-subscription-key`,
`helicone-auth`, `cf-aig-authorization`."""
_QUERY_ENDS = ("key", "token", "auth", "authorization", "secret", "code")
_NOT_JUDGED = frozenset({"proxy-authorization"})
"""Never sent upstream."""


@dataclass(frozen=True, slots=True)
class Presented:
    """The credentials of one request, in the order of their places."""

    found: tuple[tuple[str, str], ...]
    """Place and value: the lower-case name of the header, or `?` and the name in the query."""

    @property
    def values(self) -> tuple[str, ...]:
        """The different credentials."""
        return tuple(dict.fromkeys(value for _, value in self.found))

    @property
    def only(self) -> str | None:
        """The credential, if it is one and the same at every place."""
        return self.found[0][1] if len(self.values) == 1 else None


def presented_in(
    headers: Mapping[str, str], query: str = "", also: Sequence[str] = ()
) -> Presented | None:
    """All credentials of a request; None if it has none.

    `query` is the raw query string, `also` are further names of headers. An `Authorization` of
    another scheme (`Basic`) or of none counts beside others only: alone it names nobody.
    """
    further = frozenset(map(_spelt, also))
    found: list[tuple[str, str]] = []
    names_somebody = False
    for name, value in _places(headers, query, further):
        bare = _without_scheme(value) if name == AUTHORIZATION else value
        names_somebody |= bare is not None and bool(bare)
        # A known scheme without a token is an empty credential.
        if whole := value if bare is None else bare:
            found.append((name, whole))
    return Presented(tuple(sorted(found, key=_place))) if names_somebody else None


def token_in(headers: Mapping[str, str]) -> str | None:
    """The token for this server itself: `Authorization` (Bearer or Token), or `X-API-Key`.

    Whoever checks it decides by it alone, so what else is presented changes nothing.
    """
    return _without_scheme(headers.get("Authorization", "")) or headers.get("X-API-Key") or None


def key_in(headers: Mapping[str, str]) -> str | None:
    """The key that calls the model server for this client later, without its request."""
    return token_in(headers) or headers.get("api-key") or None


def _places(
    headers: Mapping[str, str], query: str, further: frozenset[str]
) -> Iterator[tuple[str, str]]:
    for name, value in headers.items():
        spelt = _spelt(name)
        if (spelt.endswith(_HEADER_ENDS) and spelt not in _NOT_JUDGED) or spelt in further:
            yield spelt, value
    if query:
        # Some servers split at semicolons, too.
        for name, value in parse_qsl(query.replace(";", "&"), errors="surrogateescape"):
            if name.lower().endswith(_QUERY_ENDS):
                yield f"?{name.lower()}", value


def _spelt(name: str) -> str:
    """A header's name as servers compare it that cannot tell `_` from `-`."""
    return name.lower().replace("_", "-")


def _without_scheme(authorization: str) -> str | None:
    """The token of a scheme that carries one; None for any other value."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() in _SCHEMES else None


def _place(found: tuple[str, str]) -> tuple[bool, str]:
    """`Authorization` first, then by name: clients differ in the order of headers."""
    return (found[0] != AUTHORIZATION, found[0])
