"""What every command has in common."""

import argparse

from recollect.proxy.commands import COMMANDS
from recollect.proxy.commands.arguments import CommandLine
from tests.support.folding import rows


def callable_of(parser):
    """The parser of a command, or those of its actions if it has any."""
    actions = [a.choices for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    return list(actions[0].values()) if actions else [parser]


@rows("name", COMMANDS)
def test_a_command_registers_under_its_name(name):
    """It, or each of its actions, takes `--config`; it says in one line what it does."""
    parser = CommandLine()
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--config")
    commands = parser.add_subparsers(dest="command")
    COMMANDS[name].add_parser(commands, shared)
    assert list(commands.choices) == [name]
    assert all("--config" in each.format_help() for each in callable_of(commands.choices[name]))
    [shown] = [line for line in parser.format_help().splitlines() if line.startswith(f"    {name}")]
    assert len(shown.split()) > 2


def test_names_are_the_modules():
    """A command is found where its name says."""
    assert {name: module.__name__ for name, module in COMMANDS.items()} == {
        name: f"recollect.proxy.commands.{name}" for name in COMMANDS
    }
