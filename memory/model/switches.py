"""What an operator turned off while the product runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Switches(Protocol):
    """Switches by name, kept across restarts. What they mean is the caller's business."""

    async def read(self) -> dict[str, bool]:
        """Whether each is on; without those that nobody ever turned."""

    async def write(self, values: Mapping[str, bool]) -> None:
        """Turn these durably; others stay as they are."""
