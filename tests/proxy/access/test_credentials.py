"""Clients' credentials: in memory, bounded, never shown."""

import pytest

from recollect.config.server import UpstreamOptions
from recollect.proxy.access import credentials
from recollect.proxy.access.credentials import ClientModels


@pytest.fixture
async def models():
    source = ClientModels(UpstreamOptions(base_url="http://upstream.test/v1"))
    yield source
    await source.close()


async def test_a_tenant_gets_its_own_credential_and_the_conversations_model(models):
    """The job's model at the upstream, with the credential of the tenant's last request."""
    assert models.note("acme", "key-a", "gpt")
    assert models.note("other", "key-b", "gpt")
    options = (await models("acme", "another")).options
    assert (options.base_url, options.model) == ("http://upstream.test/v1", "another")
    assert options.api_key.get_secret_value() == "key-a"


async def test_the_last_credential_and_model_count(models):
    """A rotated key is used from the next request on; no model named means the last one's."""
    models.note("acme", "old", "m1")
    first = await models("acme")
    models.note("acme", "new", "m2")
    options = (await models("acme")).options
    assert (options.api_key.get_secret_value(), options.model) == ("new", "m2")
    models.note("acme", "new", "m1")
    again = await models("acme", "m1")
    assert again is not first
    assert again.options.api_key.get_secret_value() == "new"


async def test_both_tables_are_bounded(monkeypatch):
    """The longest unused tenant and model go first."""
    monkeypatch.setattr(credentials, "MAX_TENANTS", 3)
    monkeypatch.setattr(credentials, "MAX_MODELS", 2)
    models = ClientModels(UpstreamOptions())
    for name in ("a", "b", "c", "a", "d"):
        models.note(name, "k", "m")
    assert await models("b") is None
    kept = await models("a")
    for name in ("c", "d"):
        await models(name)
    assert len(models._models) == 2
    assert await models("a") is not kept
    await models.close()


async def test_nothing_shows_a_credential(models):
    """Not the table, not a model, not its options."""
    models.note("acme", "sk-secret", "m")
    shown = [repr(models.__dict__), repr((await models("acme")).options)]
    assert not any("sk-secret" in text for text in shown)
