import inspect
import typing

import pytest

from recollect.memory import AsyncMemory, Memory

ONLY_ASYNC = {"for_tenant", "open"}
"""Ways to make one: the synchronous class is made by calling it."""


def public(cls):
    return {
        name: member
        for name, member in vars(cls).items()
        if not name.startswith("_") and callable(getattr(cls, name))
    }


METHODS = sorted(public(AsyncMemory).keys() - ONLY_ASYNC)


def test_the_same_methods():
    """Whatever can be done asynchronously can be done synchronously, and nothing else."""
    assert sorted(public(Memory)) == METHODS


@pytest.mark.parametrize("name", METHODS)
def test_the_same_signature(name):
    """Names, kinds, defaults and types of the parameters agree, and so does the result."""
    ours, theirs = getattr(Memory, name), getattr(AsyncMemory, name)
    assert inspect.iscoroutinefunction(theirs)
    assert not inspect.iscoroutinefunction(ours)
    assert inspect.signature(ours) == inspect.signature(theirs)
    assert typing.get_type_hints(ours) == typing.get_type_hints(theirs)


def test_made_alike():
    """Calling the synchronous class takes what `AsyncMemory.open` takes."""
    made = inspect.signature(Memory.__init__).parameters
    opened = inspect.signature(AsyncMemory.open).parameters
    assert [str(p) for name, p in made.items() if name != "self"] == [
        str(p) for p in opened.values()
    ]


@pytest.mark.parametrize("name", METHODS)
def test_documented_on_both(name):
    """Every method says what it does on both classes."""
    assert getattr(Memory, name).__doc__
    assert getattr(AsyncMemory, name).__doc__
