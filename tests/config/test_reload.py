"""Which keys of a changed configuration count at once."""

import re
from pathlib import Path

import pytest

from recollect.config import Settings, load_settings
from recollect.config.reload import RELOADED, adopt, changed, is_reloaded, values_of


def read(tmp_path, **environ):
    given = {"DATA_DIR": str(tmp_path), **environ}
    return load_settings(environ={f"RECOLLECT_{name}": value for name, value in given.items()})


def test_each_reloaded_key_exists():
    """A key that is renamed must be renamed there."""
    known = values_of(Settings())
    for each in RELOADED:
        assert any(key == each or key.startswith(f"{each}.") for key in known), each


def test_what_differs_is_told_by_when_it_counts(tmp_path):
    """Keys that parts read at each use count now, others later; equal ones are not named."""
    old = values_of(read(tmp_path))
    new = values_of(read(tmp_path, RECALL__LIMIT="7", LISTEN__PORT="9999", API__TOKEN="t" * 20))
    found = changed(old, new)
    assert found.now == ("recall.limit",)
    assert found.later == ("api.token", "listen.port")
    assert changed(old, old).now == changed(old, old).later == ()


def test_a_section_that_comes_or_goes_waits(tmp_path):
    """`learn.llm` is a part that is opened: its keys count after a restart."""
    model = {"LEARN__LLM__MODEL": "m", "LEARN__LLM__BASE_URL": "http://localhost:1/v1"}
    found = changed(values_of(read(tmp_path)), values_of(read(tmp_path, **model)))
    assert found.now == ()
    assert "learn.llm.model" in found.later


def test_the_parts_see_what_is_adopted(tmp_path):
    """The very objects that parts hold have the new values; other values stay."""
    settings = read(tmp_path)
    held, port = settings.recall, settings.listen.port
    wanted = values_of(read(tmp_path, RECALL__LIMIT="7", RETENTION__TTL_DAYS__EPISODIC="30"))
    adopt(settings, {key: value for key, value in wanted.items() if is_reloaded(key)})
    assert (held.limit, settings.retention.ttl_days.episodic) == (7, 30)
    assert settings.listen.port == port
    with pytest.raises(ValueError, match="frozen"):
        held.limit = 3


def test_the_page_lists_the_keys():
    """docs/deploy.md names each key that counts at once, and no other."""
    page = (Path(__file__).parents[2] / "docs/deploy.md").read_text()
    section = page.split("## Changed configuration")[1].split("\n## ")[0]
    listed = section.split("recollect worker`:\n")[1].split("The log says")[0]
    assert tuple(re.findall(r"`([a-z_.]+)`", listed)) == RELOADED
