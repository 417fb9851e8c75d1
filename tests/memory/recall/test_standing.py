"""What is recalled because of who asks."""

from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.recall.options import ProfileOptions
from recollect.memory.recall.profile import Role
from recollect.memory.recall.standing import standing, wished
from tests.memory.recall.profile.test_lines import ALICE, FACTS, index_of

ON = ProfileOptions()


def roles(found):
    return [(hit.role, hit.item.text) for hit in found.chosen]


def test_a_recipe_brings_the_allergy_and_the_wish():
    """And nothing else."""
    found = standing(index_of(*FACTS), ALICE, "What should I cook tonight?", ON)
    assert roles(found)[:2] == [
        (Role.WISH, "User prefers short answers in bullet points"),
        (Role.CONSTRAINT, "User is allergic to peanuts"),
    ]
    assert not found.broad


def test_who_asks_about_themselves_gets_all():
    """With the whole budget."""
    found = standing(index_of(*FACTS), ALICE, "What do you know about me?", ON)
    assert len(found.chosen) == len(FACTS)
    assert found.broad
    assert {role for role, _ in roles(found)} == {Role.PROFILE}


def test_it_can_be_switched_off():
    """All of it, or the wishes alone."""
    index = index_of(*FACTS)
    assert not standing(index, ALICE, "Who am I?", ProfileOptions(enabled=False)).chosen
    assert not wished(index, ALICE, ProfileOptions(wishes=False)).chosen
    assert len(wished(index, ALICE, ON).chosen) == 1


def test_what_was_replaced_is_not_brought_up():
    """Whatever role it would have."""
    found = standing(index_of(*FACTS), ALICE, "Who am I?", ON, without={"0"})
    assert "0" not in {hit.item.id for hit in found.chosen}
    assert standing(UserIndex(2), ALICE, "Who am I?", ON).chosen == ()


def test_of_a_long_text_the_telling_sentences_are_shown():
    """A story is not repeated for its allergy."""
    story = "We spent the whole summer by the lake with friends from school. " * 3
    index = index_of(f"{story}I am allergic to wasps. {story}")
    found = standing(index, ALICE, "What should I pack for a picnic by a lake?", ON)
    assert [hit.item.text for hit in found.chosen] == ["I am allergic to wasps."]
