"""What every command has in common."""

from recollect.proxy.cli import command_line
from recollect.proxy.commands import COMMANDS, HELP
from tests.support.folding import rows


@rows("name", COMMANDS)
def test_a_command_registers_under_its_name(name):
    """It, or each of its actions, takes `--config`; it says in one line what it does."""
    [commands] = [a for a in command_line()._actions if a.choices]
    assert all("--config" in each.format_help() for each in commands.choices[name].leaves())
    assert len(HELP[name].split()) > 2
