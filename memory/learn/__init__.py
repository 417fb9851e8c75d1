"""Learning: turns conversations into memories."""

from .apply import Applied, Applier
from .belief import redacted_turn
from .cleaning import lost_secrets, storable
from .confirmation import held_id
from .conflict_resolution import ConflictResolver, Marks
from .conversation import starts_of, turns_of
from .extract import FEW_VAIN, Effort
from .extract.prompts import narrowed
from .firewall import (
    BLOCKS_PREAMBLE,
    EXTRACT_PREAMBLE,
    HEARSAY,
    PREAMBLE,
    strip_injected,
    tags,
)
from .given_texts import Given, Skipped, SkipReason, as_given
from .learner import Learned, Learner
from .model_answer import JsonValues, strict_object, strip_reasoning
from .options import LearnOptions
from .pictures import PictureDescriber
from .procedure import CRITERION, record_of, run_of
from .reconcile import ASKED
from .records import Batch
from .review import ReviewedText, ReviewKinds
from .roles import Plays, Stage, nobody_plays
from .success import CheckWhy, check_success
from .trial import CONVERSATION, Trial, try_extraction
from .triggers import drift_bound, drift_job, drifted, job_for, tokens_due, turns_due
from .unfinished import bounded_run, ended_badly, unfinished_record
from .verbatim import VerbatimWriter
from .waiting import as_waiting, is_refused
from .withheld_words import AfterLearning, SaidAfter, StillSaid, after_learning

__all__ = [
    "ASKED",
    "BLOCKS_PREAMBLE",
    "CONVERSATION",
    "CRITERION",
    "EXTRACT_PREAMBLE",
    "FEW_VAIN",
    "HEARSAY",
    "PREAMBLE",
    "AfterLearning",
    "Applied",
    "Applier",
    "Batch",
    "CheckWhy",
    "ConflictResolver",
    "Effort",
    "Given",
    "JsonValues",
    "LearnOptions",
    "Learned",
    "Learner",
    "Marks",
    "PictureDescriber",
    "Plays",
    "ReviewKinds",
    "ReviewedText",
    "SaidAfter",
    "SkipReason",
    "Skipped",
    "Stage",
    "StillSaid",
    "Trial",
    "VerbatimWriter",
    "after_learning",
    "as_given",
    "as_waiting",
    "bounded_run",
    "check_success",
    "drift_bound",
    "drift_job",
    "drifted",
    "ended_badly",
    "held_id",
    "is_refused",
    "job_for",
    "lost_secrets",
    "narrowed",
    "nobody_plays",
    "record_of",
    "redacted_turn",
    "run_of",
    "starts_of",
    "storable",
    "strict_object",
    "strip_injected",
    "strip_reasoning",
    "tags",
    "tokens_due",
    "try_extraction",
    "turns_due",
    "turns_of",
    "unfinished_record",
]
