"""The documented configuration is the real one."""

from pathlib import Path

import yaml

from recollect.config import Settings, load_settings

ROOT = Path(__file__).parents[2]
DEFAULTS = ROOT / "config" / "default.yaml"


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
