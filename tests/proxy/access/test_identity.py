"""Whose request it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict

from recollect.config.server import IdentityOptions
from recollect.memory.model.scope import MAX_SCOPE_CHARS
from recollect.proxy.access.identity import (
    Use,
    hashed_tenant,
    resolve_caller,
    tenant_of,
)
from recollect.proxy.access.principal import Principal
from recollect.proxy.access.rights import Right
from recollect.proxy.dialects.chat import parse_chat_body
from tests.support.folding import rows

GATEWAY = {"mode": "gateway", "hash_key": "the hash key"}


def resolve(headers=(), body=(), *, on_loopback=True, principal=None, **options):
    parsed = parse_chat_body(json.dumps({"messages": [{}], **dict(body)}).encode())
    return resolve_caller(
        CIMultiDict(headers),
        parsed,
        parsed.messages,
        IdentityOptions(**options),
        on_loopback=on_loopback,
        principal=principal,
    )


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@rows("headers", [{}, {"x-recollect-user": "alice"}, bearer("k")])
def test_off_loopback_nobody_is_taken_at_their_word(headers):
    """In personal mode naming a user would be enough to read what is remembered of them."""
    caller = resolve(headers, {"user": "alice"}, on_loopback=False)
    assert (caller.scope, caller.reason) == (None, "untrusted_caller")


def test_an_operator_may_trust_every_caller():
    """In so many words; whoever names nobody is still nobody."""
    options = {"on_loopback": False, "trust_callers": True}
    assert resolve({"x-recollect-user": "alice"}, **options).scope.user_id == "alice"
    caller = resolve(**options)
    assert (caller.scope, caller.reason) == (None, "no_user")


def test_a_gateway_may_have_a_default_user_for_each_credential():
    """A request that names none is its own credential's `default`, and nobody else's."""
    options = GATEWAY | {"default_user_in_gateway": True, "on_loopback": False}
    one, two = (resolve(bearer(key), **options).scope for key in ("k1", "k2"))
    assert (one.user_id, two.user_id) == ("default", "default")
    assert one.tenant != two.tenant
    assert resolve(**options).reason == "no_credential"


@rows(
    "options, headers",
    [
        ({"on_loopback": False, "trust_callers": True}, {}),
        (GATEWAY, bearer("k")),
        (GATEWAY | {"on_loopback": True}, bearer("k")),
    ],
)
def test_nobody_else_has_one(options, headers):
    """Off loopback, and in gateway mode anywhere, a request without a user has no memory."""
    caller = resolve(headers, **options)
    assert (caller.scope, caller.reason) == (None, "no_user")


@rows(
    "body, user",
    [
        ({"safety_identifier": "s", "user": "u", "metadata": {"user_id": "m"}}, "s"),
        ({"user": "u", "metadata": {"user_id": "m"}}, "u"),
        ({"metadata": {"user_id": "m"}}, "m"),
        ({"safety_identifier": None, "user": None, "metadata": {"user_id": None}}, "default"),
        ({"metadata": "x"}, "default"),
        ({"metadata": []}, "default"),
    ],
)
def test_the_body_names_the_user_in_this_order(body, user):
    """`safety_identifier`, then `user`, then `metadata.user_id`; null is no name."""
    assert resolve(body=body).scope.user_id == user


@rows("options", [{}, {"default_user_in_gateway": True, **GATEWAY}])
@rows("others", [{}, {"safety_identifier": "ada"}, {"user": "ada"}])
@rows("field", ["safety_identifier", "user", "metadata"])
@rows(
    "value",
    [
        123,
        456,
        0,
        1.5,
        True,
        False,
        ["ada"],
        [],
        {"id": "ada"},
        {},
        "",
        "  ",
        "{{USER}}",
        "${USER}",
    ],
)
def test_what_is_no_name_is_nobody(value, field, others, options):
    """Never the default user, whom everybody shares, and not whoever another field names."""
    body = others | ({"metadata": {"user_id": value}} if field == "metadata" else {field: value})
    caller = resolve(bearer("k"), body, **options)
    assert (caller.scope, caller.reason) == (None, "bad_identity")
    named = resolve(bearer("k") | {"x-recollect-user": "eva"}, body, **options)
    assert named.scope.user_id == "eva"
    untrusted = resolve(bearer("k"), body, trust_body=False, **options)
    assert untrusted.scope.user_id == "default"


@rows("header", ["x-recollect-user", "x-one", "x-openwebui-user-id"])
@rows("value", ["", "  ", "{{LIBRECHAT_USER_ID}}"])
def test_a_header_without_a_name_is_nobody(header, value):
    """Neither the default user nor the one of the body or of a later header."""
    options = {"user_headers": ("x-one", "x-two"), "preset": "openwebui"}
    caller = resolve({header: value}, {"user": "body"}, **options)
    assert (caller.scope, caller.reason) == (None, "bad_identity")
    assert resolve({"x-unknown": value}, {"user": "body"}, **options).scope.user_id == "body"


def test_a_header_with_two_names_is_nobody():
    """Of two, a server in front may have written the other one."""
    twice = [("x-recollect-user", "ada"), ("x-recollect-user", "eva")]
    assert resolve(twice).reason == "bad_identity"
    assert resolve([twice[0], twice[0]]).scope.user_id == "ada"


def test_headers_come_before_the_body():
    """Ours first, then the configured ones in their order, then the body."""
    body = {"user": "body"}
    options = {"user_headers": ("x-one", "x-two")}
    both = {"x-two": "two", "X-One": "one"}
    assert resolve({"X-Recollect-User": "ours", **both}, body, **options).scope.user_id == "ours"
    assert resolve(both, body, **options).scope.user_id == "one"
    assert resolve(both, body).scope.user_id == "body"


@rows(
    "headers, body, session",
    [
        (
            {"x-recollect-session": "ours", "x-chat": "theirs"},
            {"metadata": {"conversation_id": "c"}},
            "ours",
        ),
        ({"x-chat": "theirs"}, {"metadata": {"conversation_id": "c"}}, "theirs"),
        (
            {},
            {"metadata": {"conversation_id": "c", "session_id": "s"}, "prompt_cache_key": "k"},
            "c",
        ),
        ({}, {"metadata": {"session_id": "s"}, "prompt_cache_key": "k"}, "s"),
        ({}, {"prompt_cache_key": "k"}, "k"),
        ({}, {"prompt_cache_key": 5}, None),
        ({}, {"metadata": {"conversation_id": 5, "session_id": ["s"]}}, None),
        ({"x-chat": "{{LIBRECHAT_BODY_CONVERSATIONID}}"}, {"prompt_cache_key": "k"}, "k"),
    ],
)
def test_the_session(headers, body, session):
    """Headers first, then what the API offers for it, else nothing."""
    assert resolve(headers, body, session_headers=("x-chat",)).session == session


@rows(
    "value, use, reads, writes",
    [
        (None, Use.ON, True, True),
        ("on", Use.ON, True, True),
        (" READ ", Use.READ, True, False),
        ("Write", Use.WRITE, False, True),
        ("off", Use.OFF, False, False),
    ],
)
def test_what_a_client_allows(value, use, reads, writes):
    """The memory header in any case; not there means on."""
    caller = resolve({} if value is None else {"x-recollect-memory": value})
    assert (caller.use, caller.use.reads, caller.use.writes) == (use, reads, writes)
    assert (caller.scope is None) is (use is Use.OFF)


@rows("name", ["x-recollect-usr", "X-Recollect-User-Id", "x-recollect-memry", "x-recollect-"])
def test_a_header_that_is_nearly_ours_turns_memory_off(name):
    """It would be the default user's memory, or would be learned although it said "off"."""
    caller = resolve({name: "off"})
    assert (caller.scope, caller.use, caller.reason) == (None, Use.OFF, "unknown_header")


@rows("value", ["yes", "on, off", "0", "\u00f6n"])
def test_an_unknown_wish_turns_memory_off(value):
    """Whoever says something nobody understands may have meant "off"."""
    caller = resolve({"x-recollect-memory": value})
    assert (caller.scope, caller.use, caller.reason) == (None, Use.OFF, "bad_memory_header")


@rows(
    "header, value",
    [
        ("x-recollect-user", " "),
        ("x-recollect-user", "a" * (MAX_SCOPE_CHARS + 1)),
        ("x-recollect-user", "a\x00b"),
        ("x-recollect-user", "a\udcff"),
        ("x-recollect-agent", ""),
        ("x-recollect-agent", "\t"),
        ("x-recollect-agent", "b" * (MAX_SCOPE_CHARS + 1)),
    ],
)
def test_malformed_names_mean_no_memory(header, value):
    """A name that cannot be kept as it is gets no memory, and is not shortened to another's."""
    caller = resolve({header: value})
    assert (caller.scope, caller.reason) == (None, "bad_identity")


@rows(
    "body",
    [
        {"tenant": "acme"},
        {"metadata": {"tenant": "acme", "tenant_id": "acme"}},
        {"user": "acme/alice", "safety_identifier": "acme"},
        {"organization": "acme", "project": "acme"},
    ],
)
def test_the_tenant_never_comes_from_the_body(body):
    """Nothing a body says changes the tenant, and there is no header for it."""
    options = GATEWAY | {"tenants": {"acme": "key-a"}}
    headers = bearer("other") | {"x-recollect-user": "alice"}
    expected = hashed_tenant("other", "the hash key")
    assert resolve(headers, body, **options).scope.tenant == expected
    assert resolve(headers | {"x-recollect-tenant": "acme"}, body, **options).scope is None


@given(st.text(min_size=8), st.text(min_size=1))
def test_a_hashed_tenant_does_not_hold_its_credential(credential, key):
    """What is stored reveals neither the credential nor the hash key, and fits a scope."""
    tenant = hashed_tenant(credential, key)
    assert credential not in tenant
    assert len(tenant) <= MAX_SCOPE_CHARS
    assert tenant == hashed_tenant(credential, key)
    assert tenant != hashed_tenant(credential, key + "x")
    assert tenant != hashed_tenant(credential + "x", key)


NAMES = st.text(min_size=1, max_size=20)


@given(NAMES, NAMES, NAMES, NAMES)
def test_two_users_never_share_a_partition(tenant, user, other_tenant, other_user):
    """Different tenant or user: different scope, different partition, neither sees the other."""
    one = resolve({"x-recollect-user": user}, tenant=tenant).scope
    two = resolve({"x-recollect-user": other_user}, tenant=other_tenant).scope
    if one is None or two is None or (tenant, user) == (other_tenant, other_user):
        return
    assert one != two
    assert one.partition != two.partition
    assert not one.admits(two)
    assert not two.admits(one)


PROVEN = pytest.mark.parametrize("mode", ["jwt", "header"])
ADA = Principal("acme", "ada", Right.WRITE)


@PROVEN
def test_a_proven_caller_is_that_user(mode):
    """Whatever the body says of a user, and wherever the server listens."""
    body = {"user": "bob", "safety_identifier": "bob", "metadata": {"user_id": "bob"}}
    headers = {"x-recollect-agent": "a", "x-recollect-session": "s"}
    for on_loopback in (True, False):
        caller = resolve(headers, body, mode=mode, principal=ADA, on_loopback=on_loopback)
        assert (caller.scope.tenant, caller.scope.user_id) == ("acme", "ada")
        assert (caller.scope.agent_id, caller.session, caller.use) == ("a", "s", Use.ON)


@PROVEN
def test_a_proven_caller_cannot_name_somebody_else(mode):
    """The chat goes on without memory, and the reason says why; one's own name is no harm."""
    assert resolve({"x-recollect-user": "ada"}, mode=mode, principal=ADA).scope.user_id == "ada"
    for name in ("bob", "Ada", "ada "):
        caller = resolve({"x-recollect-user": name}, mode=mode, principal=ADA)
        assert (caller.scope, caller.reason) == (None, "foreign_user")


@PROVEN
@rows("headers", [{}, {"x-recollect-user": "ada"}, bearer("sk-1")])
def test_nobody_is_believed_without_a_proof(mode, headers):
    """On loopback neither, and no default user stands in."""
    caller = resolve(headers, {"user": "ada"}, mode=mode)
    assert (caller.scope, caller.reason) == (None, "no_credential")


@rows(
    "right, asked, use",
    [
        (Right.NONE, "on", None),
        (Right.READ, "on", Use.READ),
        (Right.READ, "read", Use.READ),
        (Right.READ, "write", None),
        (Right.WRITE, "on", Use.ON),
        (Right.ADMIN, "write", Use.WRITE),
    ],
)
def test_rights_bound_the_use_of_memory(right, asked, use):
    """Who may only read is remembered nothing of."""
    principal = Principal("acme", "ada", right)
    caller = resolve({"x-recollect-memory": asked}, mode="jwt", principal=principal)
    if use is None:
        assert (caller.scope, caller.reason) == (None, "no_right")
    else:
        assert caller.use is use


def test_an_administrator_names_the_user():
    """It has none of its own, and the body is no name in this mode."""
    admin = Principal("acme", None, Right.ADMIN)
    assert resolve({}, {"user": "bob"}, mode="jwt", principal=admin).reason == "no_user"
    caller = resolve({"x-recollect-user": "bob"}, mode="jwt", principal=admin)
    assert caller.scope.user_id == "bob"


@rows("header", ["x-recollect-tenant", "x-recollect-tokn"])
def test_a_chat_names_no_tenant(header):
    """Nor is a mistyped proof overlooked."""
    caller = resolve({header: "x"}, mode="jwt", principal=ADA)
    assert (caller.scope, caller.reason) == (None, "unknown_header")


def chat(*messages, **body):
    return {"messages": [{"role": "user", **message} for message in messages], **body}


SPEAKING = [
    chat({"content": "Hi", "name": "Tom"}),
    chat({"content": "[Tom]: Hi"}),
    chat({"content": [{"type": "text", "text": "[From: Tom] Hi"}]}),
    chat({"content": "Hi", "name": "Eva"}, {"content": "{{Tom}}: Hi"}),
]


@rows("body", SPEAKING)
def test_who_speaks_is_a_user_of_their_own(body):
    """Through a client without a user, with one, and through a gateway's."""
    caller = resolve(body=body)
    assert (caller.scope.user_id, caller.named) == ("default/Tom", True)
    assert resolve(body=body | {"user": "bot"}).scope.user_id == "bot/Tom"
    assert resolve({"x-recollect-user": "bot"}, body).scope.user_id == "bot/Tom"
    assert resolve(bearer("k"), body | {"user": "bot"}, **GATEWAY).scope.user_id == "bot/Tom"
    assert resolve(bearer("k"), body, **GATEWAY).reason == "no_user"
    off = resolve(body=body, speakers=False)
    assert (off.scope.user_id, off.named, off.shared) == ("default", False, False)


@rows("body", SPEAKING)
@rows("user", ["ada", "default"])
def test_a_proven_caller_speaks_for_nobody_else(body, user):
    """By a name in a message nobody becomes `ada/Tom`, who may be another proven user."""
    for mode in ("jwt", "header"):
        caller = resolve(body=body, mode=mode, principal=Principal("acme", user, Right.WRITE))
        assert (caller.scope.user_id, caller.shared) == (user, False)


@rows(
    "message",
    [
        {"content": "Hi", "name": 123},
        {"content": "Hi", "name": ["Tom"]},
        {"content": "Hi", "name": "x" * MAX_SCOPE_CHARS},
        {"content": "Hi", "name": "a\x00b"},
        {"content": "[Tom]: Hi\n[Eva]: What am I allergic to?"},
    ],
)
def test_a_speaker_who_cannot_be_told_is_nobody(message):
    """And not the client's own user."""
    for body in (chat(message), chat(message, user="bot")):
        assert resolve(body=body).reason == "bad_identity"


def test_the_tenants_table():
    """A listed credential is its tenant, every other is its own hash."""
    options = IdentityOptions(**GATEWAY, tenants={"acme": "key-a", "emca": "key-b"})
    assert tenant_of(bearer("key-a"), options) == "acme"
    assert tenant_of(bearer("key-b"), options) == "emca"
    assert tenant_of({"api-key": "key-b"}, options) == "emca"
    assert tenant_of(bearer("acme"), options) == hashed_tenant("acme", "the hash key")


@given(NAMES, NAMES, st.sampled_from(["alice", "bob"]))
def test_two_credentials_never_share_a_partition(credential, other, user):
    """The same user name under two credentials is two users."""
    options = GATEWAY | {"tenants": {"acme": "listed"}}
    one = resolve({"api-key": credential, "x-recollect-user": user}, **options).scope
    two = resolve({"api-key": other, "x-recollect-user": user}, **options).scope
    assert (one.partition == two.partition) is (credential == other)
