"""What is said of options that cannot be used."""

from __future__ import annotations

import re
from typing import Any

import pytest

from recollect.config import Settings
from recollect.memory import MemoryOptions
from recollect.memory.engine.mem0_config import KEYS_HERE
from recollect.memory.engine.option_errors import (
    MOST,
    keys_of,
    likely,
    meant,
    without_empty_sections,
)
from recollect.memory.engine.options import read_options
from recollect.memory.model.errors import ConfigError
from tests.support.folding import rows


def refused(values, model=Settings):
    with pytest.raises(ConfigError) as caught:
        read_options(model, values)
    return str(caught.value)


@rows(
    "wrong, line",
    [
        ({"recal": {}}, "recal: unknown key; did you mean recall?"),
        ({"recall": {"limt": 3}}, "recall.limt: unknown key; did you mean recall.limit?"),
        ({"recall_limit": 3}, "recall_limit: unknown key; did you mean recall.limit?"),
        ({"index": {"url": "x"}}, "index.url: unknown key; did you mean index.uri?"),
        (
            {"learn": {"llm": {"base_ulr": "x"}}},
            "learn.llm.base_ulr: unknown key; did you mean learn.llm.base_url?",
        ),
        ({"colours": 3}, "colours: unknown key"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_known_one(wrong, line):
    """Of its own section first, else the key that is spelled almost like it."""
    assert refused(wrong) == line


EARLIER = ("store", "state", "history", "index.api_key", "learn.summaries", "recall.fusion",
           "retention.turn_days", "upkeep.consolidate")  # fmt: skip


@rows("key", EARLIER)
def test_a_key_of_an_earlier_commit_is_told_what_took_its_place(key):
    """Each name that is told can be set."""
    values: Any = "x"
    for name in reversed(key.split(".")):
        values = {name: values}
    told = refused(values)
    assert told == f"{key}: unknown key: it {KEYS_HERE[key]}"
    named = re.findall(r"[a-z_]+(?:\.[a-z_]+)+", KEYS_HERE[key])
    kept = set(keys_of(Settings)) | {"retention.erase_days.turns", "upkeep.kinds.summaries"}
    assert named
    assert set(named) <= kept


@rows(
    "wrong, line",
    [
        ({"recall": {"limit": "abc"}}, "recall.limit: expected a whole number"),
        ({"recall": {"limit": 0}}, "recall.limit: expected at least 1"),
        ({"recall": {"threshold": "low"}}, "recall.threshold: expected a number"),
        ({"recall": {"enabled": "maybe"}}, "recall.enabled: expected true or false"),
        (
            {"upstream": "http://h/v1"},
            "upstream: expected keys below it, such as upstream.base_url",
        ),
        (
            {"learn": {"llm": "https://h/v1"}},
            (
                "learn.llm: expected keys below it, such as learn.llm.provider, "
                "learn.llm.base_url or learn.llm.model"
            ),
        ),
        ({"listen": {"host": 3}}, "listen.host: expected text"),
        ({"listen": {"allowed_hosts": "a"}}, "listen.allowed_hosts: expected a list"),
        ({"learn": {"idle_seconds": 0}}, "learn.idle_seconds: expected more than 0"),
        ({"identity": {"tenants": 3}}, "identity.tenants: expected keys with values"),
        ({"database": {"synchronous": "x"}}, "database.synchronous: expected 'normal' or 'full'"),
        (
            {"embedder": {"backend": "opnai"}},
            "embedder: expected the backend 'local', 'onnx', 'openai', 'fake'",
        ),
    ],
)
def test_a_value_is_refused_with_what_was_expected(wrong, line):
    """In plain words, without the value."""
    assert refused(wrong) == line


def test_an_empty_section_is_none():
    """A section whose lines are all commented out has its defaults; a key that may be unset stays."""
    for section in ("recall", "listen", "index", "embedder", "retention"):
        assert read_options(Settings, {section: None}) == read_options(Settings, {})
    values = {"retention": {"ttl_days": None, "max_memories": None}, "learn": {"llm": None}}
    assert without_empty_sections(values, Settings) == {
        "retention": {"max_memories": None},
        "learn": {"llm": None},
    }


@rows(
    "key, found",
    [
        ("upstream_base_url", ("upstream.base_url",)),
        ("BASE-URL", ("upstream.base_url", "embedder.base_url", "learn.llm.base_url")),
        ("upstream_url", ("upstream.base_url",)),
        ("port", ("listen.port",)),
        ("llm.api_key", ("learn.llm.api_key",)),
        ("learn.model", ("learn.llm.model", "learn.vision.model", "learn.llm.fallback.model")),
        ("recall.limt", ("recall.limit",)),
        ("datadir", ("data_dir",)),
        ("colours", ()),
        ("", ()),
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


@rows(
    "section, value, found",
    [
        ("upstream", "http://h/v1", ("upstream.base_url",)),
        ("identity", "gateway", ("identity.mode",)),
        ("api", "off", ("api.enabled",)),
        ("learn.llm", "gpt", ("learn.llm.provider", "learn.llm.base_url", "learn.llm.model")),
        ("upstream", [], ()),
        ("upstream", {}, ()),
    ],
)
def test_the_keys_that_take_a_value(section, value, found):
    """Those that take it and not every text come first; a list or keys are nobody's value."""
    assert likely(section.split("."), value, Settings) == found


def test_only_keys_of_the_model_are_told():
    """The library has no upstream."""
    assert refused({"upstream": {}}, MemoryOptions) == "upstream: unknown key"
    assert meant("port", MemoryOptions) == ()
    assert likely(["upstream"], "http://h/v1", MemoryOptions) == ()
