"""The public keys of signed tokens."""

import json

import pytest
from aiohttp import web

from recollect.config.identity import JwtOptions
from recollect.proxy.access import jwks
from recollect.proxy.access.jwks import SigningKeys, keys_in
from tests.support.clock import Stepped
from tests.support.signing import JWT, Signer
from tests.support.waiting import until


def options(place, **more):
    return JwtOptions(**JWT, jwks=str(place), **more)


def test_only_keys_for_signatures_count():
    """A secret, a key for encryption, or one that is not understood, verifies nothing."""
    signer = Signer("good")
    [good] = json.loads(signer.document)["keys"]
    others = [
        {"kty": "oct", "k": "c2VjcmV0", "kid": "secret"},
        {**good, "use": "enc", "kid": "enc"},
        {"kty": "new", "kid": "new"},
        "text",
    ]
    assert list(keys_in(json.dumps({"keys": [*others, good]}).encode())) == ["good"]


async def test_a_file_is_read_again_when_it_changes(tmp_path, caplog):
    """New keys count at once; a damaged file leaves the keys that were read before."""
    path = tmp_path / "keys.json"
    path.write_bytes(Signer("one").document)
    async with SigningKeys(options(path)).running():
        keys = SigningKeys(options(path))
        assert list(keys.known) == ["one"]
        path.write_bytes(Signer("another").document)
        assert list(keys.known) == ["another"]
        path.write_text("damaged")
        assert list(keys.known) == ["another"]
        path.unlink()
        assert list(keys.known) == ["another"]
    assert "identity.jwt.jwks" in caplog.text


class Issuer:
    """A server of keys, whose answer the test chooses."""

    def __init__(self):
        self.document, self.status, self.asked = b"", 200, 0

    async def answer(self, _request):
        self.asked += 1
        return web.Response(status=self.status, body=self.document)


@pytest.fixture
async def issuer(aiohttp_server):
    served = Issuer()
    app = web.Application()
    app.router.add_get("/keys", served.answer)
    served.url = str((await aiohttp_server(app)).make_url("/keys"))
    return served


@pytest.fixture
def clock():
    return Stepped()


async def test_an_address_is_read_again(issuer, clock):
    """Later keys are found in time, and an outage takes none away."""
    issuer.document = Signer("one").document
    keys = SigningKeys(options(issuer.url), clock=clock)
    async with keys.running():
        assert list(keys.known) == ["one"]
        issuer.document = Signer("two").document
        await clock.slept(jwks.REFRESH_SECONDS)
        await until(lambda: list(keys.known) == ["two"])
        issuer.status = 500
        await clock.slept(jwks.REFRESH_SECONDS)
        await until(lambda: jwks.REFRESH_SECONDS in clock.asleep)
        assert issuer.asked == 3
        assert list(keys.known) == ["two"]


async def test_a_token_with_a_new_key_has_them_read_early(issuer, clock):
    """Long before the next time, but not with every such token."""
    issuer.document = Signer("one").document
    keys = SigningKeys(options(issuer.url), clock=clock)
    async with keys.running():
        issuer.document = Signer("two").document
        await until(lambda: clock.asleep)
        keys.missed()
        await clock.slept(jwks.EARLY_SECONDS)
        await until(lambda: list(keys.known) == ["two"])
        assert issuer.asked == 2


async def test_an_address_that_does_not_answer_is_tried_again(issuer, caplog, clock):
    """The server starts all the same, and lets in whom it can later."""
    issuer.status = 503
    keys = SigningKeys(options(issuer.url), clock=clock)
    async with keys.running():
        assert not keys.known
        issuer.document, issuer.status = Signer("one").document, 200
        await clock.slept(jwks.REFRESH_SECONDS)
        await until(lambda: keys.known)
    assert "503" in caplog.text


async def test_a_huge_answer_is_refused(issuer, caplog):
    """It is not read to its end."""
    issuer.document = b" " * (2**21)
    async with SigningKeys(options(issuer.url)).running():
        pass
    assert "more than" in caplog.text
