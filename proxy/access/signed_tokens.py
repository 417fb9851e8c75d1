"""Verifies signed tokens (JWT, RFC 7519) with public keys. Pure but for the clock of the check.

PyJWT checks signatures and claims. This module decides which keys and algorithms count, and gives
each failure a reason for the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from recollect.config.identity import JwtOptions

from .principal import UnauthorizedError

if TYPE_CHECKING:
    from jwt import PyJWK

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
"""Accepted signatures: of public keys. Shared secrets (HS256) and unsigned tokens never are."""
LEEWAY_SECONDS = 30.0
"""How far clocks may differ: machines that keep time by NTP are within a second."""
MAX_TOKEN_CHARS = 16_384
"""Longer ones are refused unread; servers accept headers of 8 to 16 KB."""


class UnknownKeyError(UnauthorizedError):
    """No key has the id that the token names: perhaps the keys changed."""


def claims_of(token: str, keys: Mapping[str, PyJWK], options: JwtOptions) -> dict[str, Any]:
    """The claims of a valid token; `keys` are by their id.

    Raises:
        UnknownKeyError: none of the keys is meant.
        UnauthorizedError: it is expired, foreign, tampered with, or no such token.
    """
    import jwt

    if len(token) > MAX_TOKEN_CHARS:
        raise UnauthorizedError("malformed: it is too long")
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, RecursionError):
        raise UnauthorizedError("malformed: it is no signed token") from None
    key = _key(header, keys)
    if header.get("alg") not in ALGORITHMS:
        raise UnauthorizedError(f"foreign: its algorithm is none of {', '.join(ALGORITHMS)}")
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=list(ALGORITHMS),
            audience=list(options.audience),
            issuer=options.issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": ["exp", "iss", "aud"]},
        )
    except jwt.ExpiredSignatureError:
        raise UnauthorizedError("expired") from None
    except (jwt.InvalidIssuerError, jwt.InvalidAudienceError):
        raise UnauthorizedError("foreign: its issuer or audience is another") from None
    except jwt.InvalidSignatureError:
        raise UnauthorizedError("tampered: its signature does not fit") from None
    except jwt.ImmatureSignatureError:
        raise UnauthorizedError("not valid yet") from None
    except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise UnauthorizedError(f"malformed: {type(error).__name__}") from None
    return claims


def _key(header: Mapping[str, Any], keys: Mapping[str, PyJWK]) -> PyJWK:
    named = header.get("kid")
    if named is None and len(keys) == 1:
        return next(iter(keys.values()))
    found = keys.get(named) if isinstance(named, str) else None
    if found is None:
        raise UnknownKeyError("foreign: no known key has the id that it names")
    return found
