"""From what a user says to the entities and relations that are kept with the memory."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.learn.extract import extract
from recollect.memory.model.claims import claims_dict
from recollect.memory.model.types import MemoryStatus
from tests.memory.api.client_parts import build
from tests.support.folding import rows

from .doubles import Says
from .extract.turns import answer, stated, talk

ANNA = {"name": "Anna", "type": "person", "aliases": ["my sister"]}
BERN = {"name": "Bern", "type": "place"}
LIVES = {"source": "Anna", "relation": "lives in", "target": "Bern"}
SISTER = {"source": "user", "relation": "sister", "target": "my sister"}
SAID = "My sister Anna lives in Bern"
FACT = stated(
    "User's sister Anna lives in Bern", SAID, entities=[ANNA, BERN], relations=[LIVES, SISTER]
)
KEY = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"


async def test_claims_are_kept_with_the_memory():
    """As its evidence, and so they are shown; the first relation is its triple."""
    async with build(Says(answer(FACT))) as memory:
        [event] = (await memory.add(SAID, user_id="alice"))["results"]
        shown = (await memory.get(event["id"]))["provenance"]
    assert shown["entities"] == [ANNA, BERN]
    assert shown["relations"] == [
        {"source": "Anna", "relation": "lives_in", "target": "Bern"},
        {"source": "user", "relation": "sister", "target": "Anna"},
    ]
    parts = (shown["subject"], shown["predicate"], shown["object"])
    assert parts == ("Anna", "lives in", "Bern")


async def test_a_secret_is_no_name():
    """What redaction took out of the fact is not kept as an entity."""
    said = f"My key for Harbour is {KEY}"
    fact = stated(
        f"User's key for Harbour is {KEY}",
        said,
        entities=[{"name": KEY}, {"name": "Harbour", "aliases": [KEY]}],
        relations=[{"source": "Harbour", "relation": "has key", "target": KEY}],
    )
    async with build(Says(answer(fact))) as memory:
        await memory.add(said, user_id="alice")
        found = await memory.get_all(user_id="alice", statuses=[*MemoryStatus])
        assert found["results"]
        assert KEY not in json.dumps(found)


async def found_in(said, fact):
    """The claims of the one fact of a turn, believed or doubted."""
    extraction = await extract(Says(answer(fact)), talk(said))
    [one] = [*extraction.candidates, *(each.candidate for each in extraction.doubted)]
    return one.claims


POISONED = [
    ("en", "My brother Tom works at Harbour Books", "User's brother Tom works at Harbour Books",
     ["Tom", "Harbour Books"], "Victor Grange"),
    ("de", "Meine Kollegin Jana zieht nach Graz", "Die Kollegin Jana des Nutzers zieht nach Graz",
     ["Jana", "Graz"], "Herr Dunkel"),
    ("ru", "Мой сосед Павел работает в Казани", "Сосед пользователя Павел работает в Казани",
     ["Павел", "Казань"], "Виктор Орлов"),
    ("es", "Mi prima Lucía estudia en Granada", "La prima del usuario, Lucía, estudia en Granada",
     ["Lucía", "Granada"], "Esteban Cruz"),
    ("ja", "友達の健太は大阪で働いている", "ユーザーの友達の健太は大阪で働いている",
     ["健太", "大阪"], "黒田組"),
    ("ar", "صديقي كريم يعمل في تونس", "صديق المستخدم كريم يعمل في تونس",
     ["كريم", "تونس"], "شركة الظل"),
    ("tr", "Kuzenim Deniz Ankara'da çalışıyor", "Kullanıcının kuzeni Deniz Ankara'da çalışıyor",
     ["Deniz", "Ankara"], "Kemal Gölge"),
    ("ko", "제 친구 지훈은 부산에서 일해요", "사용자의 친구 지훈은 부산에서 일한다",
     ["지훈", "부산"], "검은별"),
    ("zh", "我的同事王芳在成都工作", "用户的同事王芳在成都工作",
     ["王芳", "成都"], "黑石会"),
    ("fr", "Ma voisine Chloé travaille à Lyon", "La voisine de l'utilisateur, Chloé, travaille à Lyon",
     ["Chloé", "Lyon"], "Monsieur Sombre"),
]  # fmt: skip


@rows("language, said, text, names, smuggled", POISONED)
async def test_no_name_comes_in_that_was_not_said(language, said, text, names, smuggled):
    """Not as an entity, nor as an alias, nor at the end of a relation, in any language."""
    fact = stated(
        text,
        said,
        entities=[{"name": name, "aliases": [smuggled]} for name in names]
        + [{"name": smuggled, "aliases": names[:1]}, {"name": f"{names[0]} {smuggled}"}],
        relations=[
            {"source": "user", "relation": "obeys", "target": smuggled},
            {"source": smuggled, "relation": "owns", "target": names[1]},
            {"source": names[0], "relation": "works in", "target": names[1]},
        ],
    )
    claims = await found_in(said, fact)
    assert smuggled not in json.dumps(claims_dict(claims), ensure_ascii=False)
    assert [one.name for one in claims.entities] == names
    assert (names[0], "works_in", names[1]) in [
        (one.source, one.relation, one.target) for one in claims.relations
    ]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("Anna"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "type", "aliases", "source", "relation", "target"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=60)
@given(VALUES, VALUES)
async def test_whatever_a_model_claims_the_fact_is_learned(entities, relations):
    """Any JSON in the place of claims leaves the fact as it is without them."""
    fact = stated("User's sister Anna lives in Bern", SAID, entities=entities, relations=relations)
    extraction = await extract(Says(answer(fact)), talk(SAID))
    [one] = extraction.candidates
    assert one.text == "User's sister Anna lives in Bern"
    assert {each.name for each in one.claims.entities} <= {"Anna"}
