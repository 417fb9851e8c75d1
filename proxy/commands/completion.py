"""`recollect completion SHELL`: print what makes a shell complete commands, options and choices.

A script walks the words that are typed, finds the deepest command among them, and offers what that
command takes. Only the script runs at a key press, never `recollect`.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from .terminal import show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine

DESCRIPTION = """\
Print a script that completes the commands, options and choices of recollect.

  bash  echo 'source <(recollect completion bash)' >> ~/.bashrc
  zsh   echo 'source <(recollect completion zsh)' >> ~/.zshrc    (after compinit)
  fish  recollect completion fish > ~/.config/fish/completions/recollect.fish"""
Levels = Mapping[str, Mapping[str, str | None]]
"""What may stand behind each command, by the words that lead to it: commands, choices and options;
of an option the choices of its value, "" for any, None if it takes none."""


def fill(parser: CommandLine) -> None:
    """Register ``completion``."""
    parser.description = DESCRIPTION
    parser.add_argument("shell", choices=["bash", "fish", "zsh"])


def run(_settings: Settings, options: argparse.Namespace) -> int:
    """Print the script of a shell."""
    # The command line is made of all commands, this one among them.
    from ..cli import command_line

    show(script(options.shell, dict(levels(command_line()))))
    return 0


def levels(
    parser: argparse.ArgumentParser, path: str = ""
) -> Iterator[tuple[str, dict[str, str | None]]]:
    """The command of this parser and all below it."""
    taken: dict[str, str | None] = {}
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
        choices = [str(each) for each in action.choices or ()]
        if action.option_strings:
            taken[action.option_strings[-1]] = None if action.nargs == 0 else " ".join(choices)
        else:
            taken |= dict.fromkeys(choices)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - likewise
            for name in choices:
                yield from levels(action.choices[name], f"{path} {name}".strip())
    yield path, taken


def script(shell: str, found: Levels) -> str:
    """The script of bash 3.2, fish 3 or zsh, and newer; zsh runs that of bash."""
    if shell == "fish":
        return _FISH.format(paths=_paths(found, " "), lines="\n".join(_fish_lines(found)))
    asked = _BASH.format(
        paths=_paths(found, "|"),
        values="\n".join(
            f"    {shlex.quote(f'{path}/{flag}')}) "
            + (f"offered={shlex.quote(choices)} ;;" if choices else "return ;;")
            for path, taken in found.items()
            for flag, choices in taken.items()
            if choices is not None
        ),
        words="\n".join(
            f"    {shlex.quote(path)}) offered={shlex.quote(' '.join(taken))} ;;"
            for path, taken in found.items()
        ),
    )
    return f"autoload -U +X bashcompinit && bashcompinit\n{asked}" if shell == "zsh" else asked


def _fish_lines(found: Levels) -> Iterator[str]:
    for path, taken in found.items():
        at = f'__recollect_at "{path}"'
        here = f"complete -c recollect -n {shlex.quote(at)}"
        for word, choices in taken.items():
            if not word.startswith("--"):
                yield f"{here} -f -a {shlex.quote(word)}"
                continue
            takes = " -r" if choices == "" else f" -x -a {shlex.quote(choices)}" if choices else ""
            yield f"{here} -l {word.removeprefix('--')}{takes}"


def _paths(found: Levels, between: str) -> str:
    return between.join(shlex.quote(path) for path in found if path)


_BASH = """\
# completion of recollect; made by `recollect completion`
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

_FISH = """\
# completion of recollect; made by `recollect completion fish`
function __recollect_at
    set -l at ""
    for word in (commandline -opc)[2..]
        set -l next (string trim -- "$at $word")
        contains -- $next {paths}; and set at $next
    end
    test "$at" = "$argv[1]"
end
{lines}"""
