"""What a chat does with a message, for `AsyncMemory.explain`."""

from __future__ import annotations

from importlib import import_module

from ..engine.engine import Engine
from ..model.ports import ChatExplainer

_FILTERS = f"{__package__.rpartition('.memory.')[0]}.filters.explaining"


def explainer_of(engine: Engine) -> ChatExplainer:
    """What explains the chats of an engine.

    That a chat asks memory at all is decided by filters, which are above the library and import it.
    So they are found by their name, once somebody asks.
    """
    if engine.explainer is None:
        engine.explainer = import_module(_FILTERS).explainer_of(engine)
    assert engine.explainer is not None  # noqa: S101 - set above
    return engine.explainer
