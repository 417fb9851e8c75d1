"""Language models behind the `ChatModel` port."""

from ..util.openai_client import load_openai
from .guarded import GuardedModel, guarded_model
from .metered import HourlyCalls, MeteredModel
from .openai import OpenAIChatModel
from .options import OpenAIChatOptions
from .remembered import AnswerCache, AnswerOptions, RememberedModel
from .sources import FixedModel, TenantModel
from .timed import TimedModel

__all__ = [
    "AnswerCache",
    "AnswerOptions",
    "FixedModel",
    "GuardedModel",
    "HourlyCalls",
    "MeteredModel",
    "OpenAIChatModel",
    "OpenAIChatOptions",
    "RememberedModel",
    "TenantModel",
    "TimedModel",
    "guarded_model",
    "load_openai",
]
