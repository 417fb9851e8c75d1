"""What is kept out of memory, and what waits in it unseen."""

from .looks import MARKS, folded, lookalike

__all__ = ["MARKS", "folded", "lookalike"]
