"""Options that say whose requests are whose."""

import pytest
from pydantic import ValidationError

from recollect.config import load_settings
from recollect.config.identity import HeaderOptions, JwtOptions
from recollect.memory.model.errors import ConfigError
from tests.support.folding import rows


@rows("place", ["keys.json", "/etc/keys.json", "https://h/k", "http://[::1]:1/k"])
def test_where_keys_may_be(place):
    """A file, or an address that nobody on the way can change."""
    assert JwtOptions(jwks=place).jwks == place


@pytest.mark.parametrize("place", ["http://issuer.test/keys", "ftp://h/k", "file:///etc/keys"])
def test_keys_are_not_fetched_in_the_clear(place):
    """Whoever can change them on the way can be anybody."""
    with pytest.raises(ValidationError, match="https"):
        JwtOptions(jwks=place)


@rows("algorithm", ["none", "HS256", "HS512", ""])
def test_only_signatures_with_public_keys_are_accepted(algorithm):
    """A shared secret or none at all cannot be configured."""
    with pytest.raises(ValidationError):
        JwtOptions(algorithms=[algorithm])


@pytest.mark.parametrize("peer", ["proxy.test", "10.0.0.0/40", ""])
def test_peers_are_addresses(peer):
    """A name would have to be looked up for each request."""
    with pytest.raises(ValidationError, match="networks"):
        HeaderOptions(peers=[peer])


def test_signed_tokens_need_keys_an_issuer_and_an_audience():
    """All that is missing is named at once."""
    with pytest.raises(ConfigError) as caught:
        load_settings(environ={}, flags={"identity.mode": "jwt"})
    for name in ("jwks", "issuer", "audience"):
        assert f"identity.jwt.{name}: required" in str(caught.value)


@pytest.mark.parametrize("mode", ["jwt", "header"])
def test_a_server_that_proves_callers_needs_no_token(mode, tmp_path):
    """Off loopback too: nobody gets in without a proof."""
    flags = {"identity.mode": mode, "listen.host": "0.0.0.0", "data_dir": str(tmp_path)}
    if mode == "jwt":
        flags |= {"identity.jwt.jwks": "k.json", "identity.jwt.issuer": "i"}
        flags |= {"identity.jwt.audience": ["a"]}
    assert load_settings(environ={}, flags=flags).api.token is None


def test_the_file_of_tokens_is_in_the_folder_of_the_data(tmp_path):
    """Unless another one is named."""
    flags = {"data_dir": str(tmp_path)}
    assert load_settings(environ={}, flags=flags).api.tokens_file == tmp_path / "tokens.json"
    flags |= {"api.tokens_file": str(tmp_path / "x.json")}
    assert load_settings(environ={}, flags=flags).api.tokens_file == tmp_path / "x.json"
