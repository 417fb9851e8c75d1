"""What a request presents: every credential that a model server may judge, and nothing else."""

from multidict import CIMultiDict

from recollect.config.server import IdentityOptions
from recollect.proxy.access.identity import hashed_tenant, tenant_of
from recollect.proxy.access.presented_credentials import Presented, presented_in
from tests.support.folding import rows


def test_all_credentials_with_their_places():
    """Every line counts, sorted by place; within one place in the order in which they came."""
    headers = CIMultiDict(
        [("X-API-Key", "b"), ("Authorization", "Basic z"), ("API-Key", "b"),
         ("authorization", "Token a")]
    )  # fmt: skip
    found = presented_in(headers, "a=b&Key=q&token=&%6bey=%FF")
    assert found == Presented(
        (
            ("authorization", "Basic z"),
            ("authorization", "a"),
            ("?key", "q"),
            ("?key", "\udcff"),
            ("api-key", "b"),
            ("x-api-key", "b"),
        )
    )
    assert (found.values, found.only) == (("Basic z", "a", "q", "\udcff", "b"), None)


GATEWAY = {"mode": "gateway", "hash_key": "the hash key"}


def several(*lines, query="", tenants=None):
    """The tenant of a request with these lines, in gateway mode."""
    options = IdentityOptions(**GATEWAY, tenants=tenants or {})
    pairs = [(name, value) for name, _, value in (line.partition(": ") for line in lines)]
    return tenant_of(CIMultiDict(pairs), options, query)


REVOKED, VALID = "Authorization: Bearer revoked", "api-key: valid"
ALONE = [hashed_tenant(key, "the hash key") for key in ("revoked", "valid")]


@rows(
    "lines, query",
    [
        ((REVOKED, VALID), ""),
        ((REVOKED, "x-api-key: valid"), ""),
        ((REVOKED, "Authorization: Bearer valid"), ""),
        ((REVOKED, "Authorization: Basic dmFsaWQ="), ""),
        ((REVOKED, "Authorization: valid"), ""),
        (("api-key: revoked", "api-key: valid"), ""),
        (("api-key: revoked", "Authorization: Basic dmFsaWQ="), ""),
        ((REVOKED, "x-goog-api-key: valid"), ""),
        ((REVOKED, "Ocp-Apim-Subscription-Key: valid"), ""),
        ((REVOKED, "cf-aig-authorization: Bearer valid"), ""),
        ((REVOKED, "OCP_APIM_SUBSCRIPTION_KEY: valid"), ""),
        ((REVOKED,), "key=valid"),
        ((REVOKED,), "a=b;key=valid"),
        ((REVOKED,), "a=b&api_key=valid&c"),
        ((REVOKED,), "access_token=v%61lid"),
    ],
)
def test_several_credentials_are_the_tenant_of_none_of_them(lines, query):
    """Whichever the model server judged, a revoked key reaches nothing with another one's help."""
    tenant = several(*lines, query=query)
    assert tenant.startswith("keys:")
    assert tenant not in ALONE
    assert tenant == several(*reversed(lines), query=query) or lines[0][:9] == lines[-1][:9]


@rows(
    "lines",
    [
        (REVOKED, "api-key: revoked"),
        (REVOKED, "x-api-key: revoked", "Authorization: Bearer revoked"),
        ("Authorization: Token revoked",),
        ("api-key: revoked", "x-api-key: "),
        (REVOKED, "Proxy-Authorization: Bearer valid", "Idempotency-Key: 1", "Cookie: a=b"),
        (REVOKED, "x-litellm-user_api_key_user_id: 1", "x-forwarded-access-token: t"),
    ],
)
def test_one_credential_at_several_places_is_one(lines):
    """Clients send their key twice; what is no credential for the model server changes nothing."""
    assert several(*lines) == ALONE[0]


def test_a_further_header_is_a_credential_if_it_is_configured():
    """A model server with sessions judges a cookie, too."""
    options = IdentityOptions(**GATEWAY, credential_headers=["Cookie"])
    headers = CIMultiDict({"Authorization": "Bearer revoked", "cookie": "session=valid"})
    assert tenant_of(headers, options).startswith("keys:")


def test_a_listed_credential_is_its_tenant_in_any_company():
    """The table says whose it is; two that are listed are neither."""
    tenants = {"acme": "valid", "emca": "other"}
    assert several(REVOKED, VALID, tenants=tenants) == "acme"
    both = several("Authorization: Bearer other", VALID, tenants=tenants)
    assert both.startswith("keys:")


def test_the_places_of_several_credentials_count():
    """The same keys at other places were judged otherwise, and pieces never run together."""
    swapped = several("Authorization: Bearer valid", "api-key: revoked")
    joined = several("Authorization: Bearer r", "api-key: sapi-key1:t")
    assert len({several(REVOKED, VALID), swapped, joined}) == 3
    assert joined != several("Authorization: Bearer rapi-key1:s", "api-key: t")
