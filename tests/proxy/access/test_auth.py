"""Who may use the memory API, and as whom."""

import pytest
from multidict import CIMultiDict

from recollect.config.server import ApiOptions, IdentityOptions
from recollect.memory.model.errors import ForbiddenError, InvalidInputError
from recollect.memory.model.owner import Owner
from recollect.memory.model.types import utc_now
from recollect.proxy.access.auth import Checks, api_grant
from recollect.proxy.access.identity import hashed_tenant, tenant_of
from recollect.proxy.access.principal import Principal, UnauthorizedError
from recollect.proxy.access.rights import Right
from recollect.proxy.access.tokens import BadTokenError, make
from tests.support.folding import rows

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


@rows("headers", [{}, {"Authorization": "Bearer whatever"}])
def test_personal_mode_on_loopback_is_open(headers):
    """One person's own machine needs no token, and minds none."""
    assert tenant(headers) == "home"


@rows("identity, on_loopback", [(PERSONAL, False), (GATEWAY, True), (GATEWAY, False)])
@rows("headers", [{}, {"Authorization": "Bearer x"}, {"X-API-Key": "x"}])
def test_nothing_else_is_open(headers, identity, on_loopback):
    """Off loopback or in gateway mode nobody gets in without a token."""
    with pytest.raises(UnauthorizedError):
        tenant(headers, identity=identity, on_loopback=on_loopback)


@rows(
    "headers",
    [
        {"Authorization": "Bearer t"},
        {"authorization": "bearer  t "},
        {"Authorization": "Token t"},
        {"X-API-Key": "t"},
    ],
)
@rows("on_loopback", [True, False])
def test_the_token_is_the_configured_tenant(headers, on_loopback):
    """In the ways that clients send tokens; once there is one it counts on loopback too."""
    assert tenant(headers, token="t", on_loopback=on_loopback) == "home"
    assert tenant(headers, token="t", identity=GATEWAY, on_loopback=on_loopback) == "admin"


@rows(
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


def test_a_hashed_credential_counts_once_the_model_server_accepted_it():
    """It opens its own tenant, with fewer rights than one that the operator has listed."""
    mine = hashed_tenant("key-c", "h")
    headers = CIMultiDict({"Authorization": "Token key-c"})
    options = {"identity": GATEWAY, "on_loopback": False}
    granted = api_grant(headers, ApiOptions(), **options, checks=Checks(accepted={mine}))
    assert (granted.owner, granted.right) == (Owner(mine), Right.WRITE)
    with pytest.raises(UnauthorizedError, match="not accepted"):
        api_grant(headers, ApiOptions(), **options, checks=Checks(accepted={"other"}))


PAIR = CIMultiDict({"Authorization": "Bearer revoked", "api-key": "key-c"})


@rows("more", [{"api-key": "key-c"}, {"X-API-Key": "key-c"}, {"x-goog-api-key": "key-c"}])
def test_a_refused_credential_opens_nothing_with_the_help_of_an_accepted_one(more):
    """Neither its own tenant nor that of the other: only both together may have been accepted."""
    headers = CIMultiDict({"Authorization": "Bearer revoked", **more})
    both = {hashed_tenant(key, "h") for key in ("revoked", "key-c")}
    checks = Checks(accepted=both)
    with pytest.raises(UnauthorizedError, match="several"):
        api_grant(headers, ApiOptions(), GATEWAY, on_loopback=False, checks=checks)


def test_credentials_that_were_accepted_together_open_their_own_tenant():
    """The memory API counts them as the chat did; one of them alone is somebody else."""
    mine = tenant_of(PAIR, GATEWAY)
    options = {"identity": GATEWAY, "on_loopback": False, "checks": Checks(accepted={mine})}
    assert api_grant(PAIR, ApiOptions(), **options).owner == Owner(mine)
    for name in PAIR:
        with pytest.raises(UnauthorizedError, match="not accepted"):
            api_grant(CIMultiDict({name: PAIR[name]}), ApiOptions(), **options)


def test_what_this_server_checks_itself_counts_alone():
    """The API's token and a listed credential open what they open, whatever comes along."""
    more = {"api-key": "key-c", "x-litellm-api-key": "other"}
    headers = {"Authorization": "Bearer t", **more}
    assert tenant(headers, token="t", identity=GATEWAY) == "admin"
    assert tenant({"X-API-Key": "t", "Authorization": "Basic dTpw"}, token="t") == "home"
    assert tenant({"Authorization": "Bearer key-a", **more}, identity=GATEWAY) == "acme"


class Tokens:
    """One token, `rct_x`."""

    def __init__(self, *tenants, right=Right.ADMIN):
        self.token = make("ops", right, tenants, now=utc_now())[0]

    def check(self, text):
        if text != "rct_x":
            raise BadTokenError("expired")
        return self.token


def by_token(*tenants, named=None, identity=GATEWAY, text="rct_x", of_all=False, **options):
    headers = CIMultiDict({"X-API-Key": text})
    if named is not None:
        headers["x-recollect-tenant"] = named
    checks = Checks(Tokens(*tenants, **options))
    return api_grant(
        headers, ApiOptions(), identity, on_loopback=True, checks=checks, of_all=of_all
    )


def test_an_admin_token_names_the_tenant():
    """Any, if it is for all of them; also one that is known by a hash only."""
    granted = by_token("*", named="key:0123")
    assert granted.owner == Owner("key:0123")
    assert granted.administers
    assert granted.any_tenant
    assert granted.who.startswith("token ops (")
    granted = by_token("acme", "emca", named="emca", right=Right.READ)
    assert (granted.owner, granted.right, granted.any_tenant) == (Owner("emca"), Right.READ, False)


@rows("tenants", [("*",), ("acme/*",), ("acme", "emca")])
def test_of_several_tenants_one_must_be_named(tenants):
    """None is guessed; the refusal names the header."""
    with pytest.raises(InvalidInputError, match="x-recollect-tenant"):
        by_token(*tenants)


def test_an_admin_token_is_not_for_other_tenants():
    """The refusal does not say whether there is one of that name."""
    for tenants, named in ((("acme",), "emca"), (("acme/*",), "acme"), (("acme",), "")):
        with pytest.raises(ForbiddenError, match="x-recollect-tenant"):
            by_token(*tenants, named=named)


@rows("identity", [PERSONAL, GATEWAY])
def test_a_bad_admin_token_opens_nothing(identity):
    """Not even what is open to everybody: whoever sends one means it."""
    with pytest.raises(UnauthorizedError, match="expired"):
        by_token("*", text="rct_y", identity=identity)


@rows(
    "headers, identity, token, own",
    [
        ({}, PERSONAL, None, "home"),
        ({"Authorization": "Bearer t"}, GATEWAY, "t", "admin"),
        ({"Authorization": "Bearer key-a"}, GATEWAY, "t", "acme"),
    ],
)
def test_nobody_else_names_a_tenant(headers, identity, token, own):
    """Only one's own, which changes nothing."""
    headers = {**headers, "x-recollect-tenant": "emca"}
    with pytest.raises(ForbiddenError, match="x-recollect-tenant"):
        tenant(headers, token=token, identity=identity)
    headers["x-recollect-tenant"] = own
    assert tenant(headers, token=token, identity=identity) == own


@rows("mode", ["jwt", "header"])
def test_a_proven_user_is_that_user_only(mode):
    """With the right that was proven; without a proof there is no way in on any address."""
    identity = IdentityOptions(mode=mode)
    options = {"on_loopback": True, "prove": lambda: Principal("acme", "ada", Right.READ)}
    granted = api_grant(CIMultiDict(), ApiOptions(), identity, **options)
    assert (granted.owner, granted.right) == (Owner("acme", "ada"), Right.READ)
    with pytest.raises(UnauthorizedError):
        api_grant(CIMultiDict(), ApiOptions(), identity, on_loopback=True)
