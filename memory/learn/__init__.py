"""The response side of the engine: conversations become memories."""

from .checkpoint import dump_decisions, load_decisions
from .conversation import turns_of
from .driver import Learned, Learner
from .given import as_given
from .options import LearnOptions
from .records import Batch
from .triggers import drift_bound, drift_job, drifted, job_for
from .trust import redacted_turn

__all__ = [
    "Batch",
    "LearnOptions",
    "Learned",
    "Learner",
    "as_given",
    "drift_bound",
    "drift_job",
    "drifted",
    "dump_decisions",
    "job_for",
    "load_decisions",
    "redacted_turn",
    "turns_of",
]
