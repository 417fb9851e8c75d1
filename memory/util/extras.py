"""The optional parts of an installation (extras of the package), and how to get a missing one."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal

Extra = Literal["redis", "postgres", "server", "otel", "mcp", "qdrant", "pgvector", "chroma"]

EXTRAS: dict[Extra, dict[str, str]] = {
    "redis": {"redis": "redis"},
    "postgres": {"asyncpg": "asyncpg"},
    "server": {"PyJWT": "jwt", "cryptography": "cryptography"},
    "otel": {
        "opentelemetry-sdk": "opentelemetry.sdk",
        "opentelemetry-exporter-otlp-proto-http": "opentelemetry.exporter.otlp.proto.http",
    },
    "mcp": {"mcp": "mcp"},
    "qdrant": {"qdrant-client": "qdrant_client"},
    "pgvector": {"asyncpg": "asyncpg"},
    "chroma": {"chromadb": "chromadb"},
}
"""The packages that an extra of pyproject.toml brings, and the names that they are imported by."""

INDEX_EXTRAS: dict[str, Extra] = {
    "qdrant": "qdrant", "pgvector": "pgvector", "chroma": "chroma", "redis": "redis",
}  # fmt: skip
"""What an `index.backend` needs."""


def missing_extra(extra: Extra) -> str | None:
    """What is not installed and the command that installs it; None if the extra is there."""
    absent = [package for package, module in EXTRAS[extra].items() if not _is_installed(module)]
    if not absent:
        return None
    return f"needs {absent[0]}, which is not installed: run `pip install 'recollect[{extra}]'`"


def _is_installed(module: str) -> bool:
    """Whether it can be found; it is not imported, only the packages around it are."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
