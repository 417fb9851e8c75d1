"""Forgetting: erases memories with their history, turns and jobs, and enforces retention."""

from .by_chat import ForgetAnswer, ForgettingByChat, SpokenMessage, Step, asked_in
from .forgetter import Forgetter
from .guard import WriteGuard
from .options import RetentionOptions
from .proposal import Proposal
from .receipt import ForgetKind
from .retainer import Retention

__all__ = [
    "ForgetAnswer",
    "ForgetKind",
    "Forgetter",
    "ForgettingByChat",
    "Proposal",
    "Retention",
    "RetentionOptions",
    "SpokenMessage",
    "Step",
    "WriteGuard",
    "asked_in",
]
