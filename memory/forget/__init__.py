"""Forgetting: erases memories with their history, turns and jobs, and enforces retention."""

from .by_chat import ForgetAnswer, ForgettingByChat, SpokenMessage, Step, asked_in
from .forgetter import Forgetter
from .guard import WriteGuard
from .options import RetentionOptions, TtlOptions
from .proposal import Proposal
from .receipt import ForgetKind, NotForgottenError, Receipt
from .retainer import Retention

__all__ = [
    "ForgetAnswer",
    "ForgetKind",
    "Forgetter",
    "ForgettingByChat",
    "NotForgottenError",
    "Proposal",
    "Receipt",
    "Retention",
    "RetentionOptions",
    "SpokenMessage",
    "Step",
    "TtlOptions",
    "WriteGuard",
    "asked_in",
]
