"""What is optional in an installation, and what is said where it is missing."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from recollect.memory import ConfigError, MemoryOptions
from recollect.memory.api.library import library_options
from recollect.memory.util.extras import EXTRAS
from tests.config.loading import refused

ROOT = Path(__file__).parents[3]
MODULES = [module for packages in EXTRAS.values() for module in packages.values()]


def test_the_extras_are_those_of_the_package():
    """A command that is named installs what was missing."""
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    assert set(offered) == {*EXTRAS, "all"}
    assert offered["all"] == [f"recollect[{','.join(EXTRAS)}]"]


@pytest.mark.parametrize(
    ("extra", "module", "key", "environ"),
    [
        ("redis", "redis", "state.backend", {"STATE__BACKEND": "redis", "STATE__URL": "redis://h"}),
        (
            "postgres",
            "asyncpg",
            "history.backend",
            {"HISTORY__BACKEND": "postgres", "HISTORY__URL": "postgresql://h/d"},
        ),
        ("qdrant", "qdrant_client", "store.backend", {"STORE__BACKEND": "qdrant"}),
        ("chroma", "chromadb", "store.backend", {"STORE__BACKEND": "chroma"}),
        (
            "pgvector",
            "asyncpg",
            "store.backend",
            {"STORE__BACKEND": "pgvector", "STORE__URI": "postgresql://h/d"},
        ),
        (
            "server",
            "cryptography",
            "identity.mode",
            {
                "IDENTITY__MODE": "jwt",
                "IDENTITY__JWT__JWKS": "https://h/jwks",
                "IDENTITY__JWT__ISSUER": "i",
                "IDENTITY__JWT__AUDIENCE": "[a]",
            },
        ),
        (
            "otel",
            "opentelemetry.sdk",
            "telemetry.otlp_endpoint",
            {"TELEMETRY__OTLP_ENDPOINT": "http://h"},
        ),
    ],
)
def test_a_missing_extra_is_named_with_its_command(monkeypatch, extra, module, key, environ):
    """Before anything is opened, with the key that needs it."""
    monkeypatch.setitem(sys.modules, module, None)
    text = refused(environ={f"RECOLLECT_{name}": value for name, value in environ.items()})
    assert text.startswith(f"{key}: ")
    assert text.endswith(f"not installed: run `pip install 'recollect[{extra}]'`")


def test_the_library_names_it_too(monkeypatch):
    """As one of the errors about its options."""
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ConfigError, match=r"state.backend: redis needs .*'recollect\[redis\]'"):
        library_options(MemoryOptions(state={"backend": "redis", "url": "redis://h"}), None)


@pytest.mark.process
def test_without_the_extras_everything_else_is_imported():
    """Only the backends themselves need what they are named for."""
    program = f"""
import pkgutil, sys
sys.modules |= dict.fromkeys({[m.partition(".")[0] for m in MODULES]})
import recollect
for found in pkgutil.walk_packages(recollect.__path__, "recollect.", onerror=lambda name: None):
    if not found.name.startswith(("recollect.memory.state.redis", "recollect.memory.state.postgres",
                                  "recollect.memory.stores.milvus.lite_server", "recollect.__main__",
                                  "recollect.memory.stores.pgvector.", "recollect.memory.stores.qdrant.",
                                  "recollect.memory.stores.chroma.", "recollect.proxy.mcp.protocol")):
        __import__(found.name)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
