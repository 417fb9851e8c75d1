"""Where settings are written: the file and its profile, the variables, the flags.

Later sources win. No other module reads the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from recollect.memory.engine.options import Problem
from recollect.memory.model.errors import ConfigError

from .profiles import PROFILE_VARIABLE, with_profile

PREFIX = "RECOLLECT_"
CONFIG_VARIABLE = "RECOLLECT_CONFIG"
_OF_KUBERNETES = re.compile(r"RECOLLECT_(?:PORT(?:_.*)?|SERVICE_(?:HOST|PORT)(?:_.*)?)")
"""Variables that are not settings: Kubernetes sets them in every pod for a Service named
`recollect`."""
_VALUES, _DEPTH = 100_000, 50
_TOO_MUCH = f"has more than {_DEPTH} levels or {_VALUES:,} values"
_PORT = "RECOLLECT_PORT"
"""The one of them that people set too, who mean `listen.port`; Kubernetes sets it to a URL."""


@dataclass(slots=True)
class SettingSources:
    """What the sources say, merged."""

    values: dict[str, Any] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    """The variables of the environment by the dotted keys that they set."""
    unread: str = ""
    """Why the file could not be read; the values are then those of the other sources."""
    named: set[str] = field(default_factory=set)
    """The keys that variables and flags set."""
    origins: list[tuple[str, str]] = field(default_factory=list)
    """Where each dotted key is set, in words for people; of two with one key the later wins."""

    def line_of(self, problem: Problem) -> str:
        """A problem as a line, with the variable that sets its key."""
        found = [key for key in self.variables if overlap(key, problem.key)]
        if not found:
            return str(problem)
        variable = self.variables[problem.key if problem.key in found else found[0]]
        hint = "`__` stands for a dot"
        if problem.instead:
            some = "for example " if len(problem.instead) > 1 else ""
            hint = f"write {some}{variable_of(problem.instead[0])}"
        return f"{problem} (the variable {variable}; {hint})"

    def names(self, key: str) -> bool:
        """Whether a variable or a flag sets the key, or one above or below it."""
        return any(overlap(key, each) for each in self.named)


def gather(
    path: Path | None,
    environ: Mapping[str, str],
    flags: Mapping[str, Any],
    profile: str | None = None,
) -> SettingSources:
    """Read and merge the sources: the file and its profile, over them variables, then flags."""
    given = SettingSources()
    if path is None and environ.get(CONFIG_VARIABLE):
        path = Path(environ[CONFIG_VARIABLE])
    profile = profile or environ.get(PROFILE_VARIABLE) or None
    try:
        values = {} if path is None else _read_file(path)
        given.values, own = with_profile(values, path, profile, _read_file)
    except ConfigError as error:
        given.unread = str(error)
    else:
        given.origins += [(key, "file") for key in _dotted(given.values, "")]
        given.origins += [(key, f"profile {profile}") for key in _dotted(own, "")]
    for name, value in _from_environment(environ):
        keys = name.removeprefix(PREFIX).lower().split("__")
        given.variables[".".join(keys)] = name
        given.named.add(".".join(keys))
        given.origins.append((".".join(keys), f"variable {name}"))
        _set(given.values, keys, value)
    for key, value in flags.items():
        if value is not None:
            given.named.add(key)
            given.origins.append((key, "flag"))
            _set(given.values, key.split("."), value)
    _drop_weights(given.values)
    return given


def variable_of(key: str) -> str:
    """The variable that sets a dotted key."""
    return PREFIX + key.replace(".", "__").upper()


def overlap(one: str, other: str) -> bool:
    """Whether one of two dotted keys is the other, or a section that it is in."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _dotted(values: Mapping[str, Any], above: str) -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield from _dotted(value, f"{above}{name}.")
        else:
            yield f"{above}{name}"


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
    except RecursionError:
        raise ConfigError(f"{path}: {_TOO_MUCH}") from None
    except ValueError:
        # Without its text, as above: a date such as 2026-02-31, or digits without end.
        raise ConfigError(
            f"{path}: is not valid YAML: a date or a number does not exist; quote what is text"
        ) from None
    if _is_too_much(loaded):
        raise ConfigError(f"{path}: {_TOO_MUCH}")
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise ConfigError(f"{path}: expected keys such as `upstream:` at the top level")
    return loaded


def _is_too_much(value: Any) -> bool:
    """Whether there is more than options have; aliases count for what they stand for."""
    open_, count = [(value, 0)], 0
    while open_:
        one, depth = open_.pop()
        count += 1
        if count > _VALUES or depth > _DEPTH:
            return True
        if isinstance(one, dict):
            open_ += ((each, depth + 1) for each in one.values())
        elif isinstance(one, list):
            open_ += ((each, depth + 1) for each in one)
    return False


def _from_environment(environ: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    for name in sorted(environ):
        of_people = name == _PORT and environ[name].isdecimal()
        if not name.startswith(PREFIX) or name in (CONFIG_VARIABLE, PROFILE_VARIABLE):
            continue
        if of_people or not _OF_KUBERNETES.fullmatch(name):
            yield name, _value(environ[name])


def _value(text: str) -> Any:
    """Parse lists, objects and null as YAML; every other value stays text for the models."""
    if text[:1] in {"[", "{"} or text in {"null", "~"}:
        try:
            value = yaml.safe_load(text)
        except (yaml.YAMLError, RecursionError, ValueError):
            return text
        return text if _is_too_much(value) else value
    return text


def _set(values: dict[str, Any], keys: Sequence[str], value: Any) -> None:
    node = values
    for key in keys[:-1]:
        below = node.get(key)
        if below is not None and not isinstance(below, dict):
            return  # It is not what belongs there, and is reported.
        if below is None:
            below = node[key] = {}
        node = below
    node[keys[-1]] = value


def _drop_weights(values: dict[str, Any]) -> None:
    """The container image always sets `embedder.model_dir`, for its own weights."""
    embedder = values.get("embedder")
    if isinstance(embedder, dict) and embedder.get("backend", "local") != "local":
        embedder.pop("model_dir", None)
