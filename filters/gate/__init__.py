"""The gate: skip memory for messages that cannot profit from it."""

from .decide import decide
from .options import GateOptions
from .verdict import GateReason, GateVerdict

__all__ = ["GateOptions", "GateReason", "GateVerdict", "decide"]
