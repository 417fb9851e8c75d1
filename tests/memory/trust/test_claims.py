"""A claim is kept if the words name it, in whatever form the language writes a name."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.claims import (
    MAX_ENTITIES,
    NO_CLAIMS,
    USER,
    EntityClaim,
    EntityKind,
    GraphClaims,
    RelationClaim,
    claims_of,
)
from recollect.memory.trust.claims import NameText, is_user, supported, together
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


def entity(name, *aliases, kind=EntityKind.PERSON):
    return EntityClaim(name=name, kind=kind, aliases=aliases)


def relation(source, name, target):
    return RelationClaim(source=source, relation=name, target=target)


def kept(text, *entities, relations=()):
    """The names of the entities that a text supports."""
    claims = GraphClaims(entities=entities, relations=tuple(relations))
    return [one.name for one in supported(claims, NameText(text)).entities]


@rows("text, name", ROWS["a name that stands there"])
def test_a_name_that_stands_there(text, name):
    """Whatever its case, accents, ending, particle or neighbours."""
    assert kept(text, entity(name)) == [name]


@rows("text, name", ROWS["a name that does not"])
def test_a_name_that_does_not(text, name):
    """Nor one that is only part of another word, or whose words stand apart."""
    assert kept(text, entity(name)) == []


@rows(
    "name", ["she", "it", "ella", "lui", "она", "她", "그녀", "I", "user", "the user", "ich", "私"]
)
def test_a_pronoun_is_no_name(name):
    """It would be everybody's; and the user is no entity."""
    assert kept(f"User knows that {name} is there, {name}", entity(name)) == []


def test_only_what_is_not_supported_goes():
    """Of an entity the aliases, of claims the entity, with the relations that end there."""
    claims = GraphClaims(
        entities=(entity("Anna", "my sister", "Annie"), entity("Mallory"), entity("Bern")),
        relations=(
            relation("Anna", "lives_in", "Bern"),
            relation("Mallory", "owns", "Bern"),
            relation("I", "sister_of", "my sister"),
            relation("Anna", "is", "my sister"),
        ),
    )
    found = supported(claims, NameText("My sister Anna lives in Bern"))
    assert found.entities == (entity("Anna", "my sister"), entity("Bern"))
    assert found.relations == (
        relation("Anna", "lives_in", "Bern"),
        relation(USER, "sister_of", "Anna"),
    )


def test_an_entity_is_called_as_the_words_call_it():
    """By its alias where its name does not stand; relations follow."""
    claims = GraphClaims(
        entities=(entity("Giorgi Beridze", "Giorgi"),),
        relations=(relation("Giorgi Beridze", "knows", "user"),),
    )
    found = supported(claims, NameText("User met Giorgi"))
    assert found == GraphClaims(
        entities=(entity("Giorgi"),), relations=(relation("Giorgi", "knows", USER),)
    )


def test_every_wording_must_say_it():
    """A name in the fact that nobody said is none."""
    claims = GraphClaims(entities=(entity("Anna"), entity("Bern")))
    fact, turns = NameText("Anna lives in Bern"), NameText("my sister lives in bern")
    assert [one.name for one in supported(claims, fact, turns).entities] == ["Bern"]
    assert supported(claims, fact, NameText(None, "")) is NO_CLAIMS


@rows(
    "name, meant",
    [("user", True), ("The user", True), ("I", True), ("der Nutzer", True), ("пользователь", True),
     ("ユーザー", True), ("my wife", False), ("Anna", False), ("", False), ("...", False)],
)  # fmt: skip
def test_who_is_the_user(name, meant):
    """By the word for users or by the first person, in any language."""
    assert is_user(name) is meant


def test_together():
    """Of one name the first counts, nothing twice, and no more than fits."""
    one = GraphClaims(entities=(entity("Anna"),), relations=(relation(USER, "knows", "Anna"),))
    other = GraphClaims(
        entities=(entity("anna", kind=EntityKind.PLACE), entity("Bern")), relations=one.relations
    )
    assert together(one, other) == GraphClaims(
        entities=(entity("Anna"), entity("Bern")), relations=one.relations
    )
    many = GraphClaims(entities=tuple(entity(f"Anna {'x' * n}") for n in range(9)))
    more = GraphClaims(entities=tuple(entity(f"Bob {'x' * n}") for n in range(9)))
    assert len(together(many, more).entities) == MAX_ENTITIES
    assert together(NO_CLAIMS, NO_CLAIMS) is NO_CLAIMS


TEXTS = st.text(st.sampled_from("aAnb 花子лЛв민수م.'-_İß0"), max_size=12)


@given(TEXTS, st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=2)), max_size=3))
def test_what_is_kept_is_said(text, said):
    """Whatever is claimed, each kept name stands in the text, and looking again changes nothing."""
    value = {"entities": [{"name": name, "aliases": others} for name, others in said]}
    wording = NameText(text)
    found = supported(claims_of(value), wording)
    for one in found.entities:
        assert all(map(wording.says, (one.name, *one.aliases)))
    assert supported(found, wording) == found


@rows("name", ["a" * 80, "a " * 40, "花" * 80])
def test_long_texts_take_linear_time(name):
    """However often a name almost stands there."""
    text = name[:-1] + " "
    assert not NameText(text * 2000).says(f"{name}b")
