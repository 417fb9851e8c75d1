"""Settings as a test gives them, and what a start that is refused says."""

from __future__ import annotations

import pytest

from recollect.config import ConfigError, load_settings


def load(path=None, environ=None, **flags):
    return load_settings(path=path, environ=environ or {}, flags=flags)


def refused(path=None, environ=None, **flags):
    with pytest.raises(ConfigError) as caught:
        load(path, environ, **flags)
    return str(caught.value)
