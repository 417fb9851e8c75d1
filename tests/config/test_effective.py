"""The configuration in force, as people read it."""

import json

import pytest

from recollect.config import load_settings
from recollect.config.effective import HIDDEN, _public, effective
from recollect.config.reload import adopt
from tests.support.folding import rows


@pytest.fixture
def of(tmp_path):
    """The rows by key, of a file's text, variables and flags."""

    def read(text="", environ=None, **flags):
        path = tmp_path / "config.yaml"
        path.write_text(text)
        given = {"data_dir": str(tmp_path)} | {k.replace("__", "."): v for k, v in flags.items()}
        settings = load_settings(path=path, environ=environ or {}, flags=given)
        read.settings = settings
        return {row["key"]: row for row in effective(settings)}

    return read


def test_each_key_says_where_its_value_comes_from(of):
    """Later sources win; what is not set has its default."""
    text = "recall: {limit: 7, deadline_ms: 100}\nlisten: {port: 1}"
    environ = {"RECOLLECT_RECALL__DEADLINE_MS": "200", "RECOLLECT_LISTEN__PORT": "2"}
    found = of(text, environ, listen__port=3)
    told = {key: (found[key]["value"], found[key]["source"]) for key in found}
    assert told["recall.limit"] == (7, "file")
    assert told["recall.deadline_ms"] == (200, "variable RECOLLECT_RECALL__DEADLINE_MS")
    assert told["listen.port"] == (3, "flag")
    assert told["recall.threshold"] == (0.5, "default")
    assert (found["recall.limit"]["default"], found["recall.limit"]["secret"]) == (8, False)
    assert found["recall.limit"]["help"]


def test_a_section_in_one_variable_is_its_source(of):
    """Of every key in it, and of a map that a file has entry by entry."""
    found = of(
        "api: {tenant_limits: {acme: {max_body_bytes: 7000}}}",
        {"RECOLLECT_LEARN": "{concurrency: 3}"},
    )
    assert found["learn.concurrency"]["source"] == "variable RECOLLECT_LEARN"
    assert found["api.tenant_limits"]["source"] == "file"
    assert found["api.tenant_limits"]["value"]["acme"]["max_body_bytes"] == 7000


def test_no_secret_is_told(of):
    """Neither a token, nor a key of a tenant, nor what an address holds."""
    text = """
api: {token: s3cret-token-of-the-api}
identity: {tenants: {acme: s3cret-key}}
index: {uri: "http://me:s3cret@host:19530"}
database: {url: "postgresql://u:s3cret@localhost/d"}
events: {webhook: {url: "https://host/hook?token=s3cret", secret: s3cret-s3cret-s3cret-s3cret}}
"""
    found = of(text)
    assert "s3cret" not in json.dumps(found)
    assert (found["api.token"]["value"], found["api.token"]["secret"]) == (HIDDEN, True)
    assert found["identity.tenants"]["value"] == {"acme": HIDDEN}
    assert found["index.uri"]["value"] == f"http://{HIDDEN}@host:19530"
    assert found["index.token"]["value"] is None


def test_a_reload_is_seen(of):
    """What counts now is told, not what was read at the start; all of it is JSON."""
    assert len(json.loads(json.dumps(list(of().values())))) > 100
    adopt(of.settings, {"recall.limit": 9})
    [row] = [row for row in effective(of.settings) if row["key"] == "recall.limit"]
    assert row["value"] == 9


@rows(
    "text, shown",
    [
        ("https://host/v1", "https://host/v1"),
        ("https://a:b/c@host", f"https://{HIDDEN}@host"),
        ("https://host/v1?key=x", f"https://host/v1?{HIDDEN}"),
        ("see https://host/?x", "see https://host/?x"),
        ("plain", "plain"),
    ],
)
def test_an_address_loses_what_may_be_secret(text, shown):
    """User, password and parameters; a text that is no address stays."""
    assert _public(text) == shown
