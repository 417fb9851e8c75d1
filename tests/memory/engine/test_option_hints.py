"""Which keys somebody may have meant."""

from __future__ import annotations

import pytest

from recollect.config import Settings
from recollect.memory import MemoryOptions
from recollect.memory.engine.option_hints import MOST, keys_of, likely, meant


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("upstream_base_url", ("upstream.base_url",)),
        ("BASE-URL", ("upstream.base_url", "embedder.base_url", "learn.llm.base_url")),
        ("upstream_url", ("upstream.base_url",)),
        ("port", ("listen.port",)),
        ("llm.api_key", ("learn.llm.api_key",)),
        ("learn.model", ("learn.llm.model", "learn.vision.model")),
        ("recall.limt", ("recall.limit",)),
        ("lisen", ("listen",)),
        ("datadir", ("data_dir",)),
        ("colours", ()),
        ("", ()),
        ("_", ()),
        ("..", ()),
    ],
)
def test_the_keys_that_may_have_been_meant(key, found):
    """Other separators, the section left out or a part of it, a slip of the hand; else none."""
    assert meant(key, Settings) == found


def test_every_key_without_its_section_is_found():
    """Or three that end like it."""
    for key in keys_of(Settings):
        name = key.rpartition(".")[2]
        if name not in Settings.model_fields:
            found = meant(name, Settings)
            assert 0 < len(found) <= MOST
            assert all(each.endswith(name.split("_")[-1]) for each in found), (name, found)


@pytest.mark.parametrize(
    ("section", "value", "found"),
    [
        ("upstream", "http://h/v1", ("upstream.base_url",)),
        ("identity", "gateway", ("identity.mode",)),
        ("api", "off", ("api.enabled", "api.mem0_server")),
        ("learn.llm", "gpt", ("learn.llm.base_url", "learn.llm.model", "learn.llm.api_key")),
        ("upstream", [], ()),
        ("upstream", {}, ()),
    ],
)
def test_the_keys_that_take_a_value(section, value, found):
    """Those that take it and not every text come first; a list or keys are nobody's value."""
    assert likely(section.split("."), value, Settings) == found


def test_only_keys_of_the_model_are_told():
    """The library has no upstream."""
    assert meant("port", MemoryOptions) == ()
    assert likely(["upstream"], "http://h/v1", MemoryOptions) == ()
