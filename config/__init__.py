"""Configuration: loads the settings; each part defines and describes its own options."""

from recollect.memory.model.errors import ConfigError

from .checks import known_models
from .load import load_settings
from .network import is_loopback
from .settings import Settings

__all__ = ["ConfigError", "Settings", "is_loopback", "known_models", "load_settings"]
