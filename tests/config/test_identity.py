"""Options that say whose requests are whose."""

import pytest
from pydantic import ValidationError

from recollect.config import load_settings
from recollect.config.identity import HeaderOptions, JwtOptions
from recollect.memory.model.errors import ConfigError
from tests.support.folding import rows


@rows(
    "model, name, good, bad",
    [
        (
            JwtOptions,
            "jwks",
            ["keys.json", "/etc/keys.json", "https://h/k", "http://[::1]:1/k"],
            ["http://issuer.test/keys", "ftp://h/k", "file:///etc/keys"],
        ),
        (HeaderOptions, "peers", [("10.0.0.0/8",)], [["proxy.test"], ["10.0.0.0/40"], [""]]),
    ],
)
def test_what_proves_a_caller(model, name, good, bad):
    """Keys that nobody on the way can change, and peers by their addresses."""
    for value in good:
        assert getattr(model(**{name: value}), name) == value
    for value in bad:
        with pytest.raises(ValidationError, match=r"https|networks|ES256"):
            model(**{name: value})


def test_signed_tokens_need_keys_an_issuer_and_an_audience():
    """All that is missing is named at once."""
    with pytest.raises(ConfigError) as caught:
        load_settings(environ={}, flags={"identity.mode": "jwt"})
    for name in ("jwks", "issuer", "audience"):
        assert f"identity.jwt.{name}: required" in str(caught.value)


def test_a_server_that_proves_callers_needs_no_token(tmp_path):
    """Off loopback too: nobody gets in without a proof."""
    flags = {"listen.host": "0.0.0.0", "data_dir": str(tmp_path)}
    flags |= {"identity.jwt.jwks": "k.json", "identity.jwt.issuer": "i"}
    flags |= {"identity.jwt.audience": ["a"]}
    for mode in ("jwt", "header"):
        given = flags | {"identity.mode": mode}
        assert load_settings(environ={}, flags=given).api.token is None
