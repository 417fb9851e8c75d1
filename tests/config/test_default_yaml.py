"""The documented configuration is the real one."""

import importlib.util
import itertools
from pathlib import Path

import pytest
import yaml

from recollect.config import Settings, load_settings

ROOT = Path(__file__).parents[2]
DEFAULTS = ROOT / "config" / "default.yaml"


@pytest.fixture(scope="module")
def tool():
    """`tools/document_config.py` as a module."""
    spec = importlib.util.spec_from_file_location(
        "document_config", ROOT / "tools/document_config.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_file_is_exactly_the_defaults():
    """Every key of it is known, and none changes anything."""
    written = yaml.safe_load(DEFAULTS.read_text("utf-8"))
    assert Settings.model_validate(written) == Settings()
    assert load_settings(path=DEFAULTS, environ={}) == load_settings(environ={})


def test_the_file_names_every_key():
    """Nothing that can be configured by default is left out."""

    def keys(model):
        return {
            name: keys(value) if hasattr(type(value), "model_fields") else None
            for name in type(model).model_fields
            for value in [getattr(model, name)]
        }

    def names(values, known):
        return {
            name: names(value, known[name]) if known[name] is not None else None
            for name, value in values.items()
        }

    written = yaml.safe_load(DEFAULTS.read_text("utf-8"))
    known = keys(Settings())
    assert names(written, known) == known


def test_every_key_is_described():
    """Above each key stands what it is for."""
    lines = DEFAULTS.read_text("utf-8").splitlines()
    for before, line in itertools.pairwise(lines):
        if ":" in line and not line.lstrip().startswith("#"):
            assert before.lstrip().startswith("#"), line


def test_the_documents_are_current(tool, monkeypatch, capsys):
    """`make docs` would change nothing."""
    monkeypatch.setattr("sys.argv", ["document_config.py", "--check"])
    assert tool.main() == 0, capsys.readouterr().out


def test_the_check_notices_a_change(tool, monkeypatch, capsys, tmp_path):
    """A document that is not what the models say fails, and is named."""
    stale = tmp_path / "default.yaml"
    stale.write_text(DEFAULTS.read_text("utf-8").replace("8787", "8788"))
    monkeypatch.setattr(tool, "YAML_FILE", stale)
    monkeypatch.setattr("sys.argv", ["document_config.py", "--check"])
    assert tool.main() == 1
    assert "default.yaml" in capsys.readouterr().out


def test_the_page_has_every_backend(tool):
    """Alternatives that are not the default are documented too."""
    page = tool.configuration_page()
    for key in ("`embedder.dim`", "`embedder.base_url`", "`store.uri`", "`learn.llm.api_key`"):
        assert key in page
