"""The model's server and key, from options and from the environment."""

from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from recollect.memory.llms.environment import model_from_environment
from tests.support.folding import rows

OPENAI = "https://api.openai.com/v1"
PROXY = "http://127.0.0.1:8787/v1"
OTHER = "https://models.example.org/v1"
KEY = "sk-of-the-environment"


def found(environ, base_url=None, api_key=None):
    """The URL and the key; `environ` without the prefix of the names."""
    key = None if api_key is None else SecretStr(api_key)
    environ = {f"OPENAI_{name.upper()}": value for name, value in environ.items()}
    server = model_from_environment(base_url, key, environ)
    return server.base_url, server.api_key and server.api_key.get_secret_value()


@rows(
    "environ, expected",
    [
        ({}, (None, None)),
        ({"api_key": KEY}, (None, KEY)),
        ({"api_key": KEY, "base_url": PROXY}, (PROXY, KEY)),
        ({"base_url": PROXY}, (PROXY, None)),
        ({"api_key": f" {KEY}\n", "base_url": f"{PROXY}\n"}, (PROXY, KEY)),
        ({"api_key": "", "base_url": " "}, (None, None)),
    ],
)
def test_what_the_options_leave_out(environ, expected):
    """Both come from the environment, without white space around them; empty is not set.

    Each field that the options name is taken from them.
    """
    assert found(environ) == found(environ, "", "") == expected
    assert found(environ, OTHER, "sk-own") == (OTHER, "sk-own")
    assert found(environ, None, "sk-own") == (expected[0], "sk-own")


@rows(
    "base_url",
    [
        OTHER,
        "http://127.0.0.1:11434/v1",
        "http://127.0.0.1:8788/v1",
        "https://127.0.0.1:8787/v1",
        "http://api.openai.com/v1",
        "https://api.openai.com:8443/v1",
        "https://api.openai.com.example.org/v1",
        "https://api.openai.com@example.org/v1",
        "https://example.org/https://api.openai.com/v1",
        "api.openai.com/v1",
        "https://[api.openai.com/v1",
    ],
)
def test_the_key_goes_to_no_other_server(base_url):
    """A server that only the options name is not sent the environment's key."""
    assert found({"api_key": KEY}, base_url) == (base_url, None)
    assert found({"api_key": KEY, "base_url": PROXY}, base_url) == (base_url, None)


@given(st.text(), st.text())
def test_any_text_is_read(base_url, named):
    """Nonsense in either place is never an error here; the key goes to no server by accident."""
    environ = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": named}
    server = model_from_environment(base_url, None, environ)
    chosen = base_url or named.strip()
    if server.wants is None and chosen not in {"", named.strip()}:
        assert server.api_key is None


def test_who_needs_a_key():
    """OpenAI does, and the problem names the field and the variable; of others nobody knows."""
    for base_url in (None, OPENAI):
        wants = model_from_environment(base_url, None, {}).wants
        assert wants is not None
        assert wants[0] == "api_key"
        assert "OPENAI_API_KEY" in wants[1]
    assert model_from_environment(None, None, {"OPENAI_API_KEY": KEY}).wants is None
    for base_url in (OTHER, PROXY, "http://localhost/v1"):
        assert model_from_environment(base_url, None, {}).wants is None


@rows("base_url", ["127.0.0.1:11434/v1", "localhost", "ftp://x", "http://"])
def test_an_address_that_is_none(base_url):
    """A forgotten `http://` is named, not tried."""
    for server in (
        model_from_environment(base_url, None, {}),
        model_from_environment(None, None, {"OPENAI_BASE_URL": base_url}),
    ):
        assert server.wants is not None
        assert server.wants[0] == "base_url"
        assert "OPENAI_BASE_URL" in server.wants[1]
