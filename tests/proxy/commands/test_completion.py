"""`recollect completion`."""

from recollect.proxy.cli import main
from recollect.proxy.commands import COMMANDS
from tests.support.folding import rows


@rows("shell", ["bash", "zsh", "fish"])
def test_a_script_knows_every_command(capsys, shell):
    """Also the actions of a command and their choices."""
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in COMMANDS)
    assert "quarantined" in script
    assert "--status" in script or "-l status" in script
