"""Options of an engine and of a stand-alone memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from ..database import DatabaseOptions
from ..database.options import MEMORY
from ..embedders import EmbedderOptions, LocalEmbedderOptions, OpenAIEmbedderOptions
from ..forget import RetentionOptions
from ..graph import GraphOptions
from ..index import ExactIndexOptions, IndexOptions, MilvusIndexOptions
from ..language.options import LanguageOptions
from ..learn import LearnOptions
from ..llms import ModelServerOptions, OpenAIChatOptions
from ..model.errors import ConfigError
from ..model.options_base import Options
from ..model.visible_scope import VisibilityOptions
from ..recall import RecallOptions
from ..state import RedisOptions
from ..trust.options import TrustOptions
from ..trust.policy import Policy, PolicyRule, wrong_places
from ..upkeep import UpkeepOptions
from ..util.destinations import Destination
from ..util.extras import INDEX_EXTRAS, missing_extra
from .option_errors import Problem, problems_of, without, without_empty_sections

__all__ = [
    "DEFAULT_MODEL_DIR",
    "DatabaseOptions",
    "EmbedderOptions",
    "EngineOptions",
    "GraphOptions",
    "IndexOptions",
    "LanguageOptions",
    "LearnOptions",
    "LocalEmbedderOptions",
    "MemoryOptions",
    "MilvusIndexOptions",
    "ModelServerOptions",
    "OpenAIChatOptions",
    "OpenAIEmbedderOptions",
    "Problem",
    "RecallOptions",
    "RedisOptions",
    "RetentionOptions",
    "TrustOptions",
    "UpkeepOptions",
    "VisibilityOptions",
    "contradictions",
    "examine",
    "in_folder",
    "read_options",
    "wrong_places",
]

DEFAULT_MODEL_DIR = Path("~/.recollect/models")
"""Where `make setup` and `recollect models fetch` put the weights."""


class EngineOptions(Options):
    """Options of `Engine.open`. By default nothing outlives the process."""

    identity: VisibilityOptions = Field(default_factory=VisibilityOptions)
    recall: RecallOptions = Field(default_factory=RecallOptions)
    learn: LearnOptions = Field(default_factory=LearnOptions)
    trust: TrustOptions = Field(default_factory=TrustOptions)
    retention: RetentionOptions = Field(default_factory=RetentionOptions)
    upkeep: UpkeepOptions = Field(default_factory=UpkeepOptions)
    graph: GraphOptions = Field(default_factory=GraphOptions)
    language: LanguageOptions = Field(default_factory=LanguageOptions)
    embedder: EmbedderOptions = Field(
        default_factory=lambda: LocalEmbedderOptions(model_dir=DEFAULT_MODEL_DIR)
    )
    index: IndexOptions = Field(default_factory=ExactIndexOptions)
    database: DatabaseOptions = Field(default_factory=lambda: DatabaseOptions(url=MEMORY))
    redis: RedisOptions = Field(default_factory=RedisOptions)


class MemoryOptions(EngineOptions):
    """Options of `AsyncMemory.open` and `Memory`."""

    llm: OpenAIChatOptions = Field(default_factory=OpenAIChatOptions)
    """The model that extracts facts, unless `learn.llm` names one. The library completes its
    `base_url` and `api_key` from the environment."""


E = TypeVar("E", bound=EngineOptions)
M = TypeVar("M", bound=BaseModel)

_DEFAULT_BACKENDS = {
    "embedder": LocalEmbedderOptions.model_fields["backend"].default,
    "index": MilvusIndexOptions.model_fields["backend"].default,
}
"""The backend of a part that is configured without naming one."""


def read_options(model: type[M], values: Mapping[str, Any]) -> M:
    """Validate nested mappings, such as a configuration file has.

    Raises:
        ConfigError: a key is unknown or a value is not what was expected.
    """
    options, problems = examine(model, values)
    if options is None or problems:
        raise ConfigError("\n".join(map(str, problems)))
    return options


def examine(model: type[M], values: Mapping[str, Any]) -> tuple[M | None, list[Problem]]:
    """The same, with every problem told, and the options without the values that have one.

    No options if what is left cannot be used either.
    """
    values = without_empty_sections(values, model)
    for part, default in _DEFAULT_BACKENDS.items():
        chosen = values.get(part)
        if isinstance(chosen, Mapping) and "backend" not in chosen:
            values[part] = {"backend": default, **chosen}
    try:
        return model.model_validate(values), []
    except ValidationError as error:
        problems = problems_of(error, model)
    try:
        return model.model_validate(without(values, [each.path for each in problems])), problems
    except ValidationError:
        return None, problems


def in_folder(options: E, folder: Path) -> E:
    """The options with an absolute place for each part; those that name none are in `folder`."""
    measured = options.recall.calibration
    calibration = folder / "calibration.json" if measured is None else measured.expanduser()
    return options.model_copy(
        update={
            "recall": options.recall.model_copy(update={"calibration": calibration.absolute()}),
            "index": options.index.placed(folder),
            "database": options.database.placed(folder / "recollect.db"),
        }
    )


def contradictions(options: EngineOptions) -> Iterator[tuple[str, str]]:
    """Options that contradict each other, or lack an extra: the key of each, what was expected."""
    yield from _without_extras(options)
    if options.redis.url is not None and options.database.kind != "postgres":
        yield "redis.url", "is for processes that share a PostgreSQL: expected one in database.url"
    if options.database.encryption is not None:
        yield from _unsealable(options)
    yield from told_all(options, options.trust.policy, "trust.policy")
    file, folder = options.database.file, options.index.folder
    if file is not None and folder is not None and (place := folder.resolve()) == file.resolve():
        yield "index.uri", f"expected a place of its own: {place} is that of database.url"


def _unsealable(options: EngineOptions) -> Iterator[tuple[str, str]]:
    """What a key for each user lacks, or would be kept in the open beside."""
    if missing := missing_extra("server"):
        yield "database.encryption", f"per_user {missing}"
    if options.database.master_key is None:
        yield "database.master_key", "expected the key that wraps those of users, as they are on"
    if options.index.backend != "exact":
        yield (
            "index.backend",
            "keeps vectors in the open: expected exact, as database.encryption is per_user",
        )


def told_all(
    options: EngineOptions, rules: Sequence[PolicyRule], key: str
) -> Iterator[tuple[str, str]]:
    """An embedder is sent the text of every memory: none may be kept from its server."""
    embedder = options.embedder
    if not isinstance(embedder, OpenAIEmbedderOptions):
        return
    to = Destination.of_server(embedder.base_url, embedder.model)
    if Policy(tuple(rules)).of([to]).withholds:
        told = f"keeps memories from {to.host}, where the embedder sends the text of each: expected"
        yield key, f"{told} a local embedder, or rules that are not about it"


def _without_extras(options: EngineOptions) -> Iterator[tuple[str, str]]:
    extra = INDEX_EXTRAS.get(options.index.backend)
    if extra is not None and (missing := missing_extra(extra)):
        yield "index.backend", f"{extra} {missing}"
    if options.redis.url is not None and (missing := missing_extra("redis")):
        yield "redis.url", f"redis {missing}"
    if options.database.kind == "postgres" and (missing := missing_extra("postgres")):
        yield "database.url", f"postgres {missing}"


def unshareable(options: EngineOptions) -> Iterator[tuple[str, str]]:
    """The options with which no two processes work on the same memories, and what is expected."""
    if options.database.kind == "inmemory":
        yield "database.url", "expected a file or a PostgreSQL: several processes share it"
