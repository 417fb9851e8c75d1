"""The `recollect` command: its settings and its dispatch; what each does is in commands/."""

import os
import subprocess
import sys

import pytest

from recollect.proxy.cli import main
from recollect.proxy.commands import COMMANDS
from tests.support.command import clean_environ
from tests.support.folding import rows
from tests.support.zygote import ROOT


@pytest.fixture(autouse=True)
def environ(monkeypatch, tmp_path):
    """No setting of this machine; a data folder of the test's own."""
    for name in list(os.environ):
        if name.startswith("RECOLLECT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("RECOLLECT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER__BACKEND", "fake")
    monkeypatch.setenv("RECOLLECT_INDEX__BACKEND", "exact")
    return monkeypatch


@rows(
    "command",
    [["serve"], ["check"], ["health"], ["models", "fetch"], ["calibrate", "x"], ["reindex"]],
)
def test_a_bad_configuration_names_the_key(environ, capsys, command):
    """Every command ends with status 2 and says which key is wrong."""
    environ.setenv("RECOLLECT_LISTEN__PORT", "a lot")
    assert main(command) == 2
    assert "listen.port" in capsys.readouterr().err


def test_flags_override(environ, capsys):
    """A flag is validated like every other source, and wins."""
    environ.setenv("RECOLLECT_LISTEN__PORT", "1")
    assert main(["serve", "--port", "70000"]) == 2
    assert "listen.port" in capsys.readouterr().err
    assert main(["serve", "--upstream", "http://127.0.0.1:8787/v1", "--port", "8787"]) == 2
    assert "upstream.base_url" in capsys.readouterr().err
    assert main(["serve", "--host", "0.0.0.0"]) == 2
    assert "api.token" in capsys.readouterr().err


@rows("command", [["serve"], ["check"], ["memories", "list"], ["jobs", "list"]])
def test_every_command_takes_a_profile(environ, monkeypatch, capsys, tmp_path, command):
    """It is laid over the file; a name that is none ends the command with those that are."""
    seen = []
    monkeypatch.setattr(COMMANDS[command[0]], "run", lambda settings, _: seen.append(settings) or 0)
    path = tmp_path / "settings.yaml"
    path.write_text("profiles: {staging: {recall: {limit: 3}}}", "utf-8")
    assert main([*command, "--config", str(path), "--profile", "staging"]) == 0
    assert seen.pop().recall.limit == 3
    assert main([*command, "--config", str(path), "--profile", "prod"]) == 2
    assert "known are staging" in capsys.readouterr().err


@rows("command", [["serve"], ["check"], ["memories", "list"], ["jobs", "list"]])
def test_every_command_takes_a_data_folder(environ, monkeypatch, tmp_path, command):
    """The flag overrides file and environment."""
    seen = []
    monkeypatch.setattr(COMMANDS[command[0]], "run", lambda settings, _: seen.append(settings) or 0)
    assert main([*command, "--data-dir", str(tmp_path / "other")]) == 0
    assert main(command) == 0
    assert [each.data_dir for each in seen] == [tmp_path / "other", tmp_path / "data"]


@rows("arguments", [[], ["nonsense"], ["models"], ["models", "drop"], ["serve", "--port", "x"]])
def test_a_wrong_call_is_status_2(arguments, capsys):
    """The usage is shown."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_help_names_every_command(capsys):
    """What can be done is told; `--version` is one line and needs no configuration."""
    for asked in ("--version", "--help"):
        with pytest.raises(SystemExit) as caught:
            main([asked])
        assert caught.value.code == 0
        shown = capsys.readouterr().out.splitlines()
        assert (len(shown) == 1) is (asked == "--version")
    assert set(COMMANDS) <= {line.split()[0] for line in shown if line.startswith("    ")}


def python(*arguments):
    """Run Python as a user would from a shell without settings."""
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=clean_environ(), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.process
def test_the_help_of_the_program_loads_no_command():
    """What each does stands beside their names."""
    script = """
import contextlib, io, sys
from recollect.proxy.cli import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    main(["--help"])
print(*(name for name in sys.modules if name.startswith("recollect.proxy.commands.")))
"""
    loaded = {name.rpartition(".")[2] for name in python("-c", script).split()}
    assert loaded == {"arguments", "base", "columns", "terminal"}


@pytest.mark.process
def test_no_engine_is_loaded_to_ask_for_health():
    """A container asks every few seconds: the command line alone imports nothing heavy.

    `python -m recollect` does what `recollect` does.
    """
    heavy = "{'recollect.memory', 'aiohttp', 'numpy'}"
    script = f"import sys, recollect.proxy.cli; print({heavy} & set(sys.modules))"
    assert python("-c", script) == "set()"
    assert python("-m", "recollect", "--version")
