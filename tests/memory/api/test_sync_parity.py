import inspect
import pydoc
import re
import typing

from recollect.memory import AsyncMemory, Memory
from recollect.memory.api.blocking import BLOCKING_PARTS
from recollect.memory.api.table import PARTS
from tests.support.folding import rows

MADE = {"from_config"}
"""Another way to make one, of both."""
ONLY_ASYNC = {"export_lines", "for_tenant", "open", "subscribe"}
"""Ways to make one: the synchronous class is made by calling it. And streams."""
INNER = {"find", "changeable", "shown", "carried_out", "pictured"}
"""Of a delegate, what other methods of the library ask it."""
VIEWS = {"tools"}
"""What calls nothing yet: plain methods of both, that give things with methods."""


def public(cls):
    return {
        name: getattr(cls, name)
        for name in dir(cls)
        if not name.startswith("_") and callable(getattr(cls, name))
    }


METHODS = sorted(public(AsyncMemory).keys() - ONLY_ASYNC - MADE - VIEWS)


def test_the_same_methods():
    """Whatever can be done asynchronously can be done synchronously, and nothing else."""
    assert sorted(public(Memory)) == sorted([*METHODS, *MADE, *VIEWS])


@rows("name", METHODS)
def test_the_same_signature(name):
    """Names, kinds, defaults and types of the parameters agree, and so does the result."""
    ours, theirs = getattr(Memory, name), getattr(AsyncMemory, name)
    assert inspect.iscoroutinefunction(theirs)
    assert not inspect.iscoroutinefunction(ours)
    assert inspect.signature(ours) == inspect.signature(theirs)
    assert typing.get_type_hints(ours) == typing.get_type_hints(theirs)


@rows("name", sorted(VIEWS))
def test_a_view_is_asked_for_alike(name):
    """With the same parameters, and in words for its caller."""
    ours, theirs = (inspect.signature(getattr(cls, name)) for cls in (Memory, AsyncMemory))
    assert ours.parameters == theirs.parameters
    assert inspect.getdoc(getattr(Memory, name)) == inspect.getdoc(getattr(AsyncMemory, name))


@rows("name", BLOCKING_PARTS)
def test_parts_have_the_same_signatures(name):
    """Names, kinds, defaults and types agree, and nothing is a coroutine."""
    blocking, [part] = BLOCKING_PARTS[name], PARTS[name]
    assert public(blocking).keys() == public(part).keys() - INNER
    for each, ours in public(blocking).items():
        assert not inspect.iscoroutinefunction(ours)
        assert inspect.signature(ours) == inspect.signature(getattr(part, each))


def test_made_alike():
    """Calling the synchronous class takes what `AsyncMemory.open` takes."""
    made = inspect.signature(Memory.__init__).parameters
    opened = inspect.signature(AsyncMemory.open).parameters
    assert [str(p) for name, p in made.items() if name != "self"] == [
        str(p) for p in opened.values()
    ]


def test_made_alike_from_a_configuration():
    """In both it takes the same and gives one of its class, and its help names all of it."""
    made, opened = Memory.from_config, AsyncMemory.from_config
    assert inspect.signature(made) == inspect.signature(opened)
    assert typing.get_type_hints(made) == typing.get_type_hints(opened)
    for each in (made, opened):
        for word in ("`llm`", "`path`", "`tenant`", "ConfigError"):
            assert word in inspect.getdoc(each)
    assert "await" not in inspect.getdoc(made)


def test_made_by_the_same_options():
    """Its help shows them, not the arguments of some other class."""
    assert list(inspect.signature(Memory).parameters) == ["options", "path", "tenant"]


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
