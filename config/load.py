"""Settings from a file, the environment and flags; no other module reads file or environment.

Later sources win: defaults < file (``--config``, ``RECOLLECT_CONFIG``) < environment
(``RECOLLECT_UPSTREAM__BASE_URL``; ``__`` separates levels) < flags.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import SecretStr

from recollect.memory.errors import ConfigError
from recollect.memory.options import (
    LocalEmbedderOptions,
    OpenAIEmbedderOptions,
    contradictions,
    in_folder,
    read_options,
)

from .installation import KEY_FILE, installation_key
from .network import is_loopback, leads_back
from .settings import Settings

PREFIX = "RECOLLECT_"
CONFIG_VARIABLE = "RECOLLECT_CONFIG"
_NOT_SETTINGS = re.compile(r"RECOLLECT_(?:CONFIG|PORT(?:_.*)?|SERVICE_(?:HOST|PORT)(?:_.*)?)")
"""Variables that are not settings: the path of the file, and the variables that Kubernetes sets in
every pod for a Service named `recollect`."""


def load_settings(
    *,
    path: Path | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Settings:
    """Read, merge, validate, and resolve paths.

    Args:
        path: the YAML file (default: `RECOLLECT_CONFIG`; no file if that is not set either).
        environ: environment variables (default: those of the process).
        flags: values by dotted key, such as ``{"listen.port": 8080}``; None values are ignored.

    Raises:
        ConfigError: a key is unknown, a value is out of range, or two values contradict each other.
    """
    environ = os.environ if environ is None else environ
    if path is None and environ.get(CONFIG_VARIABLE):
        path = Path(environ[CONFIG_VARIABLE])
    values = _read_file(path) if path is not None else {}
    named = list(_from_environment(environ))
    for keys, value in [*named, *_from_flags(flags or {})]:
        _set(values, keys, value)
    _drop_weights(values)
    try:
        options = read_options(Settings, values)
    except ConfigError as error:
        raise ConfigError(_with_variables(str(error), [keys for keys, _ in named])) from None
    settings = _resolve(options)
    _check(settings)
    return _with_hash_key(settings)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except yaml.MarkedYAMLError as error:
        # Without the error's own text, which quotes the line: it may contain a secret.
        where = f" near line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigError(f"{path}: is not valid YAML{where}: {error.problem}") from None
    except (yaml.YAMLError, UnicodeDecodeError):
        raise ConfigError(f"{path}: is not valid YAML: not UTF-8 text") from None
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise ConfigError(f"{path}: expected keys such as `upstream:` at the top level")
    return loaded


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[list[str], Any]]:
    for name in sorted(environ):
        if name.startswith(PREFIX) and not _NOT_SETTINGS.fullmatch(name):
            yield name.removeprefix(PREFIX).lower().split("__"), _value(environ[name])


def _with_variables(said: str, named: list[list[str]]) -> str:
    """The problems with the variables of the environment that set their keys."""
    variables = {".".join(keys): PREFIX + "__".join(keys).upper() for keys in named}
    lines = []
    for line in said.splitlines():
        variable = variables.get(line.partition(":")[0])
        told = f" (the variable {variable}; `__` stands for a dot)" if variable else ""
        lines.append(line + told)
    return "\n".join(lines)


def _from_flags(flags: Mapping[str, Any]) -> Iterator[tuple[list[str], Any]]:
    for key, value in flags.items():
        if value is not None:
            yield key.split("."), value


def _value(text: str) -> Any:
    """Parse lists, objects and null as YAML; every other value stays text for the models."""
    if text[:1] in {"[", "{"} or text in {"null", "~"}:
        try:
            return yaml.safe_load(text)
        except yaml.YAMLError:
            return text
    return text


def _set(values: dict[str, Any], keys: list[str], value: Any) -> None:
    node = values
    for key in keys[:-1]:
        below = node.get(key)
        if not isinstance(below, dict):
            below = node[key] = {}
        node = below
    node[keys[-1]] = value


def _drop_weights(values: dict[str, Any]) -> None:
    """The container image always sets `embedder.model_dir`, for its own weights."""
    embedder = values.get("embedder")
    if isinstance(embedder, dict) and embedder.get("backend", "local") != "local":
        embedder.pop("model_dir", None)


def _resolve(settings: Settings) -> Settings:
    """Fill in the paths that depend on `data_dir`."""
    data_dir = _expanded("data_dir", settings.data_dir)
    update: dict[str, Any] = {"data_dir": data_dir}
    tokens = settings.api.tokens_file or data_dir / "tokens.json"
    audit_log = settings.api.audit_log or data_dir / "audit.jsonl"
    paths = {
        "tokens_file": _expanded("api.tokens_file", tokens),
        "audit_log": _expanded("api.audit_log", audit_log),
    }
    update["api"] = settings.api.model_copy(update=paths)
    if isinstance(settings.embedder, LocalEmbedderOptions):
        model_dir = settings.embedder.model_dir or data_dir / "models"
        model_dir = _expanded("embedder.model_dir", model_dir)
        update["embedder"] = settings.embedder.model_copy(update={"model_dir": model_dir})
    return in_folder(settings, data_dir).model_copy(update=update)


def _expanded(key: str, path: Path) -> Path:
    try:
        return path.expanduser().absolute()
    except RuntimeError:
        raise ConfigError(f"{key}: there is no home folder for {path}") from None


def _check(settings: Settings) -> None:
    """Check what a single option cannot check by itself."""
    listen, identity = settings.listen, settings.identity
    problems = []
    for key, url in _base_urls(settings):
        if leads_back(url, listen.host, listen.port):
            problems.append(
                f"{key}: {url} is this proxy itself ({listen.host}:{listen.port}); "
                "set it to the model server"
            )
    open_to_all = identity.mode in {"personal", "gateway"} and settings.api.token is None
    if not is_loopback(listen.host) and settings.api.enabled and open_to_all:
        problems.append(
            f"api.token: required because listen.host {listen.host} can be reached from other "
            "machines; set it (RECOLLECT_API__TOKEN), or set api.enabled to false"
        )
    if identity.mode == "gateway" and identity.hash_key is None and _is_shared(settings):
        problems.append(
            "identity.hash_key: required in gateway mode with shared state; set it to a long "
            "random value (RECOLLECT_IDENTITY__HASH_KEY), the same on every replica"
        )
    if identity.mode == "jwt":
        wanted = {"jwks": identity.jwt.jwks, "issuer": identity.jwt.issuer}
        wanted["audience"] = ", ".join(identity.jwt.audience)
        problems += [
            f"identity.jwt.{name}: required with identity.mode: jwt"
            for name, value in wanted.items()
            if not value
        ]
    problems += [f"{key}: {expected}" for key, expected in contradictions(settings)]
    if problems:
        raise ConfigError("\n".join(problems))


def _is_shared(settings: Settings) -> bool:
    """Whether other processes may use the same memories."""
    return (
        settings.state.backend == "redis"
        or settings.history.backend == "postgres"
        or settings.store.remote
    )


def _with_hash_key(settings: Settings) -> Settings:
    """Add the key of `data_dir`, generated once, in gateway mode without a configured key."""
    if settings.identity.mode != "gateway" or settings.identity.hash_key is not None:
        return settings
    try:
        key = installation_key(settings.data_dir)
    except OSError as error:
        raise ConfigError(
            f"identity.hash_key: {settings.data_dir / KEY_FILE} cannot be read or written "
            f"({error}); set the key, or make data_dir writable"
        ) from None
    except ValueError as error:
        raise ConfigError(f"identity.hash_key: {error}") from None
    identity = settings.identity.model_copy(update={"hash_key": SecretStr(key)})
    return settings.model_copy(update={"identity": identity})


def _base_urls(settings: Settings) -> Iterator[tuple[str, str]]:
    """The configured servers that receive our requests: keys and URLs."""
    named: dict[str, str | None] = {"upstream.base_url": settings.upstream.base_url}
    models = {
        "learn.llm": settings.learn.llm,
        "learn.vision": settings.learn.vision,
        "recall.rewrite.llm": settings.recall.rewrite.llm,
    }
    named |= {f"{key}.base_url": model.base_url for key, model in models.items() if model}
    if isinstance(settings.embedder, OpenAIEmbedderOptions):
        named["embedder.base_url"] = settings.embedder.base_url
    return ((key, url) for key, url in named.items() if url is not None)
