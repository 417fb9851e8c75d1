"""What a mistyped command line is told."""

import pytest

from recollect.proxy.cli import main
from tests.support.folding import rows


@rows(
    "arguments, told",
    [
        (["serve", "--prot", "9000"], "did you mean --port?"),
        (["serve", "--prot=9000"], "did you mean --port?"),
        (["serve", "--upstrem", "http://x/v1"], "did you mean --upstream?"),
        (["jobs", "list", "--stat=dead", "--jsn"], "did you mean --json?"),
        (["serv"], "did you mean serve?"),
        (["modles", "fetch"], "did you mean models?"),
        (["models", "fech"], "did you mean fetch?"),
        (["jobs", "lst"], "did you mean list?"),
    ],
)
def test_the_nearest_word_is_named(capsys, arguments, told):
    """Of a flag, a command, or what a command is asked to do; the status is 2."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert told in capsys.readouterr().err


@rows("arguments", [["serve", "--colour"], ["serve", "9000"], ["zzz"]])
def test_nothing_is_guessed(capsys, arguments):
    """What is like nothing has no suggestion."""
    with pytest.raises(SystemExit):
        main(arguments)
    assert "did you mean" not in capsys.readouterr().err


def test_without_a_command_the_commands_are_listed(capsys):
    """As with --help, but it is a wrong call."""
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    assert "run the proxy" in capsys.readouterr().err


@rows("arguments", [["help"], ["help", "serve"]])
def test_help_is_a_word_too(capsys, arguments):
    """People type it."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 0
    assert f"usage: recollect {' '.join(arguments[1:])}".strip() in capsys.readouterr().out
