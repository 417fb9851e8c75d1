"""Installations that are broken on purpose: `recollect check` says what it is and what to do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import web
from aiohttp.test_utils import TestServer

from recollect.config import load_settings
from recollect.proxy.commands.checks import check
from recollect.proxy.commands.findings import render
from tests.proxy.commands.answering import Upstream
from tests.support.ports import free_port
from tests.support.postgres_server import empty_database

TOLD = {
    "the weights are missing": (
        "embedder",
        "No such file or directory",
        "run recollect models fetch, or choose another embedder.backend",
    ),
    "the upstream does not answer": (
        "upstream",
        "connection refused",
        "check upstream.base_url, the network, and that the server runs",
    ),
    "the upstream answers 5xx": ("upstream", "answers 503", "see the log of that server"),
    "Redis does not answer": (
        "redis",
        "redis failed",
        "check redis.url, the network, and that Redis runs",
    ),
    "Milvus does not answer": (
        "index",
        "Fail connecting to server",
        "check index.uri, the network, and that Milvus runs",
    ),
    "PostgreSQL does not answer": (
        "database",
        "PostgreSQL at",
        "check database.url, the network, and that PostgreSQL runs",
    ),
    "the model of learn.llm does not answer": (
        "learn.llm",
        "model_unreachable",
        "check the address and that the server runs",
    ),
    "data_dir is a file": (
        "data_dir",
        "is not a folder",
        "set data_dir (RECOLLECT_DATA_DIR) to a writable folder",
    ),
    "another program has the port": ("proxy", "another program uses", "choose another listen.port"),
    "a language file is wrong": ("languages", "pl.toml:1", "correct the named line"),
    "the database is damaged": ("database", "is damaged", ""),
}
"""What is broken: the part, what is said of it, and the advice."""


def broken(folder: Path, postgres: str) -> dict[str, dict[str, str]]:
    """The settings of each installation; makes the files that are wrong."""
    down = f"127.0.0.1:{free_port()}"
    (folder / "file").touch()
    (folder / "packs").mkdir()
    (folder / "packs/pl.toml").write_text("terms = [")
    (folder / "damaged").mkdir()
    (folder / "damaged/recollect.db").write_text("this is no database")
    return {
        "the weights are missing": {
            "EMBEDDER__BACKEND": "local",
            "EMBEDDER__MODEL_DIR": str(folder / "none"),
        },
        "the upstream does not answer": {"UPSTREAM__BASE_URL": f"http://{down}/v1"},
        "Redis does not answer": {
            "DATABASE__URL": postgres,
            "REDIS__URL": f"redis://{down}/0",
        },
        "Milvus does not answer": {"INDEX__BACKEND": "milvus", "INDEX__URI": f"http://{down}"},
        "PostgreSQL does not answer": {
            "DATABASE__URL": f"postgresql://{down}/recollect",
        },
        "the model of learn.llm does not answer": {
            "LEARN__LLM__MODEL": "m",
            "LEARN__LLM__BASE_URL": f"http://{down}/v1",
        },
        "data_dir is a file": {"DATA_DIR": str(folder / "file")},
        "a language file is wrong": {"LANGUAGE__PACKS": str(folder / "packs")},
        "the database is damaged": {"DATA_DIR": str(folder / "damaged")},
    }


@asynccontextmanager
async def another_program() -> AsyncIterator[int]:
    """A server that is no Recollect; its port."""
    async with TestServer(web.Application()) as server:
        yield server.port or 0


async def test_each_broken_installation_is_told(tmp_path, postgres):
    """The named part fails with the quoted words and advice, and no other has a cause of its own."""
    async with (
        Upstream(200) as fine,
        Upstream(503) as ill,
        another_program() as port,
        empty_database(postgres) as url,
    ):
        installations = broken(tmp_path, url) | {
            "the upstream answers 5xx": {"UPSTREAM__BASE_URL": ill.base_url},
            "another program has the port": {"LISTEN__PORT": str(port)},
        }
        usual = {
            "DATA_DIR": str(tmp_path / "data"),
            "EMBEDDER__BACKEND": "fake",
            "INDEX__BACKEND": "exact",
            "UPSTREAM__BASE_URL": fine.base_url,
            "LISTEN__PORT": str(free_port()),
        }
        assert set(TOLD) == set(installations)
        for name, settings in installations.items():
            environ = {f"RECOLLECT_{key}": value for key, value in (usual | settings).items()}
            await told(name, TOLD[name], environ)


async def told(name: str, row: tuple[str, str, str], environ: dict[str, str]) -> None:
    """Fails if the check says anything else than the row."""
    part, words, advice = row
    findings = await check(load_settings(environ=environ))
    found = {one.part: one for one in findings if not one.ok}
    assert part in found, f"{name}: {render(findings)}"
    assert words in found[part].seen, f"{name}: {found[part]}"
    assert advice in found[part].mend.replace("`", ""), f"{name}: {found[part]}"
    assert (advice == "") == (found[part].mend == ""), f"{name}: {found[part]}"
    for other in found.values():
        if other is not found[part]:
            assert other.seen == f"not tried: it needs {part}", f"{name}: {other}"
