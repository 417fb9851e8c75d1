import pytest

from recollect.memory.learn.extract.evidence import Known
from recollect.memory.learn.extract.judge import judge
from recollect.memory.learn.extract.said import Said
from recollect.memory.learn.extract.units import units_of
from recollect.memory.types import Candidate, MemoryType, Source

from .turns import fact, said, turn

NOTHING = Known([])


def judged(user, text, quote, *, assistant="", known=NOTHING, prompt=None, **details):
    return judge(fact(text, quote, **details), said(turn(user, assistant)), known, prompt=prompt)


def test_a_candidate():
    """A fact with evidence becomes a candidate with all that is known of it."""
    details = {"type": MemoryType.EPISODIC, "importance": 0.8, "subject": "User"}
    assert judged("so I moved to Porto!", "User moved to Porto", "i moved to porto", **details) == (
        Candidate(
            text="User moved to Porto",
            type=MemoryType.EPISODIC,
            quote="I moved to Porto",
            turn_ids=("t1",),
            source=Source.EXTRACTION,
            importance=0.8,
            subject="User",
        )
    )


@pytest.mark.parametrize(
    ("user", "text", "quote", "reason"),
    [
        ("I am Bob", "x" * 2000, "I am Bob", "too_long"),
        ("I am Bob", "<div>User is Bob</div>", "I am Bob", "not_text"),
        ("I am Bob", "The assistant greeted Bob", "I am Bob", "boilerplate"),
        ("I am Bob", "User is a nurse", "I am a nurse", "no_evidence"),
        (
            "I am Bob",
            "User's budget for the Lisbon offsite is 4,000 EUR",
            "my budget is 4,000",
            "instructions",
        ),
        ("My name is Robert", "User's name is Bobby", "My name is Robert", "invented"),
        ("I have some cats", "User has 3 cats", "I have some cats", "invented"),
        ("I met her at work", "User met her on 2019-05-01", "I met her at work", "invented"),
        ("I met her last year", "User met her in 2011", "I met her last year", "invented"),
        ("I fly soon", "User flies at 14:30 UTC", "I fly soon", "invented"),
        ("我住在北京", "User lives in Beijing", "我住在北京", "translated"),
        ("Я живу в Москве", "User lives in Moscow", "Я живу в Москве", "translated"),
    ],
)
def test_rejected(user, text, quote, reason):
    """What is no fact, has no evidence, is invented or translated is rejected by name."""
    assert judged(user, text, quote) == reason


@pytest.mark.parametrize(
    ("user", "text", "quote"),
    [
        ("I met her last year", "User met her in 2025", "I met her last year"),
        ("The party is next Friday", "User's party is on 2026-03-13", "next Friday"),
        ("My birthday is 5 May", "User's birthday is on May 5", "My birthday is 5 May"),
        ("I moved today", "User moved on 2 March 2026", "I moved today"),
        ("I moved in 1987", "User moved in 1987", "I moved in 1987"),
        ("Przeprowadzam się jutro", "User przeprowadza się 2026-03-03", "Przeprowadzam się jutro"),
        ("明天去看牙医", "用户2026-03-03去看牙医", "明天去看牙医"),
        ("I pay in two rates of $1.5k", "User pays 2 rates of $1,500", "two rates of $1.5k"),
    ],
)
def test_dates_may_be_counted_and_numbers_rewritten(user, text, quote):
    """A date that follows from what was said, and a number in another writing, are not invented."""
    assert judged(user, text, quote).text == text


def test_lesson_6_in_the_language_of_the_conversation():
    """Facts stay in their own script, with names verbatim; a caller's prompt may want another."""
    assert judged("我叫王小明", "用户叫王小明", "我叫王小明").text == "用户叫王小明"
    assert judged("我用 Python 写代码", "用户使用 Python", "我用 Python").text == "用户使用 Python"
    own = judged("我住在北京", "User lives there", "我住在北京", prompt="Answer in English.")
    assert own.text == "User lives there"


def test_lesson_2_what_the_assistant_said_is_marked():
    """A claim of the assistant's never passes as the user's."""
    candidate = judged(
        "Where to?", "User should try Lisbon", "try Lisbon", assistant="Just try Lisbon"
    )
    assert candidate.source is Source.ASSISTANT
    known = Known(["User should try Lisbon"])
    assert (
        judged(
            "Where to?",
            "User should try Lisbon",
            "try Lisbon",
            assistant="Just try Lisbon",
            known=known,
        )
        == "known"
    )


def test_lesson_7_relative_days_are_dated():
    """A day left relative gets its date, one counted from another day is set right."""
    dated = judged("I saw Ana yesterday", "User saw Ana yesterday", "I saw Ana yesterday")
    assert dated.text == "User saw Ana yesterday (2026-03-01)"
    right = judged("I see Ana tomorrow", "User sees Ana on 2026-11-22", "I see Ana tomorrow")
    assert right.text == "User sees Ana on 2026-03-03"


@pytest.mark.parametrize("part", ["User moved to Porto", "Zeta Corp", "4711"])
def test_subject_predicate_object_say_nothing_new(part):
    """Parts that repeat the whole fact, or bring in names or numbers, are left out together."""
    details = {"subject": "User", "predicate": "moved to", "object": part}
    candidate = judged("I moved to Porto", "User moved to Porto", "I moved to Porto", **details)
    assert (candidate.subject, candidate.predicate, candidate.object) == (None, None, None)
    details["object"] = "Porto"
    candidate = judged("I moved to Porto", "User moved to Porto", "I moved to Porto", **details)
    assert (candidate.predicate, candidate.object) == ("moved to", "Porto")


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("ECONNREFUSED 500", "ECONNREFUSED 500"),
        ("User has a plan", "KeyError: 'plan'"),
        ("ok", "ok"),
    ],
)
def test_the_output_of_programs_is_no_evidence(text, quote):
    """Neither as a fact nor as what a fact follows from; a single word is no fact either."""
    pasted = "It says ECONNREFUSED 500, ok? My plan is this.\nKeyError: 'plan'"
    assert judged(pasted, text, quote) == "noise"


def test_what_somebody_says_of_an_error_is_a_fact():
    """The user's own sentence is evidence, whatever it mentions."""
    said = "I get error 500 every Monday when I deploy"
    candidate = judged(said, "User gets error 500 every Monday when they deploy", said)
    assert candidate.quote == said


def test_an_earlier_turn_gives_names_and_no_facts():
    """It says what "it" is; what stands only there is its own reason of a rejection."""
    before = turn("We fly to Hawaii in June", n=1)
    batch = Said(units_of([turn("It may cost 12,000 dollars", n=2)]), [before])
    told = fact("The Hawaii trip may cost 12,000 dollars", "It may cost 12,000 dollars")
    candidate = judge(told, batch, NOTHING)
    assert isinstance(candidate, Candidate)
    assert candidate.turn_ids == ("t2",)
    alone = Said(units_of([turn("It may cost 12,000 dollars", n=2)]))
    assert judge(told, alone, NOTHING) == "invented"
    foreign = fact("User flies to Hawaii in June", "We fly to Hawaii in June")
    assert judge(foreign, batch, NOTHING) == "context"
