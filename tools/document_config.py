"""Writes config/default.yaml, docs/configuration.md and the chart's keys from the option models.

The models are the truth; a test fails when a file is not what this would write.
"""

from __future__ import annotations

import re
import sys
import textwrap
import types
import typing
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from recollect.config.settings import Settings
from recollect.memory.engine.options import ModelServerOptions, OpenAIChatOptions
from recollect.memory.model.options_base import ByKind

ROOT = Path(__file__).resolve().parent.parent
YAML_FILE = ROOT / "config" / "default.yaml"
PAGE_FILE = ROOT / "docs" / "configuration.md"
KEYS_FILE = ROOT / "helm" / "recollect" / "files" / "keys.yaml"

HEAD = """\
Every setting of Recollect with its default. Copy what you change into a file of your own and name
it with --config or RECOLLECT_CONFIG. Environment variables override the file
(RECOLLECT_RECALL__DEADLINE_MS=100 sets recall.deadline_ms), flags override both.
docs/configuration.md lists types, ranges, and what the other backends take.
Written by `make docs` from the option models: change it there.
"""

KEYS_HEAD = """\
# The keys that the chart knows below `config`; `*` stands for any name, null for any value.
# Written by `make docs` from the option models.
"""

MODEL_HEAD = """
## A model

The keys below each of {}; `learn.llm` alone may have a fallback.
"""

_EVIDENT = {"text", "boolean", "list", "integer", "number", "path", "map", "secret"}
"""Kinds that a default shows by itself."""
HEADER = "| key | default | meaning |\n|---|---|---|"

PAGE_HEAD = """\
# Configuration reference

After this page you can set every option. Settings come from a YAML file (`--config FILE` or
`RECOLLECT_CONFIG`), its profile, variables of the environment, and flags; later wins. With
`--profile staging` (`RECOLLECT_PROFILE`) the section `profiles.staging` of the file, or
`NAME.staging.yaml` beside `NAME.yaml`, is laid over it. The variable of a key is `RECOLLECT_` and
the key in capitals with `__` for each dot: `RECOLLECT_RECALL__DEADLINE_MS`. An unknown key, a value
out of range, or settings that cannot go together stop the start, with a line for each.

Behind a default stands what it may be, where the default does not show it. This page and
[`config/default.yaml`](../config/default.yaml) are written by `make docs`.
"""


def default_yaml() -> str:
    """The whole default configuration, each key under its description."""
    head = "".join(f"# {line}\n" for line in HEAD.splitlines())
    return head + "\n" + "\n".join(_yaml_lines(Settings(), 0)).rstrip() + "\n"


def _yaml_lines(model: BaseModel, depth: int) -> Iterator[str]:
    indent = "  " * depth
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        text = field.description or _summary(value)
        for line in textwrap.wrap(text, 96 - len(indent)):
            yield f"{indent}# {line}"
        if isinstance(value, BaseModel):
            yield f"{indent}{name}:"
            yield from _yaml_lines(value, depth + 1)
        else:
            yield f"{indent}{name}: {_scalar(value)}"
        if depth == 0:
            yield ""


def configuration_page() -> str:
    """One table for each group of keys, alternatives of a part included."""
    sections = [PAGE_HEAD, "## Top level\n", *_table("", Settings, skip_groups=True)]
    for name, field in Settings.model_fields.items():
        models = _models(field.annotation)
        sections += (
            _alternatives(name, models, type(_default(field)))
            if len(models) > 1
            else _sections(name, models)
        )
    named = " and ".join(f"`{key}`" for key in _named_models("", Settings))
    sections += [MODEL_HEAD.format(named), *_table("", OpenAIChatOptions, skip_groups=False)]
    return "\n".join(sections) + "\n"


def _named_models(prefix: str, model: type[BaseModel]) -> Iterator[str]:
    """The keys that name a model of a server."""
    for name, field in model.model_fields.items():
        for below in _models(field.annotation):
            if issubclass(below, ModelServerOptions):
                yield prefix + name
            else:
                yield from _named_models(f"{prefix}{name}.", below)


def chart_keys() -> str:
    """Every key below a section, of all backends, as nested maps."""
    return KEYS_HEAD + yaml.safe_dump(_keys(Settings), sort_keys=False)


def _keys(*models: type[BaseModel]) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for model in models:
        for name, field in model.model_fields.items():
            below = _models(field.annotation)
            kind = typing.get_origin(field.annotation)
            named = kind is dict
            if below and kind is not tuple:
                known[name] = {"*": _keys(*below)} if named else _keys(*below)
            else:
                known.setdefault(name, None)
    return known


def _sections(
    prefix: str, models: Iterable[type[BaseModel]], text: str | None = None
) -> Iterator[str]:
    for model in models:
        yield f"\n## `{prefix}`\n"
        yield f"{text or _first_paragraph(model)}\n"
        yield from _table(prefix + ".", model, skip_groups=True)
        for name, field in model.model_fields.items():
            unset = " Not set by default." if _default(field) is None else ""
            below = field.description and field.description + unset
            yield from _sections(f"{prefix}.{name}", _groups(field), below)


def _alternatives(
    prefix: str, models: list[type[BaseModel]], default: type[BaseModel]
) -> Iterator[str]:
    """One table of all backends: a key is a row, which tells what it is with which of them."""
    yield f"\n## `{prefix}`\n"
    yield f"{_first_paragraph(default)} Other backends have other keys.\n"
    yield HEADER
    for name in dict.fromkeys(name for model in models for name in model.model_fields):
        kinds: dict[tuple[str, str, str], list[str]] = {}
        for model in models:
            if (field := model.model_fields.get(name)) is not None:
                backend = model.model_fields["backend"].default
                kinds.setdefault(_cells(field), []).append(f"`{backend}`")
        if len(kinds) == 1 and len(next(iter(kinds.values()))) == len(models):
            yield _row(prefix + "." + name, *next(iter(kinds)))
            continue
        defaults, types, meanings = map(list, zip(*kinds, strict=True))
        told = [
            f"{', '.join(of)}: {text}" for of, text in zip(kinds.values(), meanings, strict=True)
        ]
        if name == "backend":
            defaults = [f"`{default.model_fields[name].default}`"]
        defaults, types = list(dict.fromkeys(defaults)), list(dict.fromkeys(types))
        yield _row(prefix + "." + name, " / ".join(defaults), " / ".join(types), " ".join(told))


def _table(prefix: str, model: type[BaseModel], *, skip_groups: bool) -> Iterator[str]:
    rows = [
        (name, field)
        for name, field in model.model_fields.items()
        if not (skip_groups and _groups(field))
    ]
    if not rows:
        return
    yield HEADER
    for name, field in rows:
        yield _row(prefix + name, *_cells(field))


def _cells(field: FieldInfo) -> tuple[str, str, str]:
    """Default, type and meaning."""
    default, meaning = _default(field), (field.description or "").replace("|", "\\|")
    if isinstance(default, ByKind):
        kinds = type(default).model_fields
        told = [f"`{name}`: {each.description}" for name, each in kinds.items()]
        meaning = " ".join([meaning or _first_paragraph(type(default)), *told])
        default = {name: value for name, value in default if value is not None}
    return f"`{_scalar(default)}`", _kind(field).replace("|", "\\|"), meaning


def _row(key: str, default: str, kind: str, meaning: str) -> str:
    choices = re.findall(r"`\w[\w-]*`", kind)
    is_told = bool(choices) and all(each in meaning for each in choices)
    evident = is_told or (kind in _EVIDENT and default != "`null`")
    told = default if evident else f"{default}; {kind}"
    return f"| `{key}` | {told} | {meaning} |"


def _groups(field: FieldInfo) -> list[type[BaseModel]]:
    """The option models that have a section of their own.

    None of a map by names or by kinds, and not those of models, which are told once.
    """
    if typing.get_origin(field.annotation) is dict:
        return []
    told = (ByKind, ModelServerOptions)
    return [each for each in _models(field.annotation) if not issubclass(each, told)]


def _models(annotation: Any) -> list[type[BaseModel]]:
    """The option models an annotation allows."""
    if isinstance(annotation, type):
        return [annotation] if issubclass(annotation, BaseModel) else []
    arguments = typing.get_args(annotation)
    return [model for argument in arguments for model in _models(argument)]


def _default(field: FieldInfo) -> Any:
    return field.get_default(call_default_factory=True, validated_data={})


def _kind(field: FieldInfo) -> str:
    return _bounded(_type_name(field.annotation), field.metadata)


def _bounded(kind: str, metadata: Iterable[Any]) -> str:
    """The kind with its bounds: `integer 1 to 200`, `number > 0`."""
    found = {
        name: limit
        for bound in metadata
        for name in ("ge", "gt", "le", "lt")
        if (limit := getattr(bound, name, None)) is not None
    }
    low = f"{found['ge']:g}" if "ge" in found else f"> {found['gt']:g}" if "gt" in found else ""
    if "le" in found:
        return f"{kind}, {low or '0'} to {found['le']:g}"
    return f"{kind} {low}" if low.startswith(">") else f"{kind} ≥ {low}" if low else kind


def _type_name(annotation: Any) -> str:
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if origin is typing.Annotated:
        field = FieldInfo.from_annotation(annotation)
        return _bounded(_type_name(field.annotation), field.metadata)
    if origin is typing.Literal:
        return " or ".join(f"`{argument}`" for argument in arguments)
    if origin in {typing.Union, types.UnionType}:
        told = (_type_name(each) for each in arguments if each is not type(None))
        return " or ".join(told)
    if origin is dict:
        return "map"
    if origin is tuple:
        return "list"
    if isinstance(annotation, type) and issubclass(annotation, ModelServerOptions):
        return "[a model](#a-model)"
    if isinstance(annotation, type) and issubclass(annotation, ByKind):
        kinds = {_kind(each) for each in annotation.model_fields.values()}
        return f"map: {kinds.pop()}" if len(kinds) == 1 else "map"
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return " or ".join(f"`{member.value}`" for member in annotation)
    names = {str: "text", int: "integer", float: "number", bool: "boolean"}
    return {**names, Path: "path", SecretStr: "secret"}.get(annotation, str(annotation))


def _scalar(value: Any) -> str:
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, (Path, tuple)):
        value = str(value) if isinstance(value, Path) else list(value)
    return yaml.safe_dump(value, default_flow_style=True).removesuffix("...\n").strip()


def _summary(value: Any) -> str:
    return _first_paragraph(type(value)) if isinstance(value, BaseModel) else ""


def _first_paragraph(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").split("\n\n")[0].split())


def main() -> int:
    """Write the files; with --check only say whether they are current."""
    wanted = {
        YAML_FILE: default_yaml(),
        PAGE_FILE: configuration_page(),
        KEYS_FILE: chart_keys(),
    }
    stale = [p for p, text in wanted.items() if not p.exists() or p.read_text("utf-8") != text]
    if "--check" in sys.argv:
        print("\n".join(f"{path.name} is out of date: run `make docs`" for path in stale))
        return 1 if stale else 0
    for path in stale:
        path.write_text(wanted[path], "utf-8")
        print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
