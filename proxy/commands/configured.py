"""The settings that a command's arguments, its file and its environment mean."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.config import Settings


def settings_of(options: argparse.Namespace) -> Settings:
    """Read them. Raises ConfigError."""
    from recollect.config import load_settings

    flags = {
        "data_dir": options.data_dir,
        "listen.host": getattr(options, "host", None),
        "listen.port": getattr(options, "port", None),
        "listen.workers": getattr(options, "workers", None),
        "upstream.base_url": getattr(options, "upstream", None),
    }
    return load_settings(path=options.config, flags=flags, profile=options.profile)
