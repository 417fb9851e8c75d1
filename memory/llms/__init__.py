"""Language models behind the `ChatModel` port."""

from ..openai_client import load_openai
from .metered import MeteredModel
from .openai import OpenAIChatModel
from .options import OpenAIChatOptions
from .sources import FixedModel, TenantModel

__all__ = [
    "FixedModel",
    "MeteredModel",
    "OpenAIChatModel",
    "OpenAIChatOptions",
    "TenantModel",
    "load_openai",
]
