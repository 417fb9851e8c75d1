import inspect
import pydoc
import re

from recollect.memory import AsyncMemory, Memory
from tests.support.folding import rows

MADE = {"from_config"}
"""Another way to make one, of both."""
ONLY_ASYNC = {"audit_lines", "export_lines", "for_tenant", "open", "subscribe"}
"""Ways to make one: the synchronous class is made by calling it. And streams."""
VIEWS = {"tools"}
"""What calls nothing yet: plain methods of both, that give things with methods."""


def public(cls):
    return {
        name: getattr(cls, name)
        for name in dir(cls)
        if not name.startswith("_") and callable(getattr(cls, name))
    }


METHODS = sorted(public(AsyncMemory).keys() - ONLY_ASYNC - MADE - VIEWS)


def shown(what):
    """What `help` prints."""
    return pydoc.plain(pydoc.render_doc(what))


SCOPE = {"self", "user_id", "agent_id", "run_id", "memory_id"}
"""Parameters of many methods, which the class describes once."""


@rows("name", METHODS)
@rows("cls", [Memory, AsyncMemory])
def test_help_says_what_a_method_does(cls, name):
    """On both classes it names every parameter, and the type of the result itself."""
    method = getattr(cls, name)
    text = inspect.getdoc(method) or ""
    assert len(text.split()) > 4
    parameters = inspect.signature(method).parameters.keys()
    assert {each for each in parameters - SCOPE if f"`{each}`" not in text} == set()
    own = inspect.getdoc(cls)
    assert {each for each in (parameters & SCOPE) - {"self"} if f"`{each}`" not in own} == set()
    assert "Coroutine" not in shown(method)
    assert re.search(rf"\b{name}\(self.*\) -> ", shown(method))


@rows("name", METHODS)
def test_help_is_for_a_synchronous_caller(name):
    """It speaks of this class and of no coroutine, task or loop."""
    text = shown(getattr(Memory, name))
    method = getattr(Memory, name)
    assert (method.__module__, method.__qualname__) == (Memory.__module__, f"Memory.{name}")
    assert not re.search(r"\b(async|await\w*|coroutine|task|event loop)\b", text, re.IGNORECASE)


def test_help_of_the_class_is_enough_to_begin():
    """How it is made, what it needs, where its data is, and what it raises."""
    text = inspect.getdoc(Memory)
    for word in ("`options`", "`path`", "`tenant`", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        assert word in text
    assert "ConfigError" in text
    assert "await" not in text
