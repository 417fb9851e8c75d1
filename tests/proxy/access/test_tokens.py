"""Admin tokens."""

from datetime import UTC, datetime, timedelta

import pytest

from recollect.proxy.access.rights import Right
from recollect.proxy.access.tokens import (
    BadTokenError,
    as_json,
    check,
    ended,
    from_json,
    hash_of,
    make,
)
from tests.support.folding import rows

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TOKEN, TEXT = make("ops", Right.WRITE, ["acme"], now=NOW, days=90)
KNOWN = {TOKEN.id: TOKEN}


def test_a_token_opens_what_it_was_made_for():
    """Its text is found by its id; nothing that is kept tells the text."""
    assert check(TEXT, KNOWN, NOW) == TOKEN
    assert TEXT not in str(as_json(TOKEN))
    assert as_json(TOKEN)["hash"] == hash_of(TEXT)


@rows(
    "text, when, reason",
    [
        (TEXT[:-1], NOW, "complete"),
        (TEXT + "x", NOW, "complete"),
        ("rct_", NOW, "complete"),
        (TEXT[:-1] + ("A" if TEXT[-1] != "A" else "B"), NOW, "secret .*'ops'.* wrong"),
        (make("b", Right.ADMIN, ["*"], now=NOW)[1], NOW, "no admin token has the id"),
        (TEXT, NOW + timedelta(days=91), "'ops' is expired"),
    ],
)
def test_foreign_tampered_and_expired_are_told_apart(text, when, reason):
    """In words for the log, which have no part of the secret."""
    with pytest.raises(BadTokenError, match=reason) as caught:
        check(text, KNOWN, when)
    assert TEXT[17:] not in str(caught.value)


def test_a_revoked_token_ends_at_once():
    """Whatever else it has."""
    revoked = from_json(as_json(TOKEN) | {"revoked_at": NOW.isoformat()})
    with pytest.raises(BadTokenError, match="revoked"):
        check(TEXT, {TOKEN.id: revoked}, NOW)


def test_the_old_token_of_a_rotation_ends_later_but_never_later_than_before():
    """Programs have time to change over."""
    assert ended(TOKEN, NOW + timedelta(hours=1)).expires_at == NOW + timedelta(hours=1)
    assert ended(TOKEN, NOW + timedelta(days=900)).expires_at == TOKEN.expires_at


@rows(
    "tenants, named, may",
    [
        (["acme"], "acme", True),
        (["acme"], "acme/x", False),
        (["acme"], "Acme", False),
        (["acme/*"], "acme/x", True),
        (["acme/*"], "acme", False),
        (["acme/*"], "acmex/y", False),
        (["*"], "key:0123", True),
        (["a", "b"], "b", True),
    ],
)
def test_which_tenants_it_is_for(tenants, named, may):
    """By whole names; a star stands for all projects of one, or for all."""
    token, _ = make("a", Right.READ, tenants, now=NOW)
    assert token.may_name(named) is may


@rows(
    "field, value",
    [
        ("hash", "x"),
        ("hash", None),
        ("right", "owner"),
        ("right", "none"),
        ("tenants", "acme"),
        ("tenants", [1]),
        ("id", ""),
        ("name", None),
        ("created_at", None),
        ("created_at", "yesterday"),
        ("expires_at", "2026-01-01T00:00:00"),
    ],
)
def test_a_wrong_field_is_named(field, value):
    """A file that somebody edited must not open more than they meant."""
    with pytest.raises(ValueError, match=field):
        from_json(as_json(TOKEN) | {field: value})
