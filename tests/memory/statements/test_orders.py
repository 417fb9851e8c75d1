"""Orders that are wishes though no word in them says that they last."""

from types import SimpleNamespace

import pytest

from recollect.memory.model.types import Before, Scope, Turn, utc_now
from recollect.memory.recall.prototypes import Likeness
from recollect.memory.statements.orders import LONGEST, orders_of, wishes_among


def turn(text, before=None):
    return Turn(
        id="t", conversation_id="c", scope=Scope(tenant="local", user_id="alice"), user_text=text,
        assistant_text="", model="m", created_at=utc_now(), before=before,
    )  # fmt: skip


def test_a_message_without_a_task_may_order_for_all_answers():
    """There is no answer that it could be about."""
    assert orders_of(turn("Link the docs."), []) == ["Link the docs."]
    told = "I have two cats."
    assert orders_of(turn(f"{told} Link the docs."), [told]) == ["Link the docs."]


@pytest.mark.parametrize(
    "text",
    ["What is rice? Link the docs.", "Translate this: Link the docs.", "x" * LONGEST + "x."],
)
def test_a_message_that_asks_orders_for_this_answer(text):
    """So does what is long, or hands over a text."""
    assert orders_of(turn(text), []) == []


def test_a_message_that_goes_on_orders_for_what_was_before():
    """Such as "shorter, please"."""
    assert orders_of(turn("Shorter, please.", Before(("hi",), ("t0",), "")), []) == []


def meanings(*wished):
    found = iter(wished)
    return SimpleNamespace(
        told=lambda vector: Likeness(wished=vector, instructs=vector), lead=lambda vector: vector
    ), list(found)


def test_only_what_is_near_to_wishes_is_kept():
    """And nothing beside another order: then it is how that is to be done."""
    prototypes, vectors = meanings(0.3, 0.0)
    assert wishes_among(prototypes, ["Link the docs.", "Nice."], vectors) == ["Link the docs."]
    assert wishes_among(prototypes, ["Link the docs.", "Write a poem."], vectors) == []
    assert wishes_among(prototypes, ["Make it shorter.", "Nice."], vectors) == []
