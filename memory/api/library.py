"""What `AsyncMemory.open` and `Memory` add to options: a folder, and the environment's model."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

from ..embedders import LocalEmbedderOptions, OpenAIEmbedderOptions
from ..engine.engine import Engine
from ..engine.mem0_config import VARIABLES, translated
from ..engine.options import (
    DEFAULT_MODEL_DIR,
    DatabaseOptions,
    MemoryOptions,
    MilvusIndexOptions,
    contradictions,
    in_folder,
    read_options,
)
from ..llms import FixedModel, ModelServerOptions, OpenAIChatOptions
from ..llms.environment import (
    BASE_URL_VARIABLE,
    KEY_VARIABLE,
    ModelServer,
    model_from_environment,
    variables_set,
)
from ..model.errors import ConfigError
from ..util.tokens import ApproximateCounter

log = logging.getLogger(__name__)

M = TypeVar("M", bound=ModelServerOptions)
Given = MemoryOptions | Mapping[str, Any] | None
"""Options as callers give them."""


def library_options(given: Given, path: str | os.PathLike[str] | None) -> MemoryOptions:
    """Complete options: validated, in the folder `path`, with the servers of the environment.

    Makes the folder, for its owner only.

    Raises:
        ConfigError: names each key that is wrong, and the expected value.
    """
    options = _read(given)
    folder = None if path is None else _folder(path)
    if folder is not None:
        options = _placed(options, folder)
    problems = [f"{key}: {expected}" for key, expected in contradictions(options)]
    if problems:
        raise ConfigError("\n".join(problems))
    options = _with_environment(options)
    if folder is not None:
        _make(folder)
    return options


def library_model(options: MemoryOptions) -> FixedModel:
    """The model that extracts facts: `learn.llm`, else `llm`; without a key it raises ConfigError.

    The key is not required before the first use: without inference no model is asked.
    """
    setting, llm = _llm(options)
    wants = ModelServer(llm.base_url, llm.api_key).wants
    problem = "" if wants is None else f"{setting}.{wants[0]}: {wants[1]}"
    variables = {"base_url": BASE_URL_VARIABLE, "api_key": KEY_VARIABLE}
    return FixedModel(llm, setting, problem=problem, variables=variables)


def options_for_mem0(
    config: Mapping[str, Any], path: str | os.PathLike[str] | None
) -> tuple[Mapping[str, Any], str | os.PathLike[str] | None]:
    """The options and the folder that a configuration of mem0 means.

    Raises:
        ConfigError: a key has no equivalent; two folders are named; or the one of the configuration
            has another program's data.
    """
    found = translated(config, variables_set(VARIABLES))
    for note in found.notes:
        log.warning("%s", note)
    options = read_options(MemoryOptions, found.options)
    database = options.database.file
    if database is not None and not _is_ours(database):
        raise ConfigError(f"history: {database} is another program's file; name a new one")
    if found.folder is None:
        if (
            path is None
            and "database" not in found.options
            and "uri" in found.options.get("index", {})
        ):
            log.warning("%s", _ENDS)
        return found.options, path
    key = "vector_store.config.path"
    if path is not None:
        raise ConfigError(f"{key}: is given beside path; leave out one of the two")
    folder = _folder(found.folder)
    if not (folder / "recollect.db").exists() and folder.is_dir() and any(folder.iterdir()):
        raise ConfigError(f"{key}: {folder} has other data; name another folder by path")
    if database is None:
        return found.options, folder
    # The folder has the memories, and the database a place of its own.
    _make(folder)
    uri = options.index.placed(folder).folder
    return {**found.options, "index": {**found.options["index"], "uri": str(uri)}}, None


_ENDS = (
    "vector_store is an index of vectors here, and the memories end with this process: name a "
    "folder by `path`, or a database by history_db_path"
)


async def library_engine(options: MemoryOptions, stack: AsyncExitStack) -> Engine:
    """An engine with options of `library_options`; `stack` closes it. Raises as `Engine.open`."""
    models = library_model(options)
    stack.push_async_callback(models.close)
    return await stack.enter_async_context(
        Engine.open(without_own_model(options), models, tokens=ApproximateCounter())
    )


def without_own_model(options: MemoryOptions) -> MemoryOptions:
    """The options of an engine that is given `library_model`."""
    return options.model_copy(update={"learn": options.learn.model_copy(update={"llm": None})})


def _read(given: Given) -> MemoryOptions:
    if given is None:
        return MemoryOptions()
    if isinstance(given, MemoryOptions):
        return given
    if isinstance(given, Mapping):
        return read_options(MemoryOptions, given)
    raise ConfigError("options: expected MemoryOptions or a mapping; a folder is named by `path`")


def _llm(options: MemoryOptions) -> tuple[str, OpenAIChatOptions]:
    own = options.learn.llm
    return ("llm", options.llm) if own is None else ("learn.llm", own)


def _with_environment(options: MemoryOptions) -> MemoryOptions:
    learn = options.learn
    own = {
        name: _completed(model)
        for name, model in (("llm", learn.llm), ("vision", learn.vision))
        if model is not None
    }
    update: dict[str, Any] = {
        "llm": _completed(options.llm),
        "learn": learn.model_copy(update=own),
    }
    if isinstance(options.embedder, LocalEmbedderOptions) and options.embedder.model_dir is None:
        update["embedder"] = options.embedder.model_copy(update={"model_dir": DEFAULT_MODEL_DIR})
    if isinstance(options.embedder, OpenAIEmbedderOptions):
        server = model_from_environment(options.embedder.base_url, options.embedder.api_key)
        if server.wants is not None:
            raise ConfigError(f"embedder.{server.wants[0]}: {server.wants[1]}")
        update["embedder"] = options.embedder.model_copy(update=server._asdict())
    return options.model_copy(update=update)


def _completed(model: M) -> M:
    server = model_from_environment(model.base_url, model.api_key)
    return model.model_copy(update=server._asdict())


def _folder(path: str | os.PathLike[str]) -> Path:
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        raise ConfigError("path: expected the path of a folder")
    return Path(path).expanduser().absolute()


def _placed(options: MemoryOptions, folder: Path) -> MemoryOptions:
    """The options with every part in the folder, laid out as the proxy lays out its `data_dir`."""
    usual = {"index": MilvusIndexOptions(), "database": DatabaseOptions()}
    unset = {name: part for name, part in usual.items() if name not in options.model_fields_set}
    chosen = in_folder(options.model_copy(update=unset), folder)
    default = in_folder(options.model_copy(update=usual), folder)
    outside = [
        key
        for (key, place), (_, own) in zip(_places(chosen), _places(default), strict=True)
        if place != own
    ]
    if outside:
        wrong = f"contradicts path, which keeps this in {folder}; leave out one of the two"
        raise ConfigError("\n".join(f"{key}: {wrong}" for key in outside))
    return chosen


def _places(options: MemoryOptions) -> Iterator[tuple[str, Path | None]]:
    """The place of each part on this disk, with the key that decides it."""
    yield "database.url", options.database.file


def _is_ours(history: Path) -> bool:
    """Whether a history can be kept in this file: there is none, or it has one of ours."""
    if not history.exists() or not history.stat().st_size:
        return True
    uri = f"{history.as_uri()}?mode=ro"
    with (
        contextlib.suppress(sqlite3.Error),
        contextlib.closing(sqlite3.connect(uri, uri=True)) as db,
    ):
        found = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'memory_history'")
        return found.fetchone() is not None
    return False


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except FileExistsError:
        raise ConfigError(f"path: {folder} is not a folder") from None
    except OSError as error:
        raise ConfigError(f"path: {folder} cannot be made: {error.strerror}") from None
