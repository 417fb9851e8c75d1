"""The headers of the tools in front, and how an operator chooses a tool."""

from pathlib import Path
from typing import get_args

from recollect.config.presets import PRESETS, USER_HEADERS, PresetName, preset_of
from recollect.config.server import IdentityOptions

from .loading import load, refused


def test_explicit_headers_come_first():
    """A preset only adds to what an operator has listed."""
    options = IdentityOptions(preset="openwebui", user_headers=("x-a",), session_headers=("x-b",))
    assert options.trusted_user_headers == ("x-a", "x-openwebui-user-id")
    assert options.trusted_session_headers == ("x-b", "x-openwebui-chat-id")


def test_one_or_several_in_the_environment():
    """One name needs no brackets; an unknown one is refused at the start."""
    said = {"openwebui": ("openwebui",), '["openwebui", "litellm"]': ("openwebui", "litellm")}
    for text, presets in said.items():
        assert load(environ={"RECOLLECT_IDENTITY__PRESET": text}).identity.preset == presets
    assert refused(environ={"RECOLLECT_IDENTITY__PRESET": "nobody"}).startswith("identity.preset")


def test_the_table():
    """Every header of a user is known by its tool, in small letters, and documented."""
    documented = (Path(__file__).parents[2] / "docs/access.md").read_text("utf-8")
    assert set(PRESETS) == set(get_args(PresetName))
    for header in USER_HEADERS:
        assert header == header.lower()
        assert header in PRESETS[preset_of(header)].user_headers
    for name, preset in PRESETS.items():
        for word in (name, *preset.user_headers, *preset.session_headers):
            assert f"`{word}`" in documented
