"""Language models behind the `ChatModel` port."""

from .metered import MeteredModel
from .openai import OpenAIChatModel
from .options import OpenAIChatOptions

__all__ = ["MeteredModel", "OpenAIChatModel", "OpenAIChatOptions"]
