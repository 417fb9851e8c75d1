"""What shells need to complete a command line, read from its parser. Pure.

Each script walks the words that are typed, finds the deepest command among them, and offers what
that command takes. Only the script runs at a key press, never `recollect`: it takes 50 ms to start.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Flag:
    """An option with a value, or without."""

    name: str
    help: str
    choices: tuple[str, ...]
    """What its value may be; none: anything."""
    takes: str
    """What the value is: "" for none, "file", "text"."""


@dataclass(frozen=True, slots=True)
class Level:
    """A command, and what may stand behind it."""

    path: str
    """The words that lead to it, such as "memories list"; "" for the program."""
    words: tuple[tuple[str, str], ...]
    """Commands and choices, each with its description."""
    flags: tuple[Flag, ...]


def levels(parser: argparse.ArgumentParser, path: str = "") -> list[Level]:
    """The command of this parser and all below it."""
    below: list[Level] = []
    words: list[tuple[str, str]] = []
    flags: list[Flag] = []
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - likewise
            words += [(each.dest, each.help or "") for each in action._choices_actions]  # noqa: SLF001
            for name, each in action.choices.items():
                below += levels(each, f"{path} {name}".strip())
        elif action.option_strings:
            flags.append(_flag(action))
        else:
            words += [(str(choice), "") for choice in action.choices or ()]
    return [Level(path, tuple(words), tuple(flags)), *below]


def _flag(action: argparse.Action) -> Flag:
    takes = "text" if action.nargs != 0 else ""
    if takes and (action.type is Path or action.metavar in {"FILE", "DIR"}):
        takes = "file"
    choices = tuple(map(str, action.choices or ()))
    help_text = "" if action.help == argparse.SUPPRESS else action.help or ""
    return Flag(action.option_strings[-1], help_text, choices, takes)


def bash(found: Sequence[Level]) -> str:
    """The script of bash 3.2 and newer."""
    return _BASH.format(
        paths=_paths(found),
        values="\n".join(_bash_values(found)),
        words="\n".join(
            f"    {_quoted(level.path)}) offered={_quoted(_offered(level))} ;;" for level in found
        ),
    )


def _bash_values(found: Sequence[Level]) -> Iterator[str]:
    for level, flag in _with_values(found):
        case = _quoted(f"{level.path}/{flag.name}")
        if flag.choices:
            yield f"    {case}) offered={_quoted(' '.join(flag.choices))} ;;"
        else:
            yield f"    {case}) return ;;"


def zsh(found: Sequence[Level]) -> str:
    """The script of zsh, sourced after `compinit`."""
    return _ZSH.format(
        paths=_paths(found),
        values="\n".join(_zsh_values(found)),
        words="\n".join(
            f"    {_quoted(level.path)}) offered=({_zsh_words(level)}) ;;" for level in found
        ),
    )


def _zsh_values(found: Sequence[Level]) -> Iterator[str]:
    for level, flag in _with_values(found):
        case = _quoted(f"{level.path}/{flag.name}")
        does = f"compadd -- {' '.join(flag.choices)}" if flag.choices else "_files"
        yield f"    {case}) {does}; return ;;"


def _zsh_words(level: Level) -> str:
    described = [*level.words, *((flag.name, flag.help) for flag in level.flags)]
    return " ".join(
        _quoted(word.replace(":", r"\:") + (f":{text}" if text else "")) for word, text in described
    )


def fish(found: Sequence[Level]) -> str:
    """The script of fish 3 and newer."""
    return _FISH.format(paths=_fish_paths(found), lines="\n".join(_fish_lines(found)))


def _fish_paths(found: Sequence[Level]) -> str:
    return " ".join(_fish_quoted(level.path) for level in found if level.path)


def _fish_lines(found: Sequence[Level]) -> Iterator[str]:
    for level in found:
        here = f"complete -c recollect -n {_fish_quoted(f'__recollect_at {_inner(level.path)}')}"
        for word, text in level.words:
            yield f"{here} -f -a {_fish_quoted(word)} -d {_fish_quoted(text)}"
        for flag in level.flags:
            yield f"{here} {_fish_flag(flag)} -d {_fish_quoted(flag.help)}"


def _fish_flag(flag: Flag) -> str:
    name = f"-l {flag.name.removeprefix('--')}"
    if flag.choices:
        return f"{name} -x -a {_fish_quoted(' '.join(flag.choices))}"
    return name + {"": " -f", "file": " -r -F", "text": " -x"}[flag.takes]


def _inner(path: str) -> str:
    return f'"{path}"'


def _fish_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _paths(found: Sequence[Level]) -> str:
    return "|".join(_quoted(level.path) for level in found if level.path)


def _with_values(found: Sequence[Level]) -> Iterator[tuple[Level, Flag]]:
    return ((level, flag) for level in found for flag in level.flags if flag.takes)


def _offered(level: Level) -> str:
    return " ".join([*(word for word, _ in level.words), *(flag.name for flag in level.flags)])


def _quoted(text: str) -> str:
    return shlex.quote(text)


_BASH = """\
# bash completion of recollect; made by `recollect completion bash`
_recollect() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" at="" word offered=""
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "${{at:+$at }}$word" in
    {paths}) at="${{at:+$at }}$word" ;;
    esac
  done
  COMPREPLY=()
  case "$at/$prev" in
{values}
  esac
  [ -n "$offered" ] || case "$at" in
{words}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$cur"))
}}
complete -o default -F _recollect recollect"""

_ZSH = """\
#compdef recollect
# zsh completion of recollect; made by `recollect completion zsh`
_recollect() {{
  local at="" word prev="${{words[CURRENT-1]}}"
  local -a offered
  for word in "${{(@)words[2,CURRENT-1]}}"; do
    case "${{at:+$at }}$word" in
    {paths}) at="${{at:+$at }}$word" ;;
    esac
  done
  case "$at/$prev" in
{values}
  esac
  case "$at" in
{words}
  esac
  _describe recollect offered || _files
}}
# Loaded by its name from fpath, or sourced.
if [ "${{funcstack[1]}}" = _recollect ]; then
  _recollect "$@"
else
  compdef _recollect recollect
fi"""

_FISH = """\
# fish completion of recollect; made by `recollect completion fish`
function __recollect_at
    set -l at ""
    for word in (commandline -opc)[2..]
        set -l next (string trim -- "$at $word")
        contains -- $next {paths}; and set at $next
    end
    test "$at" = "$argv[1]"
end
{lines}"""
