"""What belongs together: names that memories share, and what the first hits lead to."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory import AsyncMemory
from recollect.memory.model.types import Provenance, Scope, Source
from recollect.memory.recall.chains import LONGEST, MOST_COMMON, best_chains
from recollect.memory.recall.expansion import (
    LEAST,
    MOST_REACHED,
    BeforeStep,
    Edge,
    reached,
)
from recollect.memory.recall.hop_scores import BELOW, MOST_TERMS
from recollect.memory.recall.index.entry import ASKED
from recollect.memory.recall.own_name import UserNames, about_user, names_told, own_names
from recollect.memory.recall.profile import Line
from recollect.memory.recall.ranking import is_expanded, rank
from recollect.memory.recall.signals import Signal, analysed
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import angle, index_of, item, stored
from tests.memory.recall.test_ranking import CALIBRATION
from tests.support.constants import recalling
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

NONE = np.ones(4, np.float32) / 2


def alike(count):
    """Vectors that all have the same cosine to anything: only what is shared tells."""
    return np.tile(NONE, (count, 1))


def chained(question, *texts, **how):
    """The texts of the chains, best first."""
    found = best_chains(question, texts, NONE, alike(len(texts)), **how)
    return [[texts[place] for place in chain.places] for chain in found]


@rows("question, one, other, noise", ROWS["a name that the question does not have joins two"])
def test_a_name_that_the_question_does_not_have_joins_two(question, one, other, noise):
    """In scripts with and without capitals and blanks; what shares nothing is in no chain."""
    assert chained(question, noise, one, other) == [[one, other]]


def test_what_the_question_says_itself_joins_nothing():
    """Everything found shares words with it."""
    assert chained("Who sells bread in Bergen?", "I bought bread", "The bread is old") == []


def test_a_third_continues_a_chain():
    """Of the leader, her son and his shop the shop is in the chain too."""
    facts = (
        "Philomena runs our group",
        "Philomena's son Declan opened Skein",
        "We closed Skein on Wednesdays",
        "The bank has a queue",
    )
    assert chained("Which day is the shop of my leader's son shut?", *facts)[0] == list(facts[:3])


def test_a_name_in_another_spelling_is_the_same():
    """It is compared by its sound."""
    facts = ("I water plants for Katarzyna", "Yesterday Katarzina baked", "Rain again today")
    assert chained("What did my neighbour do?", *facts) == [list(facts[:2])]


def test_of_equal_links_the_nearer_texts_are_better():
    """The cosine of both together to the question decides."""
    vectors = np.eye(4, dtype=np.float32)[[0, 0, 1, 1]]
    texts = ("Anna met Zed", "Then Zed left", "Bob met Kit", "Then Kit left")
    found = best_chains("Where?", texts, np.eye(4, dtype=np.float32)[1], vectors)
    assert found[0].places == (2, 3)


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=8))
def test_any_texts_are_read(question, texts):
    """Chains have two or three different texts, and those that are returned differ."""
    found = best_chains(question, texts, NONE, alike(len(texts)), most=3)
    for chain in found:
        assert 2 <= len(set(chain.places)) == len(chain.places) <= LONGEST
    common = [len({*one.places} & {*two.places}) for one in found for two in found if one != two]
    assert max(common, default=0) <= MOST_COMMON


EVENING = "I got talking to a cheesemonger called Eskil in Bergen"
ADVICE = "Eskil said that I must try the brown one"
OTHERS = tuple(f"Something else number {n} about the garden" for n in range(9))


def steps(*texts, seeds=(0,), asked=(), given=(), unseen=(), **likely):
    """What the memories at `seeds` lead to, by text, in the order of how much it tells."""
    index = index_of(*[stored(text) for text in texts])
    scores = np.full(len(texts), 0.3)
    scores[list(unseen)] = -np.inf
    found = BeforeStep(
        scores, np.array([likely.get(f"m{n}", 0.0) for n in range(len(texts))]), seeds
    )
    edges = reached(index, found, asked, given)
    return {texts[at]: edge for at, edge in edges.items()}


@rows(
    "texts, how, found",
    [
        ((EVENING, ADVICE), {}, [ADVICE]),
        # By their capitals, as what begins both memories, or as rare letters that both have.
        (("Сын занимается у тренера Глеба Орлова", "Глеб Орлов сказал купить другие кроссовки"), {},
         ["Глеб Орлов сказал купить другие кроссовки"]),
        (("上个月在杭州认识了龚阿姨", "龚阿姨说去梅家坞后山"), {}, ["龚阿姨说去梅家坞后山"]),
        (("Mit dem Rad war ich bei Burgi", "Burgi rührt einen Löffel Topfen hinein"), {},
         ["Burgi rührt einen Löffel Topfen hinein"]),
        (("hoyt took first at the cook-off", "hoyt slips cold coffee in his pot"), {},
         ["hoyt slips cold coffee in his pot"]),
        # Of two hits the better leads to the other, and not the other to it.
        ((EVENING, ADVICE), {"seeds": (1, 0)}, [EVENING]),
        # What the question names is found by a search; other words of a store are shared by chance.
        ((EVENING, ADVICE), {"asked": {"eskil"}}, []),
        (("I bought a kettle today", "my old kettle leaks"), {}, []),
        # The scope does not admit it.
        ((EVENING, ADVICE), {"unseen": [1]}, []),
    ],
)  # fmt: skip
def test_a_name_that_two_memories_share_leads_on(texts, how, found):
    """Neither the question nor the second memory has a word of the other."""
    assert list(steps(*texts, *OTHERS, **how)) == found


def test_who_is_in_most_memories_leads_nowhere():
    """That is the user, or somebody whom everything is about."""
    told = [f"In spring Ada likes the {what}" for what in ("tea", "sea", "hills")]
    assert steps(*told, "In autumn Ada sleeps") == {}
    edge = steps(EVENING, ADVICE, *OTHERS)[ADVICE]
    assert (edge.seed, edge.by, edge.value) == (0, "eskil", 1.0)


def test_a_second_step_counts_less():
    """The shop of the son of my neighbour."""
    texts = (
        "We moved in beside Philomena", "Philomena has a son, Declan", "At last Declan's is open",
    )  # fmt: skip
    found = steps(*texts, *OTHERS)
    assert list(found) == list(texts[1:])
    assert found[texts[2]].seed == 1
    assert LEAST < found[texts[2]].value < found[texts[1]].value


def test_few_are_reached_and_what_answers_comes_first():
    """Somebody may be in a dozen memories."""
    about = [f"In week {n} Eskil was there" for n in range(8)]
    found = steps(EVENING, ADVICE, *about, *OTHERS * 3, m7=0.9)
    assert len(found) <= MOST_REACHED
    assert next(iter(found), about[5]) == about[5]


def test_an_edge_of_the_graph_counts_as_well():
    """What nothing in the texts connects."""
    given = [Edge(2, 0, "my sister", 0.8, "sister_of")]
    found = steps("My sister is a nurse", "It rains", "Anna moved to Turin", given=given)
    assert found["Anna moved to Turin"].relation == "sister_of"


MET = "At the night market in Bergen I met a cheesemonger called Eskil"
BROWN = "Eskil swears by brown cheese"
QUESTION = "What did the cheesemonger from my night market recommend to me?"
GARDEN = tuple(f"My garden has a row of number {n}" for n in range(9))


def ranked(*memories, query=QUESTION, hops=1, scope=ALICE, **options):
    """The hits by text."""
    index = index_of(*memories)
    found = rank(
        index,
        scope,
        analysed([query], angle(0)[None], index.languages, NOON),
        options=recalling(**options),
        calibration=CALIBRATION,
        now=NOON,
        most=100,
        hops=hops,
    )
    return {hit.item.text: hit for hit in found.ranked}


def store(**degrees):
    """The two memories among others; all are far from the question unless told."""
    return [
        stored(MET, degrees=degrees.get("met", 20)),
        stored(BROWN, degrees=degrees.get("advice", 120)),
        *[stored(text, degrees=150) for text in GARDEN],
    ]


def test_what_a_hit_leads_to_is_recalled():
    """It has no word of the question and is not near; the explanation names the hit and the name."""
    assert not ranked(*store(), hops=0)[BROWN].relevant
    hit = ranked(*store())[BROWN]
    assert hit.relevant
    assert is_expanded(hit)
    assert (hit.step.seed, hit.step.by) == (MET, "Eskil")
    assert hit.signals[Signal.CONNECTED] > 0


def test_it_stands_below_the_hit_that_leads_to_it():
    """However well it matches by itself, and no other score changes."""
    found, plain = ranked(*store()), ranked(*store(), hops=0)
    assert list(found).index(MET) < list(found).index(BROWN)
    assert found[BROWN].score <= BELOW * found[MET].score + 1e-9
    assert {t: h.score for t, h in found.items() if t != BROWN} == pytest.approx(
        {t: h.score for t, h in plain.items() if t != BROWN}
    )


def test_what_matches_the_question_keeps_its_place():
    """It is noted how it hangs together, and nothing is added."""
    hit = ranked(*store(met=60, advice=0))[BROWN]
    assert hit.step is not None
    assert not is_expanded(hit)
    assert hit.signals[Signal.CONNECTED] == 0


def test_nothing_leads_on_without_evidence():
    """A question that nothing answers brings nothing in."""
    found = ranked(*store(met=160), query="Which violin does my aunt own?")
    assert not any(hit.relevant for hit in found.values())


def test_a_question_leads_to_no_question():
    """However often a name was asked for, those who tell of it are as few as they were."""
    index = index_of(stored(EVENING), stored(ADVICE))
    for n in range(20):
        made = stored(f"Where did Eskil go, and when {n}?")
        origin = Provenance(source=Source.SAID, flags=(ASKED,))
        index.add(replace(made, item=replace(made.item, provenance=origin)))
    found = BeforeStep(np.full(22, 0.3), np.zeros(22), [0])
    assert list(reached(index, found, ())) == [1]


def test_only_what_the_scope_admits_is_reached():
    """Another user's memory of the same name is not."""
    own, other, *rest = store()
    bob = Scope(tenant="local", user_id="bob")
    foreign = stored(BROWN, bob, degrees=120)
    assert BROWN not in ranked(own, foreign, *rest)
    assert other.item.text not in ranked(own, foreign, *rest)


@rows(
    "query, leads",
    [
        (QUESTION, True),
        ("Eskil?", False),
        (" ".join(f"word{n}" for n in range(MOST_TERMS + 2)) + QUESTION, False),
        (MET, False),
    ],
)
def test_by_itself_it_is_for_questions_that_need_it(query, leads):
    """Not for a look-up, nor for a text, nor where one memory has all words of the question."""
    found = ranked(*store(), query=query, hops="auto")
    assert any(is_expanded(hit) for hit in found.values()) == leads


def test_a_line_of_somebody_who_is_named_is_found_by_the_name():
    """All that a speaker said is; what they name does not lead to others."""
    said = [
        stored(f"Caroline: {MET}", degrees=20),
        stored(f"Mel: {BROWN}", degrees=120),
    ]
    rest = [stored(text, degrees=150) for text in GARDEN]
    asked = "What did the cheesemonger of the night market recommend to Caroline?"
    assert not any(map(is_expanded, ranked(*said, *rest, query=asked, hops="auto").values()))


@rows(
    "text, names",
    [
        ("My name is Alice", [("alice",)]),
        ("my name is alice", [("alice",)]),
        ("The user's name is Alice Novak, a nurse", [("alice", "novak")]),
        ("Name is Alice", [("alice",)]),
        ("My name is Alice and my dog is called Rex", [("alice",)]),
        ("Mein Name ist Jan, meine Frau heißt Eva", [("jan",)]),
        ("Пользователя зовут Иван", [("иван",)]),
        ("我叫小明", [("小", "明")]),
        ("我的名字是王芳", [("王", "芳")]),
        ("My sister Rita is called Ri", []),
        ("My cat's name is Minka", []),
        ("I told you her name is Rita", []),
        ("His name is Bob", []),
        ("my name is on the list", []),
        ("What is my name?", []),
    ],
)
def test_a_name_is_the_users_own_if_the_words_for_naming_are(text, names):
    """A relative's, a pet's or somebody else's name is none."""
    assert own_names(text) == names


def told(text, *traits):
    return Line(item(text), frozenset(traits), frozenset(), 0)


TOLD_ALICE = [
    told("My name is Alice", "name"),
    told("My wife's name is Eva", "name"),
    told("Bob", ""),
]
XIAOMING = [told("我叫小明", "name")]


@rows(
    "profile, wording, about",
    [
        (TOLD_ALICE, "What does Alice do?", "What does user do?"),
        (TOLD_ALICE, "what does alice eat", "what does user eat"),
        (TOLD_ALICE, "Alice's job and Eva's", "user's job and Eva's"),
        (XIAOMING, "小明是做什么的?", "用户是做什么的?"),
        (TOLD_ALICE, "Alice Miller's job", None),
        (TOLD_ALICE, "What does Eva do?", None),
        (TOLD_ALICE, "What do I do?", None),
        ([], "What does Alice do?", None),
    ],
)
def test_a_query_with_the_users_name_asks_about_the_user(profile, wording, about):
    """In place of the name is the user; one with another surname is somebody else."""
    found = about_user(names_told(profile), wording)
    assert (found.wording if found else None) == about


@rows("wording, telling", [("What does Alice do?", 1), ("Who is Alice?", 0)])
def test_what_tells_the_name_answers_who_somebody_is_only(wording, telling):
    """It holds the name, which is no evidence for anything else that is asked of the user."""
    found = about_user(names_told(TOLD_ALICE), wording)
    assert isinstance(found, UserNames)
    assert len(found.telling) == telling


async def test_the_job_answers_and_not_the_name(tmp_path, models_dir):
    """Whatever else of the user is asked by name, too; another of that name is still found."""
    another = "Alice Novak is a dentist from Prague"
    options = {"embedder": {"model_dir": models_dir}}
    async with await AsyncMemory.open(options, path=tmp_path) as memory:
        for user, texts in (
            ("said", ("My name is Alice", "I work as a software engineer")),
            ("told", ("User's name is Alice", "User works as a software engineer")),
        ):
            for text in texts:
                await memory.add(text, user_id=user, infer=False)
            assert (await found(memory, "What does Alice do for a living?", user))[0] == texts[1]
            assert (await found(memory, "What is my name?", user))[0] == texts[0]
            await memory.add(another, user_id=user, infer=False)
            assert (await found(memory, "Where is Alice the dentist from?", user))[0] == another


async def found(memory, query, user):
    """The texts that a search finds, best first."""
    results = await memory.search(query, user_id=user, limit=3, threshold=0)
    return [one["memory"] for one in results["results"]]
