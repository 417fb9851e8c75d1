"""Forgetting: erasing memories with everything that says them, and what is kept for how long."""

from .forgetter import Forgetter
from .guard import WriteGuard
from .options import RetentionOptions, TtlOptions
from .proposal import Proposal
from .receipt import Kind, NotForgottenError, Receipt
from .retainer import Retained, Retention

__all__ = [
    "Forgetter",
    "Kind",
    "NotForgottenError",
    "Proposal",
    "Receipt",
    "Retained",
    "Retention",
    "RetentionOptions",
    "TtlOptions",
    "WriteGuard",
]
