"""The token that confirms a proposal: bound to what was shown, and to whom."""

import base64
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.forget.proposal import read_token, token_for
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import Scope
from tests.memory.forget.parts import ALICE, KEY, NOON, memory

UNTIL = NOON + timedelta(minutes=5)
ITEMS = [memory("m", "Rome"), memory("n", "tea")]
TOKEN = token_for(KEY, ALICE, ITEMS, UNTIL)
NAMES = st.text(min_size=1, max_size=8).filter(lambda s: s.isprintable() and s.strip())


def test_it_names_what_was_shown():
    """The ids, in their order, and no text."""
    assert list(read_token(KEY, ALICE, TOKEN, now=NOON)) == ["m", "n"]
    assert b"Rome" not in base64.urlsafe_b64decode(TOKEN.partition(".")[0])


def test_it_ends():
    """To the millisecond."""
    assert read_token(KEY, ALICE, TOKEN, now=UNTIL)
    with pytest.raises(InvalidInputError, match="expired"):
        read_token(KEY, ALICE, TOKEN, now=UNTIL + timedelta(milliseconds=1))


def test_another_key_made_it():
    """A process with another key does not know it."""
    with pytest.raises(InvalidInputError, match="token"):
        read_token(b"other", ALICE, TOKEN, now=NOON)


@given(NAMES, NAMES, st.none() | NAMES)
def test_no_other_scope(tenant, user, agent):
    """Whatever the names are made of, only the very scope confirms."""
    scope = Scope(tenant=tenant, user_id=user, agent_id=agent)
    token = token_for(KEY, scope, ITEMS, UNTIL)
    assert read_token(KEY, scope, token, now=NOON)
    for other in (
        replace(scope, tenant=f"{tenant}2"),
        replace(scope, user_id=f"{user}2"),
        replace(scope, run_id="r"),
        Scope(tenant=tenant, agent_id=user),
    ):
        with pytest.raises(InvalidInputError):
            read_token(KEY, other, token, now=NOON)


@given(st.text(max_size=60) | st.integers(0, len(TOKEN) - 1))
def test_what_was_not_made_here_is_refused(garbage):
    """Any text, and the token with any one character changed."""
    if isinstance(garbage, int):
        other = "A" if TOKEN[garbage] != "A" else "B"
        garbage = TOKEN[:garbage] + other + TOKEN[garbage + 1 :]
    with pytest.raises(InvalidInputError, match="token"):
        read_token(KEY, ALICE, garbage, now=NOON)


def test_ids_cannot_be_added():
    """The list is signed."""
    payload, _, signature = TOKEN.partition(".")
    told = json.loads(base64.urlsafe_b64decode(payload))
    told["ids"]["x"] = "0" * 32
    forged = base64.urlsafe_b64encode(json.dumps(told).encode()).decode()
    with pytest.raises(InvalidInputError, match="token"):
        read_token(KEY, ALICE, f"{forged}.{signature}", now=NOON)
