"""One thing to ask about callers; the rules themselves: test_identity.py, test_source.py, test_auth.py."""

import json

from multidict import CIMultiDict

from recollect.config.server import IdentityOptions, ListenOptions
from recollect.proxy.access.access import QUIET_SECONDS, Access, RefusalLog
from recollect.proxy.dialects.chat import parse_chat_body

PAGE = "http://127.0.0.1:3000"
GATEWAY = {"mode": "gateway", "hash_key": "k", "tenants": {"acme": "key-a"}}
BODY = parse_chat_body(json.dumps({"messages": [{}]}).encode())


def access(identity=None, **listen):
    return Access(IdentityOptions(**(identity or {})), ListenOptions(**listen))


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


def test_what_is_remembered_of_a_source_is_judged_as_the_first_time():
    """A header that is missing is none that is empty, and what a client makes up is not kept."""
    rules = access()
    told = [
        {"Host": "localhost"},
        {"Host": "localhost", "Origin": ""},
        {"Host": "localhost", "Origin": "http://localhost"},
        {"Host": "localhost", "Origin": "http://evil.test"},
        {"Host": "localhost", "Sec-Fetch-Site": "cross-site"},
        {"Host": "evil.test"},
        {},
    ]
    fresh = [access().foreign(CIMultiDict(each)) for each in told]
    for _ in range(2):
        assert [rules.foreign(CIMultiDict(each)) for each in reversed(told)] == fresh[::-1]
    assert fresh[:2] == [None, "foreign_origin"]
    for number in range(1000):
        for host in (f"{number}.test", "a" * 1000 + str(number)):
            assert rules.foreign(CIMultiDict({"Host": host})) == "foreign_host"
    assert len(rules._sources) <= 256
