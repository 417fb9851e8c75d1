"""Language models behind the `ChatModel` port."""

from ..util.openai_client import load_openai
from .guarded import CheckedModels, FixedModel, GuardedModel, TenantModel, ask, guarded_model
from .metering import (
    Account,
    CallBudget,
    HourlyCalls,
    MeteredModel,
    OnSpent,
    TimedModel,
    spent_on,
    unnoticed_spending,
)
from .openai import OpenAIChatModel
from .options import ModelServerOptions, OpenAIChatOptions

__all__ = [
    "Account",
    "CallBudget",
    "CheckedModels",
    "FixedModel",
    "GuardedModel",
    "HourlyCalls",
    "MeteredModel",
    "ModelServerOptions",
    "OnSpent",
    "OpenAIChatModel",
    "OpenAIChatOptions",
    "TenantModel",
    "TimedModel",
    "ask",
    "guarded_model",
    "load_openai",
    "spent_on",
    "unnoticed_spending",
]
