"""Who may use the memory API, and as whom."""

import pytest
from multidict import CIMultiDict

from recollect.config.server import ApiOptions, IdentityOptions
from recollect.proxy.access.auth import UnauthorizedError, api_grant
from recollect.proxy.access.rights import Right

PERSONAL = IdentityOptions(tenant="home")
GATEWAY = IdentityOptions(
    mode="gateway", tenant="admin", hash_key="h", tenants={"acme": "key-a", "emca": "key-b"}
)


def tenant(headers=None, token=None, identity=PERSONAL, *, on_loopback=True):
    granted = api_grant(
        CIMultiDict(headers or {}), ApiOptions(token=token), identity, on_loopback=on_loopback
    )
    assert granted.owner.user_id is None
    assert granted.right is Right.ADMIN
    return granted.owner.tenant


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
