"""The settings of a command line."""

import argparse

from recollect.proxy.commands.configured import settings_of


def test_flags_win_over_the_file(tmp_path):
    """What is given with the command counts, and what is not given is not there."""
    file = tmp_path / "config.yaml"
    file.write_text("listen: {port: 1234, host: 127.0.0.2}\n")
    options = argparse.Namespace(config=file, data_dir=tmp_path / "data", port=4321)
    listen = settings_of(options).listen
    assert (listen.port, listen.host) == (4321, "127.0.0.2")
