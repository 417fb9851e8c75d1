"""What an operation is, told by the signature of a method of the library."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Annotated, Unpack

import pytest
from typing_extensions import TypedDict

from recollect.memory import InvalidInputError
from recollect.memory.operations.declaring import (
    LIBRARY_ONLY,
    SEARCHED,
    As,
    declared_in,
    field,
    operation,
)
from recollect.memory.operations.fields import TEXT, values_of
from recollect.memory.operations.rights import Right
from recollect.memory.operations.scope import ScopeIds

PLACE = "/v1/memories/jars/{label}"


class JarDict(TypedDict):
    """A jar."""

    label: str


class Jars:
    """A part of a library that was made up for these tests."""

    def __init__(self):
        self.asked = []

    @operation(f"POST {PLACE}/fill", Right.WRITE, id="fill_jar", sure="Fill {label}?")
    async def fill(
        self,
        label: Annotated[str, field("Its name.")],
        text: Annotated[str, TEXT, field("What goes in.", title="some text")],
        *,
        most: Annotated[int | None, As(int), field("Most spoons.", high=9)] = None,
        who: Annotated[str, LIBRARY_ONLY] = "person",
        **ids: Unpack[ScopeIds],
    ) -> JarDict:
        """Fill a jar. Raises NotFoundError.

        To the brim.
        """
        self.asked.append((label, text, most, who, ids))
        return JarDict(label=label)

    @operation("GET /v1/memories/jars", id="find_jars")
    @operation("POST /v1/memories/jars", id="find_jars_posted", summary="The same as JSON")
    async def find(
        self,
        query: Annotated[str, SEARCHED, field("What is searched for.")],
        **ids: Unpack[ScopeIds],
    ) -> Mapping[str, str]:
        """The jars with something in them."""
        self.asked.append((query, ids))
        return {}

    async def shake(self) -> None:
        """Not in the table."""


FILL, FIND, POSTED = declared_in(Jars, "jars")
NOBODY = {"user_id": None, "agent_id": None, "run_id": None}


async def answered(asked, **values):
    """What a request is answered with, and what the method was given."""
    memory = SimpleNamespace(jars=Jars())
    call = SimpleNamespace(memory=memory, values=NOBODY | values)
    return await asked.operation.handler(call), memory.jars.asked


async def test_a_signature_is_the_request():
    """What is needed and what may be left out, without what stands in the path."""
    operation = FILL.operation
    assert (operation.method, operation.path, operation.id) == ("POST", f"{PLACE}/fill", "fill_jar")
    assert operation.right is Right.WRITE
    assert operation.answer is JarDict
    assert set(operation.in_body) == {"text", "most", *NOBODY}
    assert operation.needs_body
    assert values_of(operation.body, {"text": "jam"}) == {"text": "jam", "most": None} | NOBODY
    assert await answered(FILL, label="a", text="jam", most=3) == (
        {"label": "a"},
        [("a", "jam", 3, "person", NOBODY)],
    )


@pytest.mark.parametrize(
    ("said", "field", "expected"),
    [
        ({}, "text", "expected some text"),
        ({"text": 1}, "text", "expected text"),
        ({"text": "jam", "most": 10}, "most", "expected a whole number from 1 to 9"),
        ({"text": "jam", "most": None}, "most", "expected a whole number from 1 to 9"),
    ],
)
def test_what_it_does_not_take(said, field, expected):
    """A refusal names the field and says what was expected."""
    with pytest.raises(InvalidInputError) as refused:
        values_of(FILL.operation.body, said)
    assert (refused.value.field, refused.value.expected) == (field, expected)


async def test_a_search_may_be_said_in_two_words():
    """In a query string `q` wins over `query`, in a body there is no `q`."""
    assert set(FIND.operation.in_query) == {"query", "q", *NOBODY}
    assert set(POSTED.operation.in_body) == {"query", *NOBODY}
    for said, sought in (
        ({"query": "jam", "q": None}, "jam"),
        ({"query": "jam", "q": "tea"}, "tea"),
        ({"query": None, "q": None}, ""),
    ):
        _, [(query, _ids)] = await answered(FIND, **said)
        assert query == sought
