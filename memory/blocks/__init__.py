"""What always or often stands in a prompt: working blocks, and memories as they are shown."""

from .door import BlockDoor
from .keeper import BlockKeeper
from .lines import (
    GAP,
    Fence,
    RecalledBlock,
    disarmed,
    frame,
    render,
    show,
    version_of,
    versions_of,
)
from .prompt import BlockPrompt
from .rendering import BlockPage
from .sight import SeenBlock

__all__ = [
    "GAP",
    "BlockDoor",
    "BlockKeeper",
    "BlockPage",
    "BlockPrompt",
    "Fence",
    "RecalledBlock",
    "SeenBlock",
    "disarmed",
    "frame",
    "render",
    "show",
    "version_of",
    "versions_of",
]
