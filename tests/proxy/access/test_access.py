"""One thing to ask about callers; the rules themselves: test_identity.py, test_source.py, test_auth.py."""

import json

import pytest
from multidict import CIMultiDict

from recollect.config.server import ApiOptions, IdentityOptions, ListenOptions
from recollect.proxy.access.access import QUIET_SECONDS, Access, RefusalLog
from recollect.proxy.access.auth import UnauthorizedError
from recollect.proxy.access.identity import DEBUG_HEADER
from recollect.proxy.dialects.chat import parse_chat_body
from tests.support.folding import rows

PAGE = "http://127.0.0.1:3000"
GATEWAY = {"mode": "gateway", "hash_key": "k", "tenants": {"acme": "key-a"}}
BODY = parse_chat_body(json.dumps({"messages": [{}]}).encode())


def access(identity=None, **listen):
    return Access(IdentityOptions(**(identity or {})), ListenOptions(**listen))


@rows(
    "option, on_loopback, answered",
    [
        (None, True, True),
        (None, False, False),
        (True, True, True),
        (True, False, True),
        (False, True, False),
        (False, False, False),
    ],
)
def test_who_is_answered(option, on_loopback, answered):
    """By default whoever is on this machine; elsewhere who is configured to be."""
    host = "127.0.0.1" if on_loopback else "0.0.0.0"
    answers = access(host=host, debug_header=option)
    assert answers.on_loopback is on_loopback
    assert answers.explains({DEBUG_HEADER: "explain"}) is answered


@rows(
    "headers, asks",
    [
        ({}, False),
        ({DEBUG_HEADER: ""}, False),
        ({DEBUG_HEADER: "1"}, False),
        ({DEBUG_HEADER: "explained"}, False),
        ({DEBUG_HEADER: " Explain "}, True),
    ],
)
def test_what_asks(headers, asks):
    """One word; every other value asks for nothing."""
    assert access().explains(CIMultiDict(headers)) is asks


@pytest.mark.parametrize(
    ("host", "reason"), [("127.0.0.1", None), ("::1", None), ("0.0.0.0", "untrusted_caller")]
)
def test_where_it_listens_decides_who_is_believed(host, reason):
    """On loopback a caller is the owner of the machine; elsewhere anybody."""
    caller = access(host=host).caller(CIMultiDict(), BODY, [])
    assert (caller.reason or None) == reason
    if reason is None:
        assert access(host=host).grant(CIMultiDict(), ApiOptions()).owner.tenant == "local"
    else:
        with pytest.raises(UnauthorizedError):
            access(host=host).grant(CIMultiDict(), ApiOptions())


def test_a_gateway_tells_tenants_apart():
    """By the configured table, for chats as for the memory API."""
    rules = access(GATEWAY, host="0.0.0.0")
    headers = CIMultiDict({"Authorization": "Bearer key-a", "x-recollect-user": "alice"})
    assert rules.caller(headers, BODY, []).scope.tenant == "acme"
    assert rules.grant(headers, ApiOptions(token="t")).owner.tenant == "acme"
    assert rules.many_tenants
    assert not access().many_tenants


def test_pages_are_judged_by_the_same_options():
    """A listed origin is no foreign one, may read the answer, and may ask first."""
    rules = access(allowed_origins=(PAGE,))
    asks, evil = (
        CIMultiDict(Host="localhost", Origin=origin) for origin in (PAGE, "http://evil.test")
    )
    for headers in (asks, evil):
        headers["Access-Control-Request-Method"] = "GET"
    assert rules.foreign(asks) is None
    assert rules.foreign(evil) == "foreign_origin"
    assert rules.cors(asks)["Access-Control-Allow-Origin"] == PAGE
    assert rules.cors(evil) == {"Vary": "Origin"}
    assert rules.preflight(asks, ("GET",))["Access-Control-Allow-Methods"] == "GET"
    assert rules.preflight(evil, ("GET",)) is None


def test_the_log_is_told_once_of_a_name_that_is_not_listed(caplog):
    """Off loopback it may be a public name of the server; the line does not repeat the name."""
    evil = CIMultiDict({"Host": "evil.test"})
    for host, lines in (("127.0.0.1", 0), ("0.0.0.0", 1)):
        access = Access(IdentityOptions(), ListenOptions(host=host))
        assert [access.foreign(evil) for _ in range(3)] == ["foreign_host"] * 3
        assert len(caplog.records) == lines
    assert "listen.allowed_hosts" in caplog.text
    assert "evil" not in caplog.text


def test_many_refusals_are_a_line_each_second(caplog):
    """The next line says how many it did not tell."""
    now = 0.0
    refusals = RefusalLog(lambda: now)
    for _ in range(100):
        refusals.note("refused", ValueError("expired"))
    now += QUIET_SECONDS
    refusals.note("refused", ValueError("tampered"))
    assert caplog.messages == [
        "refused: expired",
        "refused: tampered (99 more were refused before it)",
    ]
