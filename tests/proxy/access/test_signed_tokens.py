"""Signed tokens: what is accepted, and what the log is told of the rest."""

import base64
import hashlib
import hmac
import json
import math

import pytest

from recollect.config.identity import JwtOptions
from recollect.proxy.access.jwks import keys_in
from recollect.proxy.access.principal import UnauthorizedError
from recollect.proxy.access.signed_tokens import MAX_TOKEN_CHARS, UnknownKeyError, claims_of
from tests.support.folding import rows
from tests.support.signing import JWT, Signer

OPTIONS = JwtOptions(**JWT)
SIGNER = Signer()
KEYS = keys_in(SIGNER.document)


@rows("algorithm", ["EdDSA", "ES256", "RS256"])
def test_a_token_of_the_issuer_is_accepted(algorithm):
    """With each kind of key that is configured."""
    signer = Signer("k", algorithm)
    claims = claims_of(signer.token("ada", team="x"), keys_in(signer.document), OPTIONS)
    assert (claims["sub"], claims["team"]) == ("ada", "x")


def changed(token, **claims):
    """The token with other claims, and the signature that it had."""
    head, body, signature = token.split(".")
    said = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    body = base64.urlsafe_b64encode(json.dumps({**said, **claims}).encode()).rstrip(b"=").decode()
    return f"{head}.{body}.{signature}"


def deep():
    """A header of brackets within brackets."""
    return base64.urlsafe_b64encode(b"[" * 12_000).rstrip(b"=").decode() + ".e30.e30"


def unsigned(token):
    """The token with the algorithm `none`."""
    head = base64.urlsafe_b64encode(b'{"alg":"none","kid":"one"}').rstrip(b"=").decode()
    return f"{head}.{token.split('.')[1]}."


def confused():
    """Signed with the public key as if it were a shared secret."""
    claims = {"iss": "https://issuer.test", "aud": "recollect", "exp": 4e9, "sub": "ada"}
    parts = [{"alg": "HS256", "kid": "one"}, claims]
    signed = ".".join(
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts
    )
    secret = json.dumps(SIGNER.public).encode()
    mac = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"


@rows(
    "token, reason",
    [
        (SIGNER.token(seconds=-3600), "expired"),
        (SIGNER.token(iss="https://else.test"), "foreign"),
        (SIGNER.token(aud="else"), "foreign"),
        (SIGNER.token(exp=None), "malformed: MissingRequiredClaimError"),
        (SIGNER.token(exp=math.inf), "malformed"),
        (SIGNER.token(exp="soon"), "malformed"),
        (deep(), "malformed: it is no signed token"),
        (SIGNER.token(aud=None), "malformed: MissingRequiredClaimError"),
        (SIGNER.token(nbf=4_000_000_000, exp=4_100_000_000), "not valid yet"),
        (changed(SIGNER.token(), sub="bob"), "tampered"),
        (Signer("one").token(), "tampered"),
        (unsigned(SIGNER.token()), "foreign: its algorithm"),
        (confused(), "foreign: its algorithm"),
        ("x", "malformed"),
        ("", "malformed"),
        ("a.b.c", "malformed"),
        ("\udcff.b.c", "malformed"),
        ("a" * (MAX_TOKEN_CHARS + 1), "malformed: it is too long"),
    ],
)
def test_each_failure_has_its_reason(token, reason):
    """Expired, foreign and tampered are told apart, in words without the token's text."""
    with pytest.raises(UnauthorizedError) as caught:
        claims_of(token, KEYS, OPTIONS)
    assert str(caught.value).startswith(reason)
    assert "ada" not in str(caught.value)


def test_an_unknown_key_may_be_a_new_one():
    """It is told apart, so that the keys can be read again."""
    with pytest.raises(UnknownKeyError):
        claims_of(Signer("two").token(), KEYS, OPTIONS)


def test_clocks_may_differ_a_little():
    """By half a minute and no more."""
    assert claims_of(SIGNER.token(seconds=-10), KEYS, OPTIONS)["sub"] == "ada"
    with pytest.raises(UnauthorizedError):
        claims_of(SIGNER.token(seconds=-40), KEYS, OPTIONS)
