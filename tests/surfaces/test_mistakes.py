"""Mistakes that are made from the signatures of operations: each surface says the same."""

from functools import partial

import pytest

from recollect.memory.api.table import table
from tests.surfaces.library import Library
from tests.surfaces.mistakes import left_out, mistakes
from tests.surfaces.rest import Rest
from tests.surfaces.surface import Refused

OPERATIONS = {each.operation.id: each for each in table()}


def said_by(ask):
    """What a surface answers, as a line."""
    try:
        return f"done: {ask()!r:.60}"
    except Refused as refusal:
        return f"{refusal.kind}: {refusal.text}"


@pytest.fixture
def surfaces(place):
    """The library and the API for one tenant, who has a memory and a block."""
    library = Library(place, place.tenant())
    [memory_id] = library.add("Likes tea")
    library.run("blocks.define", label="plan", value="one", user_id="alice")
    return library, Rest(place, library.tenant), memory_id


@pytest.mark.parametrize("name", OPERATIONS)
def test_library_and_api_refuse_a_wrong_field_alike(surfaces, name):
    """In the same words, with the field's name; nothing is changed."""
    library, rest, memory_id = surfaces
    declared, told = OPERATIONS[name], []
    before = library.run("get_all", user_id="alice")
    method = f"{declared.part}.{declared.word}".removeprefix(".")
    ids = {"user_id": "alice"} if declared.has_scope else {}
    for each in mistakes(declared, memory_id):
        asked = {**each.asked, **ids}
        [field] = declared.named({each.field: None})
        if field not in declared.operation.in_body and isinstance(asked[each.field], int):
            continue  # every text is one in a query string
        by_library = said_by(partial(library.run, method, **asked))
        by_library = by_library.replace(f"{each.field}: ", f"{field}: ")
        by_api = said_by(partial(rest.ask, name, declared.named(asked)))
        if by_library != by_api or field not in by_api:
            told.append((each.kind, each.field, by_library, by_api))
    assert told == []
    assert library.run("get_all", user_id="alice") == before


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_api_names_what_is_missing_and_what_is_unknown(surfaces, name):
    """A field that is needed and not there, and one that there is not."""
    _, rest, memory_id = surfaces
    declared, told = OPERATIONS[name], []
    ids = {"user_id": "alice"} if declared.has_scope else {}
    for field, asked in left_out(declared, memory_id):
        said = declared.named({**asked, **ids})
        if not set(declared.operation.parameters) <= said.keys():
            continue  # a path without an id is another path
        [named] = declared.named({field: None})
        with pytest.raises(Refused) as refusal:
            rest.ask(name, said)
        if named not in refusal.value.text and refusal.value.kind != "forbidden":
            told.append((field, refusal.value.text))
    assert told == []
