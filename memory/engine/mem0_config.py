"""A configuration of mem0's library, in our options. Pure.

What has an equivalent is translated, what chooses nothing here is left out, and anything else is
refused by its name: a memory that is not kept where it was asked for is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from ..model.errors import ConfigError
from ..model.nearest import nearest
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

    @property
    def addresses(self) -> tuple[str, str]:
        return self.address, "base_url"

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
_EMBEDDING = {
    **{
        name: _SERVERS[name]
        for name in ("openai", "ollama", "lmstudio", "gemini", "google", "azure_openai")
    },
    # Text Embeddings Inference has OpenAI's API; a model in this process would need torch.
    "huggingface": _Server("huggingface_base_url", below="/v1"),
}
_AZURE = {
    "azure_endpoint": "base_url",
    "azure_deployment": "model",
    "api_key": "api_key",
    "api_version": "",  # the API at /openai/v1 has none
}
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
    "custom_instructions": "does not exist here; custom_fact_extraction_prompt (learn.prompt) "
    "replaces the instructions",
    "reranker": "does not exist here: every search ranks by meaning, words, names and time",
}
KEYS_HERE: Mapping[str, str] = {
    "vector_store": "is mem0's; here it is set in index (index.backend, index.uri), or by `path`",
    "graph_store": "is mem0's; here the graph is in the database (graph.enabled, database.url)",
    "custom_prompts": "does not exist here; prompts are learn.prompt and learn.update_prompt",
    "custom_fact_extraction_prompt": "is mem0's; here it is learn.prompt",
    "custom_update_memory_prompt": "is mem0's; here it is learn.update_prompt",
    "custom_instructions": "is mem0's; here learn.prompt replaces the instructions",
    "history_db_path": "is mem0's; here the history is in the database, database.url",
    "reranker": "is mem0's; here every search ranks by meaning, words, names and time",
}
"""Keys of mem0 where ours belong: where the same is set. `Memory.from_config` reads mem0's."""
_LLM = ("model", "api_key", "max_tokens", "temperature", "enable_vision")
_LLM_IDLE = frozenset({"top_p", "top_k", "vision_details"})
_EMBEDDER = ("model", "api_key", "embedding_dims", "dimensions")
_STORES = {
    "memory": (),
    "qdrant": ("path", "url", "host", "port", "api_key"),
    "chroma": ("path", "host", "port", "tenant", "database", "api_key"),
    "pgvector": (
        "connection_string",
        "connectionString",
        "host",
        "port",
        "user",
        "password",
        "dbname",
        "sslmode",
        "maxconn",
    ),
    "milvus": ("url", "host", "port", "token"),
}
"""Stores, and what they take beside the name of a collection."""
_PORTS = {"qdrant": 6333, "chroma": 8000, "pgvector": 5432, "milvus": 19530}
_STORE_IDLE = frozenset(
    {"embedding_model_dims", "on_disk", "metric_type", "hnsw", "diskann", "minconn"}
)
_VARIABLES = {
    "qdrant": {"host": "QDRANT_HOST", "port": "QDRANT_PORT", "api_key": "QDRANT_API_KEY"},
    "chroma": {"host": "CHROMA_HOST", "port": "CHROMA_PORT"},
    "pgvector": {"connection_string": "DATABASE_URL"},
}
"""What the environment may name, if the configuration names no place."""
VARIABLES = frozenset(name for each in _VARIABLES.values() for name in each.values())
_PLACES = ("path", "url", "host", "connection_string", "connectionString")
_GRAPHS = ("neo4j", "memgraph", "neptune", "kuzu")
_GRAPH_NOTE = (
    "graph_store: {} is not used: the graph is made of the memories, and kept in the database "
    "(graph.enabled, database.url)"
)
_BY_PATH = "leave vector_store out, and name a folder by `path` (our options: index.backend)"
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
        given = {name: value for name, value in config.items() if value not in _MISSING}
        for name in _sorted(given.keys() - {*_KNOWN, *_IDLE}):
            self._unknown(name, _KNOWN, _ABSENT)
        options: dict[str, Any] = {}
        learn = self._prompts(given)
        if "llm" in given:
            options["llm"], more = self._llm(given["llm"])
            learn |= more
        index: dict[str, Any] = {}
        folder = None
        if "vector_store" in given:
            index, folder = self._index(given["vector_store"])
        if "embedder" in given:
            options["embedder"] = self._embedder(given["embedder"], given.get("vector_store"))
        parts = (("learn", learn), ("index", index), ("database", self._history(given)))
        options |= {name: part for name, part in parts if part}
        notes: tuple[str, ...] = ()
        if "graph_store" in given and (graph := self._graph(given["graph_store"])):
            options["graph"], notes = {"enabled": True}, (_GRAPH_NOTE.format(graph),)
        return Translated(options, folder, notes)

    def _prompts(self, given: Mapping[str, Any]) -> dict[str, Any]:
        learn = {ours: given[name] for name, ours in _PROMPTS.items() if name in given}
        return learn | self._section(given, "custom_prompts", _CUSTOM)

    def _history(self, given: Mapping[str, Any]) -> dict[str, Any]:
        found = self._section(given, "history", {"db_path": "url"})
        url = found.get("url", given.get("history_db_path"))
        return _without_none(url=url)

    def _section(
        self, given: Mapping[str, Any], section: str, known: Mapping[str, str]
    ) -> dict[str, Any]:
        """A section of keys with values, by our names."""
        said = given.get(section, {})
        if not isinstance(said, Mapping):
            self.problems.append(f"{section}: expected {', '.join(known)}")
            return {}
        for name in _sorted(said.keys() - known.keys()):
            self._unknown(f"{section}.{name}", tuple(known))
        return _without_none(**{ours: said.get(name) for name, ours in known.items()})

    def _graph(self, said: object) -> str | None:
        """The database that would have the graph; it is none of ours."""
        provider, config = self._part("graph_store", said, _GRAPHS)
        known = ("url", "username", "password", "database", "base_label", "db")
        self._check("graph_store", config, known)
        return provider

    def _llm(self, said: object) -> tuple[dict[str, Any], dict[str, Any]]:
        provider, config = self._part("llm", said, tuple(_SERVERS))
        if provider is None:
            return {}, {}
        server = _SERVERS[provider]
        config = self._azure("llm", provider, config)
        self._check("llm", config, (*_LLM, *server.addresses), _LLM_IDLE)
        names_it = provider == "azure_openai" or (server.usual is not None and server.name is None)
        if names_it and "model" not in config:
            self.problems.append("llm.config.model: expected the name of the model")
        model = _without_none(
            provider=server.name,
            base_url=server.base_url(config),
            model=config.get("model"),
            api_key=config.get("api_key"),
            temperature=config.get("temperature"),
        )
        learn = _without_none(max_output_tokens=config.get("max_tokens"))
        return model, learn | ({"vision": model} if config.get("enable_vision") else {})

    def _embedder(self, said: object, store: object) -> dict[str, Any]:
        provider, config = self._part("embedder", said, tuple(_EMBEDDING))
        if provider is None:
            return {}
        server = _EMBEDDING[provider]
        config = self._azure("embedder", provider, config)
        self._check("embedder", config, (*_EMBEDDER, *server.addresses))
        dim = config.get("embedding_dims") or config.get("dimensions")
        if dim is None and isinstance(store, Mapping) and isinstance(store.get("config"), Mapping):
            dim = store["config"].get("embedding_model_dims")
        if dim is None:
            dim = _usual_dim(provider, config.get("model"))
        base_url = server.base_url(config)
        if provider == "huggingface" and base_url is None:
            self.problems.append(
                "embedder.config.huggingface_base_url: expected a server of embeddings: none of "
                "these models runs in this process; without embedder a local model embeds"
            )
        if provider not in {"openai", "gemini", "google"}:
            for name, value in (("model", config.get("model")), ("embedding_dims", dim)):
                if value is None:
                    self.problems.append(f"embedder.config.{name}: expected a value")
        return {"backend": "openai"} | _without_none(
            provider=server.name,
            base_url=base_url,
            model=config.get("model"),
            api_key=config.get("api_key"),
            dim=dim,
        )

    def _azure(self, section: str, provider: str, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """The keys with those of `azure_kwargs` among them."""
        given = config.get("azure_kwargs")
        if provider != "azure_openai" or not isinstance(given, Mapping):
            return config
        for name in _sorted(given.keys() - _AZURE.keys()):
            self._unknown(f"{section}.config.azure_kwargs.{name}", tuple(_AZURE))
        inner = {ours: given[name] for name, ours in _AZURE.items() if ours and given.get(name)}
        # Of two names, the deployment is the one that Azure knows.
        return {key: value for key, value in config.items() if key != "azure_kwargs"} | inner

    def _index(self, said: object) -> tuple[dict[str, Any], str | None]:
        collection = None
        if isinstance(said, Mapping) and "collection_name" in said:
            collection = said["collection_name"]
            said = {name: value for name, value in said.items() if name != "collection_name"}
        provider, config = self._part("vector_store", said, tuple(_STORES))
        if provider is None:
            return {}, None
        self._check("vector_store", config, (*_STORES[provider], "collection_name"), _STORE_IDLE)
        kept = _without_none(collection=config.get("collection_name", collection))
        if provider == "memory":
            return {"backend": "exact"}, None
        if not any(name in config for name in _PLACES):
            named = _VARIABLES.get(provider, {})
            found = {name: self.variables.get(each, "") for name, each in named.items()}
            config = {**config, **{name: value for name, value in found.items() if value}}
        if provider == "pgvector":
            return {"backend": provider, "uri": self._database(config)} | _without_none(
                max_connections=config.get("maxconn"), **kept
            ), None
        folder = config.get("path")
        uri = self._server(provider, config)
        if (folder is None) == (uri is None):
            self.problems.append(f"vector_store.config: expected {_or(provider)}; or {_BY_PATH}")
        token = "api_key" if provider == "qdrant" else "token"
        secret = config.get("api_key", config.get("token"))
        options = {"backend": provider} | _without_none(
            uri=uri,
            tenant=config.get("tenant"),
            database=config.get("database"),
            **{token: secret},
            **kept,
        )
        return options, folder

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
        for name in _sorted(said.keys() - {"provider", "config"}):
            self._unknown(f"{section}.{name}", ("provider", "config"))
        provider, config = said.get("provider", providers[0]), said.get("config") or {}
        if provider not in providers:
            others = {
                "vector_store": _BY_PATH,
                "embedder": "without embedder a local model embeds",
                "graph_store": "without it the graph is kept in the database",
            }
            usual = "any server with OpenAI's API is openai with openai_base_url"
            self.problems.append(
                f"{section}.provider: expected one of {', '.join(providers)}; "
                f"{others.get(section, usual)}"
            )
            return None, {}
        if not isinstance(config, Mapping):
            self.problems.append(f"{section}.config: expected keys with values")
            return None, {}
        return provider, {key: value for key, value in config.items() if value not in _MISSING}

    def _check(
        self,
        section: str,
        config: Mapping[str, Any],
        known: Sequence[str],
        idle: frozenset[str] = frozenset(),
    ) -> None:
        for name in _sorted(config.keys() - {*known, *idle}):
            self._unknown(f"{section}.config.{name}", known)

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
    variable = _VARIABLES.get(provider, {}).get("host")
    return f"one of {', '.join(names)}" + (f" (or {variable})" if variable else "")


def _usual_dim(name: str, model: object) -> Any:
    """The dimensions of a provider's usual model, if it is this one."""
    usual = (provider(name).embeddings or {}) if name == "ollama" else {}
    return usual.get("dim") if usual.get("model") == str(model).removesuffix(":latest") else None


def _sorted(names: set[Any]) -> Iterator[str]:
    return iter(sorted(map(str, names)))


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
