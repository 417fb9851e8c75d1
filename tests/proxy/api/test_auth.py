"""Who may use the memory API, and as whom."""

import pytest
from multidict import CIMultiDict

from config.server import ApiOptions, IdentityOptions
from proxy.api.auth import ForbiddenError, UnauthorizedError, api_tenant, check_source

PERSONAL = IdentityOptions(tenant="home")
GATEWAY = IdentityOptions(
    mode="gateway", tenant="admin", hash_key="h", tenants={"acme": "key-a", "emca": "key-b"}
)


def tenant(headers=None, token=None, identity=PERSONAL, *, on_loopback=True):
    return api_tenant(
        CIMultiDict(headers or {}), ApiOptions(token=token), identity, on_loopback=on_loopback
    )


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer whatever"}])
def test_personal_mode_on_loopback_is_open(headers):
    """One person's own machine needs no token, and minds none."""
    assert tenant(headers) == "home"


@pytest.mark.parametrize(
    ("identity", "on_loopback"), [(PERSONAL, False), (GATEWAY, True), (GATEWAY, False)]
)
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x"}, {"X-API-Key": "x"}])
def test_nothing_else_is_open(headers, identity, on_loopback):
    """Off loopback or in gateway mode nobody gets in without a token."""
    with pytest.raises(UnauthorizedError):
        tenant(headers, identity=identity, on_loopback=on_loopback)


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer t"},
        {"authorization": "bearer  t "},
        {"Authorization": "Token t"},
        {"X-API-Key": "t"},
    ],
)
@pytest.mark.parametrize("on_loopback", [True, False])
def test_the_token_is_the_configured_tenant(headers, on_loopback):
    """In the ways that clients send tokens; once there is one it counts on loopback too."""
    assert tenant(headers, token="t", on_loopback=on_loopback) == "home"
    assert tenant(headers, token="t", identity=GATEWAY, on_loopback=on_loopback) == "admin"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer T"},
        {"Authorization": "Bearer t2"},
        {"Authorization": "Bearer "},
        {"Authorization": "Basic t"},
        {"Authorization": "t"},
        {"X-API-Key": ""},
        {"Authorization": "Bearer \udcff\u00e9"},
        {"Cookie": "token=t"},
    ],
)
def test_any_other_token_is_refused(headers):
    """Wrong, empty, another scheme, no text at all: refused, also on loopback."""
    with pytest.raises(UnauthorizedError):
        tenant(headers, token="t")


def test_a_listed_tenant_manages_its_own_memories():
    """In gateway mode a tenant's credential opens that tenant, never another."""
    assert tenant({"Authorization": "Bearer key-a"}, identity=GATEWAY) == "acme"
    assert tenant({"X-API-Key": "key-b"}, token="t", identity=GATEWAY) == "emca"


def test_an_unlisted_credential_opens_nothing():
    """The credential of a hashed tenant is for the model, not for the memory API."""
    with pytest.raises(UnauthorizedError):
        tenant({"Authorization": "Bearer key-c"}, identity=GATEWAY)
    with pytest.raises(UnauthorizedError):
        tenant({"Authorization": "Bearer acme"}, identity=GATEWAY)


def test_tenants_mean_nothing_in_personal_mode():
    """A table left in the configuration opens no door."""
    identity = IdentityOptions(tenants={"acme": "key-a"})
    with pytest.raises(UnauthorizedError):
        tenant({"Authorization": "Bearer key-a"}, token="t", identity=identity)


def source(headers, *, on_loopback=True, **api):
    check_source(CIMultiDict(headers), ApiOptions(**api), on_loopback=on_loopback)


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8787", "localhost:8787", "[::1]:8787", "[::1]", "127.9.9.9"]
)
@pytest.mark.parametrize("origin", [None, "same"])
def test_programs_and_our_own_origin_pass(host, origin):
    """No Origin, as programs send it, or that of the very server that is asked."""
    source({"Host": host} | ({"Origin": f"http://{host}"} if origin else {}))


@pytest.mark.parametrize(
    "host", ["evil.example:8787", "127.0.0.1.evil.example", "", "localhost.evil"]
)
def test_names_pointed_at_loopback_are_refused(host):
    """DNS rebinding: a page's own name that resolves to 127.0.0.1 is not our name."""
    with pytest.raises(ForbiddenError):
        source({"Host": host})
    source({"Host": "box.lan:8787"}, allowed_hosts=("box.lan",))


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:3000", "https://127.0.0.1:8787", ""]
)
def test_pages_of_other_origins_are_refused(origin):
    """Another port, another scheme, a sandboxed page: each is another origin."""
    with pytest.raises(ForbiddenError):
        source({"Host": "127.0.0.1:8787", "Origin": origin})


def test_origins_can_be_allowed():
    """A page that is meant to use the API is named in the configuration."""
    allowed = {"allowed_origins": ("http://127.0.0.1:3000",)}
    source({"Host": "127.0.0.1:8787", "Origin": "http://127.0.0.1:3000"}, **allowed)


def test_off_loopback_any_name_is_good():
    """A server on a network has names we cannot know; it has a token instead."""
    source({"Host": "memory.example"}, on_loopback=False)
    with pytest.raises(ForbiddenError):
        source({"Host": "memory.example", "Origin": "http://evil.example"}, on_loopback=False)
