"""Completion scripts, run by the shells themselves where they are installed."""

import argparse
import shutil
import subprocess

import pytest

from recollect.proxy.commands.completing import bash, fish, levels, zsh
from tests.support.folding import rows


def parser():
    """A program with one command that has actions, and texts that a shell would act on."""
    made = argparse.ArgumentParser(prog="recollect")
    commands = made.add_subparsers(dest="command")
    shelf = commands.add_parser("shelf", help="what's on it: `rm -rf`, $(id)")
    actions = shelf.add_subparsers(dest="action")
    listing = actions.add_parser("list", help="show it")
    listing.add_argument("--status", choices=("new", "old"), help='one of "these"')
    listing.add_argument("--json", action="store_true", help="JSON")
    listing.add_argument("--config", metavar="FILE", help="a file")
    kind = actions.add_parser("look", help="look")
    kind.add_argument("kind", choices=("book", "box"))
    return made


LEVELS = levels(parser())
CASES = [
    (["sh"], {"shelf"}),
    (["shelf", "l"], {"list", "look"}),
    (["shelf", "list", "--st"], {"--status"}),
    (["shelf", "list", "--status", ""], {"new", "old"}),
    (["shelf", "list", "--json", "--status", "o"], {"old"}),
    (["shelf", "look", "b"], {"book", "box"}),
]
_BASH = """
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _recollect; printf '%s\\n' "${COMPREPLY[@]}"
"""


def test_the_levels_are_read_from_the_parser():
    """Commands with what they offer, from the program down."""
    assert [level.path for level in LEVELS] == ["", "shelf", "shelf list", "shelf look"]
    flags = {flag.name: flag for flag in LEVELS[2].flags}
    assert flags["--status"].choices == ("new", "old")
    assert [flags[name].takes for name in ("--json", "--config", "--status")] == [
        "",
        "file",
        "text",
    ]
    assert LEVELS[3].words == (("book", ""), ("box", ""))


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@rows("words, offered", CASES)
def test_bash_offers(words, offered):
    """Commands, options and choices; the texts of the help are not in the script."""
    script = bash(LEVELS)
    done = _run(["bash", "-c", script + _BASH, "bash", "recollect", *words])
    assert set(done.split()) == offered
    assert "rm -rf" not in script


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("fish"), reason="needs fish")
@rows("words, offered", CASES)
def test_fish_offers(words, offered):
    """The same, each with its help, which runs nothing."""
    line = " ".join(["recollect", *words])
    done = _run(["fish", "--no-config", "-c", f"{fish(LEVELS)}\ncomplete -C '{line}'"])
    assert {row.split("\t")[0] for row in done.splitlines()} == offered


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("zsh"), reason="needs zsh")
@rows("words, offered", CASES)
def test_zsh_offers(words, offered):
    """The same; `_describe` and `compadd` stand in for the screen."""
    shown = """
_files() { print files; }
_describe() { local each; for each in "${offered[@]}"; do print -r -- "${each%%:*}"; done; }
compadd() { shift; print -l -- "$@"; }
words=(recollect "$@"); CURRENT=$#words
_recollect
"""
    done = _run(["zsh", "-f", "-c", f"compdef() {{ :; }}\n{zsh(LEVELS)}{shown}", "zsh", *words])
    begun = [each for each in done.split() if each.startswith(words[-1])]
    assert {each for each in begun if words[-1] or not each.startswith("-")} == offered


def _run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
