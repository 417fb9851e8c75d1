"""What `recollect check` says of callers."""

from recollect.config import load_settings
from recollect.proxy.commands.callers import check_callers
from tests.support.signing import AUDIENCE, ISSUER, Signer


def settings(folder, **more):
    return load_settings(environ={}, flags={"data_dir": str(folder), **more})


async def test_a_damaged_file_of_tokens_is_named(tmp_path):
    """With what to do about it."""
    (tmp_path / "tokens.json").write_text("{")
    found = await check_callers(settings(tmp_path))
    assert not found.ok
    assert "tokens.json" in found.seen
    assert "recollect tokens create" in found.mend


async def test_keys_are_read(tmp_path):
    """Their number, or why there are none and which setting names them."""
    jwt = {"identity.mode": "jwt", "identity.jwt.issuer": ISSUER}
    jwt |= {"identity.jwt.audience": [AUDIENCE], "identity.jwt.jwks": str(tmp_path / "k.json")}
    missing = await check_callers(settings(tmp_path, **jwt))
    assert (missing.ok, "No such file" in missing.seen) == (False, True)
    assert "identity.jwt.jwks" in missing.mend
    (tmp_path / "k.json").write_bytes(Signer().document)
    found = await check_callers(settings(tmp_path, **jwt))
    assert (found.ok, found.seen) == (True, "identity.mode jwt, 1 keys of signed tokens")
    nobody = {"identity.jwt.jwks": "http://127.0.0.1:9/keys"}
    assert not (await check_callers(settings(tmp_path, **jwt | nobody))).ok
