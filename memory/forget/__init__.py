"""Forgetting: erases memories with their history, turns and jobs, and enforces retention."""

from .by_chat import ForgetAnswer, SpokenForgetting, SpokenMessage, Step, asked_in
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
    "NotForgottenError",
    "Proposal",
    "Receipt",
    "Retention",
    "RetentionOptions",
    "SpokenForgetting",
    "SpokenMessage",
    "Step",
    "TtlOptions",
    "WriteGuard",
    "asked_in",
]
