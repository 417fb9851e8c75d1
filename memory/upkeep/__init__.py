"""Upkeep: memory that gets better while nobody asks.

Each kind of upkeep is a `UpkeepStep`: it reads, may ask a model, and proposes decisions; it writes
nothing. `jobs.upkeep` runs steps, keeps what they did as an `UpkeepRun`, and `undo` takes a run
back. A step never destroys a row: what it ends or archives can be restored.
"""

from .episodes.stretches import GAP as EPISODE_GAP
from .options import UpkeepOptions
from .step import UpkeepPlan, UpkeepStep, Work
from .undo import Undoing, undoing

__all__ = ["EPISODE_GAP", "Undoing", "UpkeepOptions", "UpkeepPlan", "UpkeepStep", "Work", "undoing"]
