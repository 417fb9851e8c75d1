"""Learning: turns conversations into memories."""

from .checkpoint import dump_decisions, load_decisions
from .conversation import turns_of
from .direct import Direct
from .driver import Learned, Learner
from .extract import FEW_VAIN, Effort
from .firewall import HEARSAY, PREAMBLE, strip_injected, tags
from .given import Skipped, as_given
from .json_values import JsonValues, strict_object
from .options import LearnOptions
from .procedure import record_of, run_of
from .reasoning import strip_reasoning
from .reconcile import ASKED
from .records import Batch
from .settling import Settled
from .trial import CONVERSATION, Trial, try_extraction
from .triggers import drift_bound, drift_job, drifted, job_for, tokens_due, turns_due
from .trust import redacted_turn

__all__ = [
    "ASKED",
    "CONVERSATION",
    "FEW_VAIN",
    "HEARSAY",
    "PREAMBLE",
    "Batch",
    "Direct",
    "Effort",
    "JsonValues",
    "LearnOptions",
    "Learned",
    "Learner",
    "Settled",
    "Skipped",
    "Trial",
    "as_given",
    "drift_bound",
    "drift_job",
    "drifted",
    "dump_decisions",
    "job_for",
    "load_decisions",
    "record_of",
    "redacted_turn",
    "run_of",
    "strict_object",
    "strip_injected",
    "strip_reasoning",
    "tags",
    "tokens_due",
    "try_extraction",
    "turns_due",
    "turns_of",
]
