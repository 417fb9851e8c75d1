"""A configuration of mem0's library, in our options. Pure.

What has an equivalent is translated, what chooses nothing here is left out, and anything else is
refused by its name: a memory that is not kept where it was asked for is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..model.errors import ConfigError
from ..model.nearest import nearest
from ..util.providers import provider


@dataclass(frozen=True, slots=True)
class Translated:
    """Options as a mapping, and the folder that the configuration names."""

    options: dict[str, Any]
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class _Server:
    """How a provider of models with OpenAI's API is named."""

    address: str
    """The key with its address."""
    usual: str | None = None
    """The address without that key; None is OpenAI's, or what the environment names."""
    name: str | None = None
    """Ours, if its key and its model are those of our table."""
    below: str = ""
    """What is appended to the address if it is not there."""

    def base_url(self, said: Mapping[str, Any]) -> Any:
        url = said.get(self.address) or self.usual
        if not isinstance(url, str) or not self.below or url.rstrip("/").endswith(self.below):
            return url
        return url.rstrip("/") + self.below


_SERVERS = {
    "openai": _Server("openai_base_url"),
    "ollama": _Server("ollama_base_url", "http://localhost:11434", below="/v1"),
    "lmstudio": _Server("lmstudio_base_url", "http://localhost:1234/v1"),
    "vllm": _Server("vllm_base_url", "http://localhost:8000/v1"),
    "deepseek": _Server("deepseek_base_url", provider("deepseek").base_url),
    **{
        name: _Server(f"{name}_base_url", provider(name).base_url, name=name)
        for name in ("anthropic", "gemini", "groq", "together", "xai")
    },
}
_EMBEDDING = ("openai", "ollama", "lmstudio")
_ON_DISK = ("qdrant", "chroma", "faiss")
"""Stores that mem0 keeps in a folder."""
_KNOWN = (
    "llm",
    "embedder",
    "vector_store",
    "custom_fact_extraction_prompt",
    "custom_update_memory_prompt",
)
_PROMPTS = {
    "custom_fact_extraction_prompt": "prompt",
    "custom_update_memory_prompt": "update_prompt",
}
_IDLE = frozenset({"version"})
_ABSENT = {
    "custom_instructions": "does not exist here; custom_fact_extraction_prompt (learn.prompt) "
    "replaces the instructions",
    "history_db_path": "names a file of mem0; leave it out: the history is in the folder `path` "
    "(history.url)",
    "graph_store": "does not exist here: the graph is kept where the history is (graph.enabled, "
    "history.url)",
    "custom_prompts": "does not exist here; custom_fact_extraction_prompt is learn.prompt, "
    "custom_update_memory_prompt is learn.update_prompt",
    "reranker": "does not exist here: every search ranks by meaning, words, names and time",
}
KEYS_HERE: Mapping[str, str] = {
    "vector_store": "is mem0's; here it is set in store (store.backend, store.uri), or by `path`",
    "graph_store": "is mem0's; here the graph is where the history is (graph.enabled, history.url)",
    "custom_prompts": "does not exist here; prompts are learn.prompt and learn.update_prompt",
    "custom_fact_extraction_prompt": "is mem0's; here it is learn.prompt",
    "custom_update_memory_prompt": "is mem0's; here it is learn.update_prompt",
    "custom_instructions": "is mem0's; here learn.prompt replaces the instructions",
    "history_db_path": "is mem0's; here it is set in history.url",
    "reranker": "is mem0's; here every search ranks by meaning, words, names and time",
}
"""Keys of mem0 where ours belong: where the same is set. `Memory.from_config` reads mem0's."""
_LLM = ("model", "api_key", "max_tokens", "enable_vision")
_LLM_IDLE = frozenset({"temperature", "top_p", "top_k", "vision_details"})
_EMBEDDER = ("model", "api_key", "embedding_dims")
_STORE_IDLE = frozenset({"embedding_model_dims", "on_disk", "metric_type"})
_BY_PATH = "leave vector_store out, and name a folder by `path` (our options: store.backend)"
_MISSING: tuple[Any, ...] = (None, "", False, {}, [])


def translated(config: object) -> Translated:
    """The options that a configuration of mem0 means.

    Raises:
        ConfigError: a key has no equivalent; one line for each, with the nearest one.
    """
    if not isinstance(config, Mapping):
        raise ConfigError("config: expected a mapping, as mem0's Memory.from_config takes")
    reader = _Reader([])
    found = reader.read(config)
    if reader.problems:
        raise ConfigError("\n".join(reader.problems))
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    problems: list[str]

    def read(self, config: Mapping[str, Any]) -> Translated:
        given = {name: value for name, value in config.items() if value not in _MISSING}
        for name in _sorted(given.keys() - {*_KNOWN, *_IDLE}):
            self._unknown(name, _KNOWN, _ABSENT)
        options: dict[str, Any] = {}
        learn = {ours: given[name] for name, ours in _PROMPTS.items() if name in given}
        if "llm" in given:
            options["llm"], more = self._llm(given["llm"])
            learn |= more
        store: dict[str, Any] = {}
        folder = None
        if "vector_store" in given:
            store, folder = self._store(given["vector_store"])
        if "embedder" in given:
            options["embedder"] = self._embedder(given["embedder"], given.get("vector_store"))
        options |= {name: part for name, part in (("learn", learn), ("store", store)) if part}
        return Translated(options, folder)

    def _llm(self, said: object) -> tuple[dict[str, Any], dict[str, Any]]:
        provider, config = self._part("llm", said, tuple(_SERVERS))
        if provider is None:
            return {}, {}
        server = _SERVERS[provider]
        self._check("llm", config, (*_LLM, server.address), _LLM_IDLE)
        if server.usual is not None and server.name is None and "model" not in config:
            self.problems.append("llm.config.model: expected the name of the model")
        model = _without_none(
            provider=server.name,
            base_url=config.get(server.address) if server.name else server.base_url(config),
            model=config.get("model"),
            api_key=config.get("api_key"),
        )
        learn = _without_none(max_output_tokens=config.get("max_tokens"))
        return model, learn | ({"vision": model} if config.get("enable_vision") else {})

    def _embedder(self, said: object, store: object) -> dict[str, Any]:
        provider, config = self._part("embedder", said, _EMBEDDING)
        if provider is None:
            return {}
        server = _SERVERS[provider]
        self._check("embedder", config, (*_EMBEDDER, server.address))
        dim = config.get("embedding_dims")
        if dim is None and isinstance(store, Mapping) and isinstance(store.get("config"), Mapping):
            dim = store["config"].get("embedding_model_dims")
        if server.usual is not None:
            for name, value in (("model", config.get("model")), ("embedding_dims", dim)):
                if value is None:
                    self.problems.append(f"embedder.config.{name}: expected a value")
        return {"backend": "openai"} | _without_none(
            base_url=server.base_url(config),
            model=config.get("model"),
            api_key=config.get("api_key"),
            dim=dim,
        )

    def _store(self, said: object) -> tuple[dict[str, Any], str | None]:
        provider, config = self._part("vector_store", said, ("milvus", *_ON_DISK))
        if provider is None:
            return {}, None
        kept = _without_none(collection=config.get("collection_name"))
        if provider in _ON_DISK:
            self._check("vector_store", config, ("path", "collection_name"), _STORE_IDLE)
            if not config.get("path"):
                self.problems.append(f"vector_store.config.path: expected a folder; or {_BY_PATH}")
            return kept, config.get("path")
        self._check("vector_store", config, ("url", "token", "collection_name"), _STORE_IDLE)
        url = config.get("url")
        if not isinstance(url, str) or "://" not in url:
            self.problems.append(
                f"vector_store.config.url: expected the URL of a server; for a file, {_BY_PATH}"
            )
        return {"backend": "milvus"} | _without_none(
            uri=url, token=config.get("token"), **kept
        ), None

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
            others = {"vector_store": _BY_PATH, "embedder": "without embedder a local model embeds"}
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


def _sorted(names: set[Any]) -> Iterator[str]:
    return iter(sorted(map(str, names)))


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
