"""Profiles: what is laid over the settings of a file for one place, such as staging.

A profile is a section of `profiles:` in the file, or a file beside it: that of `settings.yaml` for
staging is `settings.staging.yaml`. Of one that is both the file counts last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from recollect.memory.model.errors import ConfigError
from recollect.memory.model.suggestions import nearest

SECTION = "profiles"
PROFILE_VARIABLE = "RECOLLECT_PROFILE"
Values = dict[str, Any]


def with_profile(
    values: Values, path: Path | None, name: str | None, read: Callable[[Path], Values]
) -> tuple[Values, Values]:
    """The values of a file with a profile laid over them, and what the profile itself says.

    Without a name the values alone. `read` reads a file. Raises ConfigError for a profile that is
    not there, with those that are.
    """
    sections = values.pop(SECTION, None) or {}
    if not isinstance(sections, Mapping) or not all(isinstance(each, str) for each in sections):
        raise ConfigError(f"{SECTION}: expected names, each with settings below it")
    if name is None:
        return values, {}
    files = {} if path is None else _files(path)
    if name not in sections and name not in files:
        raise ConfigError(f"profile: {_unknown(name, sorted({*sections, *files}), path)}")
    over = sections.get(name) or {}
    if not isinstance(over, Mapping):
        raise ConfigError(f"{SECTION}.{name}: expected settings, such as `upstream:`")
    own = laid_over({}, over)
    if name in files:
        own = laid_over(own, read(files[name]))
    return laid_over(values, own), own


def laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> Values:
    """Both, section by section; any other value of the upper one replaces the lower one's."""
    merged = dict(below)
    for key, value in above.items():
        if isinstance(value, Mapping):
            under = merged.get(key)
            merged[key] = laid_over(under if isinstance(under, Mapping) else {}, value)
        else:
            merged[key] = value
    return merged


def _files(path: Path) -> dict[str, Path]:
    """The files beside one that have its name with one word more, by that word."""
    begin, end = f"{path.stem}.", path.suffix
    try:
        beside = [each for each in path.parent.iterdir() if each.name.startswith(begin)]
    except OSError:
        return {}
    names = {each.name.removeprefix(begin).removesuffix(end): each for each in beside}
    return {
        name: each
        for name, each in names.items()
        if name and "." not in name and each.name == f"{begin}{name}{end}"
    }


def _unknown(name: str, known: list[str], path: Path | None) -> str:
    if path is None:
        return f"there is no {name!r}: profiles stand in the file of settings, and none is named"
    if not known:
        return (
            f"there is no {name!r}: {path} has no section {SECTION}, and no file stands beside it "
            f"as {path.stem}.{name}{path.suffix}"
        )
    hint = f"did you mean {meant!r}? " if (meant := nearest(name, known)) else ""
    return f"there is no {name!r}: {hint}known are {', '.join(known)}"
