"""Whose memories a request to `/mcp` is about."""

from __future__ import annotations

import pytest
from multidict import CIMultiDict

from recollect.config.server import IdentityOptions
from recollect.memory.model.errors import ForbiddenError, InvalidInputError, ScopeError
from recollect.memory.model.owner import Owner
from recollect.proxy.mcp.request_scope import only_reads, scope_of

TENANT = Owner("local")


def whose(headers=(), query="", *, owner=TENANT, on_loopback=True, **identity):
    found = scope_of(
        CIMultiDict(headers), query, IdentityOptions(**identity), owner, on_loopback=on_loopback
    )
    return found.ids()


def refused(*args, error=InvalidInputError, **kwargs):
    with pytest.raises(error) as caught:
        whose(*args, **kwargs)
    return str(caught.value)


def test_nobody_is_the_user_of_a_chat_without_one():
    """On loopback; elsewhere somebody has to be named, as for a chat."""
    assert whose() == {"user_id": "default"}
    assert whose(query="agent_id=a") == {"user_id": "default", "agent_id": "a"}
    assert whose(default_user="me") == {"user_id": "me"}
    assert "user_id" in refused(on_loopback=False, error=ScopeError)
    gateway = {"mode": "gateway", "hash_key": "h"}
    assert refused(**gateway, error=ScopeError)
    assert whose(**gateway, default_user_in_gateway=True) == {"user_id": "default"}


def test_the_user_of_a_credential_is_nobody_else():
    """Naming another is refused; naming none is that user."""
    ada = Owner("local", "ada")
    assert whose(owner=ada) == {"user_id": "ada"}
    assert whose(query="user_id=ada", owner=ada) == {"user_id": "ada"}
    for named in ({"x-recollect-user": "bob"},):
        refused(named, owner=ada, error=ForbiddenError)
    refused(query="user_id=bob", owner=ada, error=ForbiddenError)


def test_what_cannot_be_meant_is_refused_by_its_name():
    """A slip must not be the default user, whom everybody shares."""
    assert refused(query="user=ada").startswith("user:")
    assert refused(query="user_id=ada&user_id=bob").startswith("user_id:")
    assert refused({"x-recollect-user": "ada"}, "user_id=bob").startswith("user_id:")
    assert refused({"x-recollect-usr": "ada"}).startswith("x-recollect-usr:")
    assert refused([("x-recollect-user", "a"), ("x-recollect-user", "b")])
    assert refused({"x-recollect-user": "${USER}"})
    assert refused(query="user_id=")
    assert whose({"x-recollect-tenant": "local"}) == {"user_id": "default"}


def test_a_client_may_ask_to_read_only():
    """With the header that chats have; what reads nothing is no use of tools."""
    assert only_reads({"x-recollect-memory": "read"})
    assert not only_reads({})
    assert not only_reads({"x-recollect-memory": "on"})
    for wrong in ("off", "write", "maybe"):
        with pytest.raises(InvalidInputError, match="x-recollect-memory"):
            only_reads({"x-recollect-memory": wrong})
