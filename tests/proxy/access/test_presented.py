"""What a request presents: every credential that a model server may judge, and nothing else."""

import pytest
from multidict import CIMultiDict

from recollect.proxy.access.presented import Presented, key_in, presented_in, token_in


@pytest.mark.parametrize(
    ("headers", "credential"),
    [
        ({"Authorization": "Bearer k"}, "k"),
        ({"authorization": "bearer  k "}, "k"),
        ({"Authorization": "Bearer ", "api-key": "a"}, "a"),
        ({"x-api-key": "a"}, "a"),
        ({"Authorization": "Bearer sk-\udcff\u00e9"}, "sk-\udcff\u00e9"),
        ({"Authorization": "k", "api-key": "k"}, "k"),
    ],
)
def test_one_credential(headers, credential):
    """A bearer token or a header with a key; an empty one is none."""
    assert presented_in(CIMultiDict(headers)).only == credential


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Basic dTpw"},
        {"Authorization": "Bearer"},
        {"Authorization": "k"},
        {"api-key": ""},
        {"Idempotency-Key": "1", "Sec-WebSocket-Key": "2", "Cookie": "api-key=3"},
        {},
    ],
)
def test_no_credential(headers):
    """A signature that is new in each request names nobody, nor does what is no credential."""
    assert presented_in(CIMultiDict(headers)) is None


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


def test_further_headers_count_if_they_are_named():
    """In any spelling; without that a cookie is none."""
    headers = CIMultiDict({"api-key": "k", "COOKIE": "c"})
    assert presented_in(headers).only == "k"
    assert presented_in(headers, also=["Cookie"]).values == ("k", "c")


def test_the_token_for_this_server():
    """`Authorization` first; another scheme is none of ours."""
    assert token_in({"Authorization": "token t", "X-API-Key": "x"}) == "t"
    assert token_in({"Authorization": "Basic t", "X-API-Key": "x"}) == "x"
    assert token_in({"Authorization": "t"}) is None


def test_the_key_for_later_calls():
    """Whatever a client has for the model server."""
    assert key_in({"Authorization": "Bearer k", "api-key": "a"}) == "k"
    assert key_in({"api-key": "a"}) == "a"
    assert key_in({"api-key": ""}) is None
