"""Who a signed token or a server in front says that it is."""

import pytest
from multidict import CIMultiDict

from recollect.config.identity import HeaderOptions, JwtOptions
from recollect.proxy.access.principal import (
    SECRET_HEADER,
    Principal,
    UnauthorizedError,
    of_claims,
    of_headers,
    project_tenant,
)
from recollect.proxy.access.rights import Right
from tests.support.folding import rows


def claimed(claims, **options):
    return of_claims(claims, JwtOptions(**options), "home")


def test_a_token_names_user_tenant_and_project():
    """By the claims that are configured; otherwise the tenant is the configured one."""
    assert claimed({"sub": "ada"}) == Principal("home", "ada", Right.WRITE)
    assert claimed({"email": "a@b"}, user_claim="email").user_id == "a@b"
    named = claimed(
        {"sub": "ada", "org": "acme/x", "p": "y"}, tenant_claim="org", project_claim="p"
    )
    assert named == Principal("acme%2Fx/y", "ada", Right.WRITE)


@rows(
    "claims, options",
    [
        ({}, {}),
        ({"sub": ""}, {}),
        ({"sub": 7}, {}),
        ({"sub": ["ada"]}, {}),
        ({"sub": "ada"}, {"tenant_claim": "org"}),
        ({"sub": "ada", "org": None}, {"tenant_claim": "org"}),
        ({"sub": "ada"}, {"project_claim": "p"}),
        ({"r": "write"}, {"rights_claim": "r"}),
    ],
)
def test_a_missing_claim_is_nobody(claims, options):
    """It is never filled in from elsewhere; the reason names the claim."""
    with pytest.raises(UnauthorizedError, match="claim"):
        claimed(claims, **options)


@rows(
    "said, right",
    [
        ("read", Right.READ),
        ("openid recollect:write email", Right.WRITE),
        (["x", "recollect:admin", "read"], Right.ADMIN),
        ("", Right.NONE),
        ("none", Right.NONE),
        ("administrator", Right.NONE),
        (None, Right.NONE),
        ({"admin": True}, Right.NONE),
        ([{"admin": 1}], Right.NONE),
    ],
)
def test_rights_are_named_in_words(said, right):
    """The highest counts, and what is not understood is no right."""
    assert claimed({"sub": "ada", "r": said}, rights_claim="r").right is right


def in_front(headers, peer="127.0.0.1", **options):
    return of_headers(CIMultiDict(headers), peer, HeaderOptions(**options), "home")


def test_a_server_in_front_names_the_user():
    """From loopback by default, or from the networks that are configured."""
    ada = Principal("home", "ada", Right.WRITE)
    assert in_front([("X-Forwarded-User", "ada")]) == ada
    assert in_front([("X-Forwarded-User", "ada")], "::1") == ada
    assert in_front([("X-Forwarded-User", "ada")], "::ffff:127.0.0.1") == ada
    assert in_front([("X-Forwarded-User", "ada")], "10.2.3.4", peers=["10.0.0.0/8"]) == ada
    many = [("u", "ada"), ("t", "acme"), ("p", "x")]
    options = {"user_header": "u", "tenant_header": "t", "project_header": "p"}
    assert in_front(many, **options) == Principal("acme/x", "ada", Right.WRITE)


@rows(
    "headers, peer, options",
    [
        ([("X-Forwarded-User", "ada")], "10.2.3.4", {}),
        ([("X-Forwarded-User", "ada")], None, {}),
        ([("X-Forwarded-User", "ada")], "localhost", {}),
        ([], "127.0.0.1", {}),
        ([("X-Forwarded-User", " ")], "127.0.0.1", {}),
        ([("X-Forwarded-User", "ada"), ("x-forwarded-user", "bob")], "127.0.0.1", {}),
        ([("X-Forwarded-User", "ada")], "127.0.0.1", {"tenant_header": "t"}),
        ([("X-Forwarded-User", "ada")], "127.0.0.1", {"secret": "s"}),
        ([("X-Forwarded-User", "ada"), (SECRET_HEADER, "S")], "127.0.0.1", {"secret": "s"}),
        ([("X-Forwarded-User", "ada"), (SECRET_HEADER, "\udcff")], "127.0.0.1", {"secret": "s"}),
    ],
)
def test_whoever_else_sends_such_a_header_is_nobody(headers, peer, options):
    """A stranger, a second header, or a missing proof."""
    with pytest.raises(UnauthorizedError):
        in_front(headers, peer, **options)


def test_projects_cannot_be_forged():
    """No two pairs of names give the same tenant."""
    pairs = [("a", "b"), ("a/b", "c"), ("a", "b/c"), ("a%2Fb", "c"), ("", "a/b"), ("a/", "b")]
    assert len({project_tenant(*pair) for pair in pairs}) == len(pairs)
