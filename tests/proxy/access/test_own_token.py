"""The memory API's token is found wherever a client may have put it, and nothing else is."""

import base64

import pytest

from recollect.proxy.access.own_token import carries, carries_admin_token

SIMPLE = "tok-1"
ODD = "tok-1,2;3=é"


def basic(text):
    return "Basic " + base64.b64encode(text.encode()).decode()


def found(*headers, query="", secret=SIMPLE):
    raw = [
        (name.encode(), value.encode("utf-8", "surrogateescape"))
        for name, _, value in (header.partition(": ") for header in headers)
    ]
    return carries(secret, raw, query)


@pytest.mark.parametrize(
    "header",
    [
        "Authorization: Bearer tok-1",
        "authorization: bearer   tok-1 ",
        "Authorization: Token tok-1",
        "Authorization: tok-1",
        "X-API-Key: tok-1",
        "x-api-key: tok-1",
        "api-key: tok-1",
        "API-KEY: 'tok-1'",
        "x-goog-api-key: tok-1",
        'x-anything: key="tok-1"',
        "Cookie: a=b; key=tok-1; c=d",
        "Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.tok-1, v1",
        "Authorization: Bearer sk, Bearer tok-1",
        f"Authorization: {basic('user:tok-1')}",
        f"Authorization: {basic('tok-1:')}",
    ],
)
def test_where_credentials_are_put(header):
    """Any header, any scheme, beside others."""
    assert found("X-A: b", header)


def test_every_header_of_a_name_counts():
    """Not only the first one, which is what the API would read."""
    assert found("Authorization: Bearer sk", "Authorization: Bearer tok-1")


@pytest.mark.parametrize("query", ["token=tok-1", "a=b&api_key=tok%2D1", "tok-1", "key=%74ok-1"])
def test_a_query_counts(query):
    """Encoded or not, whatever the field is called."""
    assert found(query=query)


@pytest.mark.parametrize(
    ("header", "query"),
    [
        ("Authorization: Bearer sk-1", ""),
        ("Authorization: Bearer xtok-1", ""),
        ("Authorization: Bearer tok-12", ""),
        ("Authorization: Bearer TOK-1", ""),
        ("Authorization: Bearer", ""),
        ("Authorization: Basic tok-1!", ""),
        ("Authorization: Basic !", ""),
        ("X-A: \udcff\udcfe", ""),
        ("X-A: b", "token=tok-2&x=%ff"),
        ("X-A: tok-1 is my token", "a=tok-1x"),
    ],
)
def test_other_secrets_are_not_it(header, query):
    """Longer, shorter, in another case, or no credential at all."""
    assert not found(header, query=query)


def test_a_token_of_odd_characters():
    """Separators inside the token do not hide it."""
    assert found(f"Authorization: Bearer {ODD}", secret=ODD)
    assert found(query="t=tok-1%2C2%3B3%3D%C3%A9", secret=ODD)
    assert not found("Authorization: Bearer tok-1", secret=ODD)


ADMIN = b"rct_0123456789ab_" + b"s" * 43


@pytest.mark.parametrize(
    "headers",
    [
        [(b"Authorization", b"Bearer " + ADMIN)],
        [(b"Cookie", b"a=1; token=" + ADMIN)],
        [(b"X-Anything", b"sk-" + ADMIN)],
        [(b"Authorization", b"Basic " + base64.b64encode(b"u:" + ADMIN))],
        [(b"authorization", b"bAsIc " + base64.b64encode(ADMIN + b":x"))],
    ],
)
def test_an_admin_token_is_found_in_any_header(headers):
    """By its form, since the file of the tokens may know it no more."""
    assert carries_admin_token(headers, "")


def test_an_admin_token_is_found_in_the_query():
    """Encoded or not; what only begins like one is somebody else's."""
    assert carries_admin_token([], f"key={ADMIN.decode()}")
    assert carries_admin_token([], f"key={ADMIN.decode().replace('_', '%5F')}")
    assert not carries_admin_token([(b"a", ADMIN[:-1])], f"key={ADMIN[:-1].decode()}")
    assert not carries_admin_token([(b"Authorization", b"Basic !!!")], "")
