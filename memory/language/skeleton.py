"""The file of a new language: every field with what it means and what English has there."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import Field, fields
from typing import Any

from .fields import Kind
from .pack import SCRIPTS, LanguagePack
from .read import SECTIONS
from .syntax import MAX_GAP, NONE

_WIDTH = 100
_SHOWN_TERMS = 24
"""Of a long field; the English file has the rest."""
_HEAD = """\
# {name}. Try the file with `recollect packs check {code}.toml`; docs/languages.md explains it.
#
# Terms are separated by commas or line ends, in any case. `word*` stands for any ending, `*word`
# for any beginning, and `..` between two words for up to {gap} words. Long values stand between
# ''' and '''. Leave empty what the language does not have, and what you do not know.

code = "{code}"
name = "{name}"
{scripts}
script = "{script}"
"""


def skeleton(code: str, name: str, script: str, model: LanguagePack) -> str:
    """The text of an empty pack, with the words of `model` as examples in comments."""
    scripts = "\n".join(_comment(f"One of {', '.join(sorted(SCRIPTS))}."))
    head = _HEAD.format(code=code, name=name, script=script, gap=MAX_GAP, scripts=scripts)
    return "".join([head, *(_section(name, model) for name in SECTIONS)])


def _section(name: str, model: LanguagePack) -> str:
    table = getattr(model, name)
    lines = [*_comment(_summary(table)), f"[{name}]"]
    for spec in fields(table):
        lines += ["", *_comment(spec.metadata["doc"])]
        lines += _value(spec, getattr(table, spec.name), model.name)
    return "\n".join(["", *lines, ""])


def _summary(table: object) -> str:
    return (type(table).__doc__ or "").strip().split("\n")[0]


def _value(spec: Field[Any], value: Any, language: str) -> Iterator[str]:
    """The lines of a field: an example, and the empty value."""
    match spec.metadata["kind"]:
        case Kind.TERMS:
            yield from _example(language, _some(value))
            yield f'{spec.name} = ""'
        case Kind.ROWS:
            size = spec.metadata["size"]
            yield from _comment(f"{size} lines; {NONE!r} is a line of none." if size else "Lines.")
            yield from _example(language, " / ".join(", ".join(row) or NONE for row in value[:12]))
            yield f"{spec.name} = '''\n'''"
        case Kind.NAMED:
            for key, terms in value.items():
                yield from _example(language, _some(terms))
                yield f'{spec.name}.{_quoted(key)} = ""'
        case Kind.FLAG:
            yield from _example(language, str(value).lower())
            yield f"{spec.name} = false"


def _some(terms: Sequence[str]) -> str:
    more = f", … ({len(terms)} in all)" if len(terms) > _SHOWN_TERMS else ""
    return ", ".join(terms[:_SHOWN_TERMS]) + more


def _example(language: str, shown: str) -> list[str]:
    return _comment(f"{language}: {shown}") if shown else []


def _comment(text: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False
    )


def _quoted(key: str) -> str:
    plain = key.replace("_", "").replace("-", "")
    return key if plain.isascii() and plain.isalnum() else f'"{key}"'
