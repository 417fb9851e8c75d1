"""`recollect completion`: scripts, run by the shells themselves where they are installed."""

import shutil
import subprocess

import pytest

from recollect.proxy.cli import main
from recollect.proxy.commands import COMMANDS
from recollect.proxy.commands.completion import script
from tests.support.folding import rows

LEVELS = {
    "": {"shelf": None},
    "shelf": {"list": None, "look": None},
    "shelf list": {"--status": "new old", "--json": None, "--config": ""},
    "shelf look": {"book": None, "box": None},
}
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


@rows("shell", ["bash", "zsh", "fish"])
def test_a_script_knows_every_command(capsys, shell):
    """Also the actions of a command and their choices, and no text of a help."""
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in COMMANDS)
    assert "quarantined" in script
    assert "--status" in script or "-l status" in script
    assert "newest" not in script


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@rows("words, offered", CASES)
def test_bash_offers(words, offered):
    """Commands, options and choices."""
    done = _run(["bash", "-c", script("bash", LEVELS) + _BASH, "bash", "recollect", *words])
    assert set(done.split()) == offered


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("fish"), reason="needs fish")
@rows("words, offered", CASES)
def test_fish_offers(words, offered):
    """The same."""
    line = " ".join(["recollect", *words])
    done = _run(["fish", "--no-config", "-c", f"{script('fish', LEVELS)}\ncomplete -C '{line}'"])
    assert {row.split("\t")[0] for row in done.splitlines()} == offered


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("zsh"), reason="needs zsh")
def test_zsh_takes_the_script():
    """It runs that of bash."""
    _run(["zsh", "-f", "-c", f"autoload -U compinit; compinit -D\n{script('zsh', LEVELS)}"])


def _run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
