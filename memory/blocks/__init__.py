"""Working blocks and memories, as a prompt shows them."""

from .keeper import BlockKeeper
from .lines import GAP, Fence, RecalledBlock, disarmed, frame, lines_of, render, show, version_of
from .prompt import BlockPrompt
from .rendering import BlockPage
from .visibility import SeenBlock
from .write_policy import BlockWritePolicy

__all__ = [
    "GAP",
    "BlockKeeper",
    "BlockPage",
    "BlockPrompt",
    "BlockWritePolicy",
    "Fence",
    "RecalledBlock",
    "SeenBlock",
    "disarmed",
    "frame",
    "lines_of",
    "render",
    "show",
    "version_of",
]
