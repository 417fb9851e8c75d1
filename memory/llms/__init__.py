"""Language models behind the `ChatModel` port."""

from ..util.openai_client import load_openai
from .guarded import FixedModel, GuardedModel, TenantModel, guarded_model
from .openai import OpenAIChatModel
from .options import OpenAIChatOptions
from .remembered import AnswerCache, AnswerOptions, RememberedModel
from .wrapped import (
    Account,
    HourlyCalls,
    MeteredModel,
    OnSpent,
    TimedModel,
    spent_on,
    unnoticed_spending,
)

__all__ = [
    "Account",
    "AnswerCache",
    "AnswerOptions",
    "FixedModel",
    "GuardedModel",
    "HourlyCalls",
    "MeteredModel",
    "OnSpent",
    "OpenAIChatModel",
    "OpenAIChatOptions",
    "RememberedModel",
    "TenantModel",
    "TimedModel",
    "guarded_model",
    "load_openai",
    "spent_on",
    "unnoticed_spending",
]
