"""Commands as a person calls them, with settings of the test only."""

import os

import pytest

from tests.support.ports import free_port


@pytest.fixture(autouse=True)
def environ(monkeypatch, tmp_path):
    """No setting of this machine; a data folder of the test's own."""
    for name in list(os.environ):
        if name.startswith("RECOLLECT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("RECOLLECT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER__BACKEND", "fake")
    monkeypatch.setenv("RECOLLECT_INDEX__BACKEND", "exact")
    # Not the usual one: whoever runs the tests may be using the product.
    monkeypatch.setenv("RECOLLECT_LISTEN__PORT", str(free_port()))
    return monkeypatch
