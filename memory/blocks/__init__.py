"""Working blocks: named texts of a scope that are always in the prompt."""

from .door import BlockDoor
from .keeper import BlockKeeper
from .sight import SeenBlock

__all__ = ["BlockDoor", "BlockKeeper", "SeenBlock"]
