from recollect.memory.learn.once import each_once
from recollect.memory.model.types import Decision, EventKind, MemoryType

ADD, UPDATE, DELETE, NONE = (
    EventKind.ADD,
    EventKind.UPDATE,
    EventKind.DELETE,
    EventKind.NONE,
)


def decision(event, memory_id, text="t"):
    return Decision(event=event, memory_id=memory_id, text=text, type=MemoryType.SEMANTIC)


def once(*groups):
    instead = [decision(ADD, f"new{n}") for n in range(len(groups))]
    made = each_once([[decision(*each) for each in group] for group in groups], instead)
    return [[(one.event, one.memory_id) for one in group] for group in made]


def test_decisions_about_different_memories_stay():
    """Nothing is changed where nothing clashes."""
    groups = [(UPDATE, "a")], [(DELETE, "b"), (ADD, "new1")], [(NONE, "c")]
    assert once(*groups) == [list(group) for group in groups]


def test_a_second_change_of_a_memory_is_an_addition():
    """The fact of the second is kept beside what the first has made of the memory."""
    assert once([(UPDATE, "a")], [(UPDATE, "a")]) == [[(UPDATE, "a")], [(ADD, "new1")]]


def test_what_another_fact_confirms_is_not_changed():
    """Whichever comes first."""
    kept = [(ADD, "new0")]
    assert once([(UPDATE, "a")], [(NONE, "a")]) == [kept, [(NONE, "a")]]
    assert once([(NONE, "a")], [(DELETE, "a"), (ADD, "new1")]) == [[(NONE, "a")], [(ADD, "new1")]]


def test_ten_contradictions_of_one_message():
    """Each fact is there in the end: one as the memory, nine beside it."""
    made = once(*[[(UPDATE, "a")]] * 10)
    assert [group[0][0] for group in made] == [UPDATE, *[ADD] * 9]
    assert len({memory_id for group in made for _, memory_id in group}) == 10
