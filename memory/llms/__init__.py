"""Language models behind the `ChatModel` port."""

from .openai import OpenAIChatModel
from .options import OpenAIChatOptions

__all__ = ["OpenAIChatModel", "OpenAIChatOptions"]
