"""What a change tells is what the history still has."""

from dataclasses import replace

from recollect.memory import StateError
from recollect.memory.records.events import ChangeDict, ChangeTexts
from tests.memory.records.events.test_feed import ADA, record
from tests.support.state import InMemoryHistory


def change(number, **texts):
    return ChangeDict(
        id=str(number), event="ADD", memory_id=f"m{number}", tenant="t", user_id="ada", **texts
    )


async def test_texts_come_from_the_history():
    """Of a record that it has no more, none is told; ids and kind stay."""
    history = InMemoryHistory()
    await history.append([record(1), replace(record(2), old_value="before", new_value=None)])
    asked = [change(1, memory="text"), change(2, old_memory="old"), change(3, memory="gone")]
    assert await ChangeTexts(history).current(asked) == [
        change(1, memory="text"),
        change(2, old_memory="before"),
        change(3),
    ]
    assert asked[2]["memory"] == "gone"


async def test_of_another_tenant_nothing_is_told():
    """An id is looked for where its memory was."""
    history = InMemoryHistory()
    await history.append([replace(record(1), scope=replace(ADA, tenant="other"))])
    assert await ChangeTexts(history).current([change(1, memory="text")]) == [change(1)]


async def test_without_an_answer_no_text_is_told():
    """And what has no text needs no answer."""

    class Down(InMemoryHistory):
        async def of_many(self, tenant, memory_ids):
            raise StateError("down")

    texts = ChangeTexts(Down())
    assert await texts.current([change(1, memory="text"), change(2)]) == [change(1), change(2)]
