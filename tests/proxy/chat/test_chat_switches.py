"""What the switches of an operator mean for chats."""

from types import SimpleNamespace

import pytest

from recollect.config import load_settings
from recollect.memory.engine.feature_switches import FeatureSwitches
from recollect.proxy.chat.chat_switches import ChatSwitches


class Kept:
    def __init__(self):
        self.values = {}

    async def read(self):
        return self.values

    async def write(self, values):
        self.values |= values


@pytest.fixture
def chats(tmp_path):
    def made(**flags):
        given = {"data_dir": str(tmp_path)} | {k.replace("__", "."): v for k, v in flags.items()}
        settings = load_settings(environ={}, flags=given)
        pipeline = SimpleNamespace(recalls=settings.recall.enabled, why_off="")
        capture = SimpleNamespace(paused=False)
        return ChatSwitches(FeatureSwitches(Kept()), settings, pipeline, capture)

    return made


async def test_off_is_off_for_both_sides(chats):
    """No recall, with a reason of its own, and no capture."""
    switches = chats()
    await switches.board.turn(recall=False, learn=False)
    assert switches.on == {"recall": False, "learn": False}
    assert (switches._pipeline.recalls, switches._pipeline.why_off) == (False, "off_by_switch")
    assert switches._capture.paused
    await switches.board.turn(recall=True, learn=True)
    assert (switches._pipeline.recalls, switches._capture.paused) == (True, False)


async def test_the_configuration_wins(chats):
    """What it has off stays off, and the reason says so."""
    switches = chats(recall__enabled=False, learn__enabled=False)
    await switches.board.turn(recall=True, learn=True)
    assert switches.on == {"recall": False, "learn": False} == switches.allowed
    assert switches._pipeline.recalls is False
    assert switches._pipeline.why_off == "off_by_configuration"
