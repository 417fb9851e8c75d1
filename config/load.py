"""Settings from a file, the environment and flags, with everything that is wrong told at once.

Later sources win: defaults < file (``--config``, ``RECOLLECT_CONFIG``) < its profile
(``--profile``, ``RECOLLECT_PROFILE``; `config.profiles`) < environment
(``RECOLLECT_UPSTREAM__BASE_URL``; ``__`` separates levels) < flags.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from recollect.memory.engine.options import LocalEmbedderOptions, Problem, examine, in_folder
from recollect.memory.model.errors import ConfigError

from .checks import Conflict, clashes, conflicts
from .installation import KEY_FILE, installation_key
from .settings import Settings
from .sources import gather, overlap


def load_settings(
    *,
    path: Path | None = None,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
    profile: str | None = None,
) -> Settings:
    """Read, merge, validate, and resolve paths.

    Args:
        path: the YAML file (default: `RECOLLECT_CONFIG`; no file if that is not set either).
        environ: environment variables (default: those of the process).
        flags: values by dotted key, such as ``{"listen.port": 8080}``; None values are ignored.
        profile: what is laid over the file (default: `RECOLLECT_PROFILE`; nothing without it).

    Raises:
        ConfigError: a key is unknown, a value is out of range, or two values contradict each other.
            It has a line for each problem that can be known before the others are mended.
    """
    given = gather(path, os.environ if environ is None else environ, flags or {}, profile)
    options, problems = examine(Settings, given.values)
    if given.unread:
        # What the file would have said is unknown, so only what others say can be wrong.
        problems = [each for each in problems if given.names(each.key)]
        raise ConfigError("\n".join([given.unread, *map(given.line_of, problems)]))
    lines = list(map(given.line_of, problems))
    if options is not None:
        settings, found = _complete(options, writes=not lines)
        lines += [each.text for each in found if not _unknown(each.reads, problems)]
        if not lines:
            return settings.named_by(given.origins)
    raise ConfigError("\n".join(lines))


def _complete(options: Settings, *, writes: bool) -> tuple[Settings, list[Conflict]]:
    """The settings with their paths and key, and what does not go together.

    `writes`: whether the key may be made; not for a start that is refused.
    """
    wrong = list(_unplaceable(options))
    if wrong:
        return options, [*wrong, *conflicts(options)]
    settings = _resolve(options)
    found = [*conflicts(settings), *clashes(settings)]
    if settings.identity.mode != "gateway" or settings.identity.hash_key is not None:
        return settings, found
    if (found or not writes) and not (settings.data_dir / KEY_FILE).exists():
        return settings, found
    try:
        return _with_hash_key(settings), found
    except ConfigError as error:
        reads = ("data_dir", "identity.mode", "identity.hash_key")
        return settings, [*found, Conflict(str(error), reads)]


def _unknown(reads: Iterable[str], problems: Iterable[Problem]) -> bool:
    """Whether one of these keys, or a section of or below it, could not be read as it was meant."""
    doubtful = [key for each in problems for key in (each.key, *each.instead)]
    return any(overlap(key, other) for key in reads for other in doubtful)


def _unplaceable(settings: Settings) -> Iterator[Conflict]:
    """The paths that begin with the home folder of somebody who has none."""
    places: dict[str, Callable[[], Path | None]] = {
        "data_dir": settings.data_dir.expanduser,
        "recall.calibration": lambda: _home(settings.recall.calibration),
        "api.tokens_file": lambda: _home(settings.api.tokens_file),
        "api.audit_log": lambda: _home(settings.api.audit_log),
        "database.url": lambda: settings.database.file,
    }
    if isinstance(settings.embedder, LocalEmbedderOptions):
        folder = settings.embedder.model_dir
        places["embedder.model_dir"] = lambda: _home(folder)
    for key, place in places.items():
        try:
            place()
        except RuntimeError:
            yield Conflict(f"{key}: there is no home folder for this path", (key,))


def _home(path: Path | None) -> Path | None:
    return None if path is None else path.expanduser()


def _resolve(settings: Settings) -> Settings:
    """Fill in the paths that depend on `data_dir`."""
    data_dir = _absolute(settings.data_dir)
    update: dict[str, Any] = {"data_dir": data_dir}
    paths = {
        "tokens_file": _absolute(settings.api.tokens_file or data_dir / "tokens.json"),
        "audit_log": _absolute(settings.api.audit_log or data_dir / "audit.jsonl"),
    }
    update["api"] = settings.api.model_copy(update=paths)
    if isinstance(settings.embedder, LocalEmbedderOptions):
        model_dir = _absolute(settings.embedder.model_dir or data_dir / "models")
        update["embedder"] = settings.embedder.model_copy(update={"model_dir": model_dir})
    return in_folder(settings, data_dir).model_copy(update=update)


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


def _with_hash_key(settings: Settings) -> Settings:
    """Add the key of `data_dir`, generated once, in gateway mode without a configured key."""
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
