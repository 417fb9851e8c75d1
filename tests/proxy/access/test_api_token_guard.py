"""This server's tokens are found wherever a client may have put them, and nothing else is."""

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.access.api_token_guard import BEGUN_CHARS, ApiTokenGuard, OwnTokenError
from tests.support.folding import rows

SIMPLE = "tok-1"
ODD = "tok-1,2;3=é"


def basic(text):
    return "Basic " + base64.b64encode(text.encode()).decode()


def found(*headers, query="", secret=SIMPLE):
    raw = [
        (name.encode(), value.encode("utf-8", "surrogateescape"))
        for name, _, value in (header.partition(": ") for header in headers)
    ]
    return code(ApiTokenGuard(secret).in_head(f"/v1/models?{query}", raw)) == "api_token"


def code(refusal):
    """The code of a refusal; None if there is none."""
    return None if refusal is None else refusal.code


def in_target(target, secret=None):
    return code(ApiTokenGuard(secret).in_head(target, []))


def many_times(text, times):
    """Percent-encoded as a whole, again and again."""
    text = "".join(f"%{byte:02X}" for byte in text.encode())
    for _ in range(times - 1):
        text = text.replace("%", "%25")
    return text


@rows(
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


TARGETS = [
    "/v1/models?token={}", "/v1/models?a=b&api_key={}", "/v1/models?{}", "/v1/models?{}=1",
    "/v1/models?a=b&{}&c", "/v1/models?a={},b", "/v1/{}", "/v1/{}/models", "/{}?a=b",
    "/v1/models/a;{}=b/c", "/v1//{}//x", "/v1/models?a=b#{}", "/v1/models?q=%22{}%22",
    "http://u:{}@host/v1/models",
]  # fmt: skip
LONG = "Kc3-0JvZ_mC7rXq1bTzW"
SLASHED = "a/secret=with&all?of;them"


@rows("secret", [SIMPLE, LONG, ODD, SLASHED, "two words", "a+b+c"])
@rows("target", TARGETS)
@rows("times", [0, 1, 2, 3])
def test_the_target_counts(secret, target, times):
    """A name, a value or a segment, however often encoded, also with what separates such pieces."""
    text = many_times(secret, times) if times else secret
    if times == 0 and not secret.isascii():
        text = quote(secret)
    assert in_target(target.format(text), secret) == "api_token"


@rows(
    "target",
    ["/v1/tok-1x", "/v1/xtok-1", "/v1/models?tok-12", "/v1/models?a=my-tok-1-x", "/v1/tok-/1"],
)
def test_a_short_token_is_a_whole_piece(target):
    """It may be a word: what only contains it is something else."""
    assert in_target(target, SIMPLE) is None


@rows("text", ["sk-{}", "{}.jpg", "({})", "x-{}-y", "{}"])
def test_a_long_token_is_found_inside_other_text(text):
    """No other text has it by chance."""
    assert in_target("/v1/" + text.format(LONG), LONG) == "api_token"
    assert found("X-A: " + text.format(LONG), secret=LONG)
    assert code(ApiTokenGuard(LONG).in_body(text.format(LONG).encode())) == "api_token"


@rows(
    "header, query",
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


ADMIN = b"rct_0123456789ab_" + b"s" * 43


@rows(
    "header",
    [
        (b"Authorization", b"Bearer " + ADMIN),
        (b"Cookie", b"a=1; token=" + ADMIN),
        (b"X-Anything", b"sk-" + ADMIN),
        (ADMIN, b"1"),
        (b"Authorization", b"Basic " + base64.b64encode(b"u:" + ADMIN)),
        (b"authorization", b"bAsIc " + base64.b64encode(ADMIN + b":x")),
    ],
)
def test_an_admin_token_is_found_in_any_header(header):
    """By its form, since the file of the tokens may know it no more."""
    assert code(ApiTokenGuard().in_head("/v1/models", [(b"a", b"b"), header])) == "admin_token"


async def passed(tokens, chunks):
    """What of a body went on, and whether it went on to its end."""

    async def coming():
        for chunk in chunks:
            yield chunk

    gone = b""
    try:
        async for chunk in tokens.passed(coming()):
            gone += chunk
    except OwnTokenError as error:
        return gone, error.code
    return gone, None


@given(
    st.sampled_from([ADMIN, LONG.encode()]),
    st.text(max_size=100).map(str.encode),
    st.lists(st.integers(1, 70), min_size=1),
)
async def test_a_token_in_pieces_is_found_before_more_than_a_word_of_it_goes(token, before, sizes):
    """Wherever a body is cut."""
    body = before + b" " + token + b" and more"
    chunks, at = [], 0
    while at < len(body):
        size = sizes[len(chunks) % len(sizes)]
        chunks.append(body[at : at + size])
        at += size
    gone, refusal = await passed(ApiTokenGuard(LONG), chunks)
    assert refusal == ("admin_token" if token == ADMIN else "api_token")
    assert body.startswith(gone)
    assert len(gone) < len(before) + 1 + BEGUN_CHARS


@rows("chunk", [b"a", b"data: {}", b"rc", b"a word: ", b"1\r\n", b"rct_x"])
async def test_what_begins_no_token_is_not_held_back(chunk):
    """The other side may answer it before more comes."""

    async def coming():
        yield chunk
        pytest.fail("it was held back")

    async for passed in ApiTokenGuard(LONG).passed(coming()):
        assert passed == chunk
        break


@given(st.lists(st.binary(max_size=90) | st.sampled_from([b"rct_", ADMIN[:40], LONG[:9].encode()])))
async def test_any_other_body_passes_whole(chunks):
    """Byte for byte."""
    body = b"".join(chunks)
    if ApiTokenGuard(LONG).in_body(body) is None:
        assert await passed(ApiTokenGuard(LONG), chunks) == (body, None)
