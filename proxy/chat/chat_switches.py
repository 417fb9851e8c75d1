"""Lets the switches of an operator count for chats."""

from __future__ import annotations

from recollect.config import Settings
from recollect.filters import Capture
from recollect.memory.engine.feature_switches import FeatureSwitches

from .pipeline import Pipeline

BY_SWITCH = "off_by_switch"
BY_CONFIGURATION = "off_by_configuration"


class ChatSwitches:
    """What is on for chats: what the configuration has on, unless it was turned off."""

    def __init__(
        self, board: FeatureSwitches, settings: Settings, pipeline: Pipeline, capture: Capture
    ) -> None:
        self.board = board
        self._settings = settings
        self._pipeline = pipeline
        self._capture = capture
        board.told.append(self.apply)

    @property
    def allowed(self) -> dict[str, bool]:
        """What the configuration has on: only that can be turned on."""
        return {"recall": self._settings.recall.enabled, "learn": self._settings.learn.enabled}

    @property
    def on(self) -> dict[str, bool]:
        """What is in force."""
        turned = {"recall": self.board.recall, "learn": self.board.learn}
        return {name: turned[name] and allowed for name, allowed in self.allowed.items()}

    def apply(self) -> None:
        """Let it count from the next chat on."""
        self._pipeline.recalls = self.on["recall"]
        self._pipeline.why_off = BY_SWITCH if self.allowed["recall"] else BY_CONFIGURATION
        self._capture.paused = not self.board.learn
