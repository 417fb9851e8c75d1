"""Shares of a tenant and of a user."""

from contextlib import ExitStack

import pytest

from recollect.proxy.api.shares import Ceiling, Claimant, Shares, ShareTakenError
from tests.support.folding import rows

ALICE, BOB, OPERATOR = Claimant("t", "alice"), Claimant("t", "bob"), Claimant("t")


def shares(total=9, per_tenant=4, per_user=2):
    return Shares("streams", Ceiling(total, per_tenant, per_user))


@rows(
    "before, asks, told",
    [
        ([ALICE] * 2, ALICE, "a user may have 2 streams"),
        ([ALICE] * 2 + [BOB] * 2, OPERATOR, "a tenant may have 4 streams"),
        ([OPERATOR] * 4, ALICE, "a tenant may have 4 streams"),
        ([Claimant(f"t{n}") for n in range(9)], ALICE, "this server has at most 9 streams"),
    ],
)
def test_no_more_than_a_share(before, asks, told):
    """Of a user, of a tenant, of all; whoever has room is served, and an end makes room."""
    known = shares()
    with ExitStack() as stack:
        held = [stack.enter_context(known.taken(one)) for one in before]
        with pytest.raises(ShareTakenError, match=told), known.taken(asks):
            pass
        assert known.used == len(held)
    with known.taken(asks):
        assert known.used == 1


def test_sizes_are_counted():
    """What is larger than a share is given when nothing else is in use, so that it can be had."""
    known = shares(total=100, per_tenant=50, per_user=20)
    with known.taken(ALICE, 1000):
        assert known.used == 1000
        with pytest.raises(ShareTakenError), known.taken(ALICE, 1):
            pass
    with known.taken(ALICE, 15), known.taken(ALICE, 5):
        assert known.used == 20
    assert known.used == 0
