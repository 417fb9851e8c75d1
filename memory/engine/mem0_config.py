"""A configuration of mem0's library, in our options. Pure.

What has an equivalent is translated, what chooses nothing here is left out, and anything else is
refused by its name: a memory that is not kept where it was asked for is worse than none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from ..model.errors import ConfigError
from ..model.suggestions import nearest
from ..util.providers import provider


@dataclass(frozen=True, slots=True)
class Translated:
    """Options as a mapping, and the folder that the configuration names."""

    options: dict[str, Any]
    folder: str | None = None
    notes: tuple[str, ...] = ()
    """What a person should know who wrote it: a line each."""


@dataclass(frozen=True, slots=True)
class _Server:
    """How a provider of models with OpenAI's API is named."""

    address: str
    """The key with its address; `base_url` is one too."""
    usual: str | None = None
    """The address without that key; None is OpenAI's, or what the environment names."""
    name: str | None = None
    """Ours, if its key and its model are those of our table."""
    below: str = ""
    """What is appended to the address if it is not there."""

    def base_url(self, said: Mapping[str, Any]) -> Any:
        given = said.get(self.address) or said.get("base_url")
        url = given or (None if self.name else self.usual)
        if not isinstance(url, str) or not self.below or url.rstrip("/").endswith(self.below):
            return url
        return url.rstrip("/") + self.below


def _ours(name: str) -> _Server:
    known = provider(name)
    return _Server(f"{name}_base_url", known.base_url, name=name, below=known.below)


_SERVERS = {
    "openai": _Server("openai_base_url"),
    "ollama": _Server("ollama_base_url", "http://localhost:11434", below="/v1"),
    "lmstudio": _Server("lmstudio_base_url", "http://localhost:1234/v1"),
    "vllm": _Server("vllm_base_url", "http://localhost:8000/v1"),
    "deepseek": _Server("deepseek_base_url", provider("deepseek").base_url),
    **{name: _ours(name) for name in ("anthropic", "gemini", "groq", "together", "xai")},
    "google": _ours("gemini"),
    "azure_openai": _ours("azure"),
}
_ASKED = ("openai", "ollama", "lmstudio", "gemini", "google", "azure_openai")
_EMBEDDING = {
    **{name: _SERVERS[name] for name in _ASKED},
    # Text Embeddings Inference has OpenAI's API; a model in this process would need torch.
    "huggingface": _Server("huggingface_base_url", below="/v1"),
}


def _read(*names: str) -> dict[str, str]:
    """Keys that are read otherwise."""
    return dict.fromkeys(names, "")


_AZURE = {
    "azure_endpoint": "base_url",
    "azure_deployment": "model",
    "api_key": "api_key",
    "api_version": "",  # the API at /openai/v1 has none
}
"""Of this table and those below: their key, and ours; without ours it is read otherwise."""
_KNOWN = (
    "llm",
    "embedder",
    "vector_store",
    "graph_store",
    "history",
    "history_db_path",
    "custom_prompts",
    "custom_fact_extraction_prompt",
    "custom_update_memory_prompt",
)
_PROMPTS = {
    "custom_fact_extraction_prompt": "prompt",
    "custom_update_memory_prompt": "update_prompt",
}
_CUSTOM = {"fact_extraction": "prompt", "update_decision": "update_prompt"}
_IDLE = frozenset({"version"})
_ABSENT = {
    "custom_instructions": "does not exist here; custom_fact_extraction_prompt (learn.templates) "
    "replaces the instructions",
    "reranker": "does not exist here: every search ranks by meaning, words, names and time",
}
KEYS_HERE: Mapping[str, str] = {
    "vector_store": "is mem0's; here it is set in index (index.backend, index.uri), or by `path`",
    "graph_store": "is mem0's; here the graph is in the database (graph.enabled, database.url)",
    "custom_prompts": "does not exist here; prompts are in learn.templates",
    "custom_fact_extraction_prompt": "is mem0's; here it is in learn.templates",
    "custom_update_memory_prompt": "is mem0's; here it is in learn.templates",
    "custom_instructions": "is mem0's; here learn.templates replace the instructions",
    "history_db_path": "is mem0's; here the history is in the database, database.url",
    "reranker": "is mem0's; here every search ranks by meaning, words, names and time",
    "history": "is in the database now, database.url",
    "index.api_key": "is index.token now",
    "learn.summaries": "is upkeep.kinds.summaries now",
    "recall.fusion": "is recall.ranking now",
    "retention.turn_days": "is retention.erase_days.turns now",
    "state": "is the database now, database.url and redis.url",
    "store": "is the database and the index now, database.url and index.uri",
    "upkeep.consolidate": "is upkeep.enabled and upkeep.archive_below now",
}
"""Keys of mem0 where ours belong, and those of earlier commits: where the same is set.
`Memory.from_config` reads mem0's."""
_LLM = {"model": "model", "api_key": "api_key", "max_tokens": "", "enable_vision": ""}
_LLM_IDLE = frozenset({"temperature", "top_p", "top_k", "vision_details"})
_EMBEDDER = {"model": "model", "api_key": "api_key", "embedding_dims": "", "dimensions": ""}
_DATABASE = ("connection_string", "connectionString", "host", "port", "user", "password", "dbname")
_STORES: Mapping[str, Mapping[str, str]] = {
    "memory": {},
    "qdrant": {**_read("path", "url", "host", "port"), "api_key": "token"},
    "chroma": {
        **_read("path", "host", "port"),
        "tenant": "tenant",
        "database": "database",
        "api_key": "token",
    },
    "pgvector": {**_read(*_DATABASE, "sslmode"), "maxconn": ""},
    "milvus": {**_read("url", "host", "port"), "token": "token"},
    "faiss": _read("path"),
    "redis": {"redis_url": "uri"},
}
"""Stores, and what they take beside the name of a collection."""
_PORTS = {"qdrant": 6333, "chroma": 8000, "pgvector": 5432, "milvus": 19530}
_STORE_IDLE = frozenset(
    {"embedding_model_dims", "on_disk", "metric_type", "hnsw", "diskann", "minconn"}
    | {"distance_strategy", "normalize_L2"}
)
_VARIABLES = {
    "qdrant": {"host": "QDRANT_HOST", "port": "QDRANT_PORT", "api_key": "QDRANT_API_KEY"},
    "chroma": {"host": "CHROMA_HOST", "port": "CHROMA_PORT"},
    "pgvector": {"connection_string": "DATABASE_URL"},
    "redis": {"redis_url": "REDIS_URL"},
}
"""What the environment may name, if the configuration names no place."""
VARIABLES = frozenset(name for each in _VARIABLES.values() for name in each.values())
_PLACES = ("path", "url", "host", "connection_string", "connectionString", "redis_url")
_GRAPHS = ("neo4j", "memgraph", "neptune", "kuzu")
_GRAPH_NOTE = (
    "graph_store: {} is not used: the graph is made of the memories, and kept in the database "
    "(graph.enabled, database.url)"
)
_GRAPH = dict.fromkeys(("url", "username", "password", "database", "base_label", "db"), "")
_BY_PATH = "leave vector_store out, and name a folder by `path` (our options: index.backend)"
_INSTEAD = {
    "vector_store": _BY_PATH,
    "embedder": "without embedder a local model embeds",
    "graph_store": "without it the graph is kept in the database",
    "llm": "any server with OpenAI's API is openai with openai_base_url",
}
_MISSING: tuple[Any, ...] = (None, "", False, {}, [])


def translated(config: object, variables: Mapping[str, str] | None = None) -> Translated:
    """The options that a configuration of mem0 means; `variables` has the `VARIABLES` that are set.

    Raises:
        ConfigError: a key has no equivalent; one line for each, with the nearest one.
    """
    if not isinstance(config, Mapping):
        raise ConfigError("config: expected a mapping, as mem0's Memory.from_config takes")
    reader = _Reader([], variables or {})
    found = reader.read(config)
    if reader.problems:
        raise ConfigError("\n".join(reader.problems))
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    problems: list[str]
    variables: Mapping[str, str]

    def read(self, config: Mapping[str, Any]) -> Translated:
        given = _set(config)
        for name in sorted(map(str, given.keys() - {*_KNOWN, *_IDLE})):
            self._unknown(name, _KNOWN, _ABSENT)
        prompts = {ours: given[name] for name, ours in _PROMPTS.items() if name in given}
        prompts |= self._section(given, "custom_prompts", _CUSTOM)
        learn: dict[str, Any] = {"templates": {"default": prompts}} if prompts else {}
        options: dict[str, Any] = {}
        index: dict[str, Any] = {}
        folder = None
        if "llm" in given:
            options["llm"], more = self._llm(given["llm"])
            learn |= more
        if "vector_store" in given:
            index, folder = self._index(given["vector_store"])
        if "embedder" in given:
            options["embedder"] = self._embedder(given["embedder"], given.get("vector_store"))
        history = {"url": given["history_db_path"]} if "history_db_path" in given else {}
        history |= self._section(given, "history", {"db_path": "url"})
        parts = {"learn": learn, "index": index, "database": history}
        options |= {name: part for name, part in parts.items() if part}
        notes: tuple[str, ...] = ()
        if "graph_store" in given and (graph := self._graph(given["graph_store"])):
            options["graph"], notes = {"enabled": True}, (_GRAPH_NOTE.format(graph),)
        return Translated(options, folder, notes)

    def _section(
        self, given: Mapping[str, Any], section: str, known: Mapping[str, str]
    ) -> dict[str, Any]:
        """A section of keys with values, by our names."""
        said = given.get(section, {})
        if not isinstance(said, Mapping):
            self.problems.append(f"{section}: expected {', '.join(known)}")
            return {}
        return self._named(section, said, known)

    def _graph(self, said: object) -> str | None:
        """The database that would have the graph; it is none of ours."""
        provider, config = self._part("graph_store", said, _GRAPHS)
        self._named("graph_store.config", config, _GRAPH)
        return provider

    def _llm(self, said: object) -> tuple[dict[str, Any], dict[str, Any]]:
        server, config, model = self._model("llm", said, _SERVERS, _LLM, _LLM_IDLE)
        if server is None:
            return {}, {}
        names_it = server.name == "azure" or (server.name is None and server.usual is not None)
        if names_it and "model" not in config:
            self.problems.append("llm.config.model: expected the name of the model")
        learn = {"max_output_tokens": config["max_tokens"]} if "max_tokens" in config else {}
        return model, learn | ({"vision": model} if "enable_vision" in config else {})

    def _embedder(self, said: object, store: object) -> dict[str, Any]:
        server, config, model = self._model("embedder", said, _EMBEDDING, _EMBEDDER)
        if server is None:
            return {}
        dim = config.get("embedding_dims") or config.get("dimensions")
        if dim is None and isinstance(store, Mapping) and isinstance(store.get("config"), Mapping):
            dim = store["config"].get("embedding_model_dims")
        if dim is None and server is _SERVERS["ollama"]:
            dim = _usual_dim("ollama", config.get("model"))
        if server is _EMBEDDING["huggingface"] and "base_url" not in model:
            self.problems.append(
                "embedder.config.huggingface_base_url: expected a server of embeddings: none of "
                "these models runs in this process; without embedder a local model embeds"
            )
        if server not in {_SERVERS["openai"], _SERVERS["gemini"]}:
            for name, value in (("model", config.get("model")), ("embedding_dims", dim)):
                if value is None:
                    self.problems.append(f"embedder.config.{name}: expected a value")
        return {"backend": "openai"} | model | ({} if dim is None else {"dim": dim})

    def _model(
        self,
        section: str,
        said: object,
        servers: Mapping[str, _Server],
        table: Mapping[str, str],
        idle: frozenset[str] = frozenset(),
    ) -> tuple[_Server | None, Mapping[str, Any], dict[str, Any]]:
        """The server of a model, its keys, and our options; without a server, no options."""
        provider, config = self._part(section, said, tuple(servers))
        if provider is None:
            return None, {}, {}
        server, azure = servers[provider], config.get("azure_kwargs")
        if provider == "azure_openai" and isinstance(azure, Mapping):
            # Of two names, the deployment is the one that Azure knows.
            inner = self._named(f"{section}.config.azure_kwargs", azure, _AZURE)
            config = {key: each for key, each in config.items() if key != "azure_kwargs"} | inner
        known = {**table, **_read(server.address, "base_url")}
        model = self._named(f"{section}.config", config, known, idle)
        named = {"provider": server.name, "base_url": server.base_url(config)}
        return server, config, model | {key: each for key, each in named.items() if each}

    def _index(self, said: object) -> tuple[dict[str, Any], str | None]:
        outside: dict[str, Any] = {}
        if isinstance(said, Mapping) and "collection_name" in said:
            outside = {"collection_name": said["collection_name"]}
            said = {name: value for name, value in said.items() if name != "collection_name"}
        provider, config = self._part("vector_store", said, tuple(_STORES))
        if provider is None:
            return {}, None
        table = {**_STORES[provider], "collection_name": "collection"}
        if not any(name in config for name in _PLACES):
            named = _VARIABLES.get(provider, {}).items()
            found = {name: self.variables.get(each, "") for name, each in named}
            config = {**config, **_set(found)}
        options = self._named("vector_store.config", outside | {**config}, table, _STORE_IDLE)
        if provider == "memory":
            return {"backend": "exact"}, None
        if provider == "pgvector":
            return {"backend": provider, "uri": self._database(config)} | options, None
        if provider == "redis":
            if "uri" not in options:
                self.problems.append(f"vector_store.config: expected {_or(provider)}")
            return {"backend": provider} | options, None
        folder, uri = config.get("path"), self._server(provider, config)
        if (folder is None) == (uri is None):
            self.problems.append(f"vector_store.config: expected {_or(provider)}; or {_BY_PATH}")
        return {"backend": provider} | ({} if uri is None else {"uri": uri}) | options, folder

    def _server(self, provider: str, config: Mapping[str, Any]) -> str | None:
        """The URL of a server, if one is named."""
        url, host = config.get("url"), config.get("host")
        if url is not None:
            if not isinstance(url, str) or "://" not in url:
                self.problems.append(
                    f"vector_store.config.url: expected the URL of a server; for a file, {_BY_PATH}"
                )
            return str(url)
        if host is None:
            return None
        host, scheme = str(host), ""
        if "://" not in host:
            scheme = "http://"
            host = f"[{host}]" if ":" in host and not host.startswith("[") else host
        return f"{scheme}{host.rstrip('/')}:{self._port(provider, config)}"

    def _database(self, config: Mapping[str, Any]) -> str | None:
        """The address of a PostgreSQL database."""
        whole = config.get("connection_string") or config.get("connectionString")
        if whole is not None:
            return str(whole).replace("postgresql+psycopg://", "postgresql://")
        if "host" not in config:
            self.problems.append(
                "vector_store.config.connection_string: expected an address such as "
                "postgresql://user:password@host/database, or host (or DATABASE_URL)"
            )
            return None
        user = ":".join(quote(str(config[n]), safe="") for n in ("user", "password") if n in config)
        mode = f"?sslmode={quote(str(config['sslmode']))}" if "sslmode" in config else ""
        where = f"{config['host']}:{self._port('pgvector', config)}"
        name = quote(str(config.get("dbname", "postgres")), safe="")
        return f"postgresql://{user}{'@' if user else ''}{where}/{name}{mode}"

    def _port(self, provider: str, config: Mapping[str, Any]) -> int:
        port = str(config.get("port", _PORTS[provider]))
        if not port.isascii() or not port.isdecimal() or not 0 < int(port[:6]) < 1 << 16:
            self.problems.append("vector_store.config.port: expected a whole number, 1 to 65535")
            return _PORTS[provider]
        return int(port)

    def _part(
        self, section: str, said: object, providers: Sequence[str]
    ) -> tuple[str | None, Mapping[str, Any]]:
        """The provider and its keys; without a provider, there is a problem."""
        if not isinstance(said, Mapping):
            self.problems.append(f"{section}: expected provider and config")
            return None, {}
        self._named(section, said, _read("provider", "config"))
        provider, config = said.get("provider", providers[0]), said.get("config") or {}
        if provider not in providers:
            self.problems.append(
                f"{section}.provider: expected one of {', '.join(providers)}; {_INSTEAD[section]}"
            )
            return None, {}
        if not isinstance(config, Mapping):
            self.problems.append(f"{section}.config: expected keys with values")
            return None, {}
        return provider, _set(config)

    def _named(
        self,
        section: str,
        said: Mapping[str, Any],
        table: Mapping[str, str],
        idle: frozenset[str] = frozenset(),
    ) -> dict[str, Any]:
        """What is set, by our names; a key that is in no table is a problem."""
        for name in sorted(map(str, said.keys() - {*table, *idle})):
            self._unknown(f"{section}.{name}", tuple(table))
        return {table[name]: value for name, value in _set(said).items() if table.get(name)}

    def _unknown(
        self, key: str, known: Sequence[str], absent: Mapping[str, str] | None = None
    ) -> None:
        section, dot, name = key.rpartition(".")
        meant = nearest(name, known)
        hint = f"did you mean {section}{dot}{meant}?" if meant else f"known: {', '.join(known)}"
        why = (absent or {}).get(name, f"has no equivalent here; {hint}")
        self.problems.append(f"{key[:100]}: {why}")


def _or(provider: str) -> str:
    """What names the place of a store, in words."""
    names = [name for name in _STORES[provider] if name in _PLACES]
    variable = next((v for k, v in _VARIABLES.get(provider, {}).items() if k in names), None)
    return f"one of {', '.join(names)}" + (f" (or {variable})" if variable else "")


def _usual_dim(name: str, model: object) -> Any:
    """The dimensions of a provider's usual model, if it is this one."""
    usual = (provider(name).embeddings or {}) if name == "ollama" else {}
    return usual.get("dim") if usual.get("model") == str(model).removesuffix(":latest") else None


def _set(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those that choose something."""
    return {name: value for name, value in values.items() if value not in _MISSING}
