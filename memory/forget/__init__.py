"""Forgetting: erases memories with their history, turns and jobs, and enforces retention."""

from .forgetter import Forgetter
from .guard import WriteGuard
from .options import RetentionOptions, TtlOptions
from .proposal import Proposal
from .receipt import ForgetKind, NotForgottenError, Receipt
from .retainer import Retained, Retention

__all__ = [
    "ForgetKind",
    "Forgetter",
    "NotForgottenError",
    "Proposal",
    "Receipt",
    "Retained",
    "Retention",
    "RetentionOptions",
    "TtlOptions",
    "WriteGuard",
]
