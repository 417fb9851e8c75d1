"""The response side of the engine: conversations become memories."""

from .driver import Learner, dump_decisions, load_decisions, memory_id
from .options import LearnOptions
from .triggers import job_for, turns_due

__all__ = [
    "LearnOptions",
    "Learner",
    "dump_decisions",
    "job_for",
    "load_decisions",
    "memory_id",
    "turns_due",
]
