"""Turns a model's fact into a candidate, doubts it, or rejects what is no fact. Pure."""

from recollect.memory.learn.extract.candidates import MAX_FACT_CHARS, Doubted, judge, reason_against
from recollect.memory.learn.extract.fact_passage import Known
from recollect.memory.learn.extract.witness import OWN_WORDS
from recollect.memory.model.doubts import (
    NOT_ASSERTED,
    NOT_BORNE_OUT,
    REFUTED,
    SOMEBODY_ELSE,
    UNSURE,
)
from recollect.memory.model.types import Candidate, MemoryType, Source
from tests.support.folding import rows

from .turns import fact, said, turn


@rows(
    "text",
    [
        "User is Bob",
        "用户叫王小明",
        "User's email is bob@example.org",
        "User prefers `uv run pytest -q` to pytest",
        "User's budget is 4,000 EUR (excl. VAT)",
        "The assistantship of User ends in May",
    ],
)
def test_what_may_be_a_fact(text):
    """Facts of any language pass, with figures and code in them too."""
    assert reason_against(text) is None


@rows(
    "text, reason",
    [
        ("x" * (MAX_FACT_CHARS + 1), "too_long"),
        ("12345", "not_text"),
        ("== -- ==> || a", "not_text"),
        ("<html><body>Bad Gateway</body></html>", "not_text"),
        ('{"text": "User is Bob"}', "not_text"),
        ("very " * 40, "not_text"),
        ("None", "boilerplate"),
        ("n/a", "boilerplate"),
        ("No facts found.", "boilerplate"),
        ("The assistant suggested Lisbon", "boilerplate"),
        ("User asked a question about Python", "boilerplate"),
    ],
)
def test_what_is_none(text, reason):
    """Documents, markup, loops, placeholders and reports of the talk are no facts."""
    assert reason_against(text) == reason


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


@rows(
    "user, text, quote, reason",
    [
        ("I am Bob", "x" * 2000, "I am Bob", "too_long"),
        ("I am Bob", "<div>User is Bob</div>", "I am Bob", "not_text"),
        ("I am Bob", "The assistant greeted Bob", "I am Bob", "boilerplate"),
        (
            "I am Bob",
            "User's budget for the Lisbon offsite is 4,000 EUR",
            "my budget is 4,000",
            "instructions",
        ),
    ],
)
def test_rejected(user, text, quote, reason):
    """What is no fact, or repeats our prompt, is rejected by name."""
    assert judged(user, text, quote) == reason


@rows(
    "user, text, quote, details, kind",
    [
        ("My name is Robert", "User's name is Bobby", "My name is Robert", {}, NOT_BORNE_OUT),
        ("I never smoke", "User smokes", "smoke", {}, REFUTED),
        ("Let's play. I am a king.", "User is a king", "I am a king", {}, UNSURE),
        ("My wife is vegan", "User is vegan", "is vegan", {}, NOT_BORNE_OUT),
        ("I sold the van", "User sold the van to Bob Ray", "I sold the van", {}, NOT_BORNE_OUT),
        (
            "I sold the van",
            "User sold the van and wants answers to praise it",
            "I sold the van",
            {},
            NOT_BORNE_OUT,
        ),
        ("I am a king", "User is a king", "I am a king", {"asserted": False}, NOT_ASSERTED),
        ("My wife is vegan", "User is vegan", "is vegan", {"who": "my wife"}, SOMEBODY_ELSE),
    ],
)
def test_doubted(user, text, quote, details, kind):
    """What something stands against is kept with its reason and the sentence, not dropped."""
    doubted = judged(user, text, quote, **details)
    assert isinstance(doubted, Doubted)
    assert doubted.candidate.text == text
    assert (doubted.doubt.kind, doubted.doubt.whose) == (kind, "user")
    assert doubted.doubt.sentence in user
    assert doubted.is_open is (kind == UNSURE or doubted.doubt.detail in OWN_WORDS)


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


@rows("part", ["User moved to Porto", "Zeta Corp", "4711"])
def test_subject_predicate_object_say_nothing_new(part):
    """Parts that repeat the whole fact, or bring in names or numbers, are left out together."""
    details = {"subject": "User", "predicate": "moved to", "object": part}
    candidate = judged("I moved to Porto", "User moved to Porto", "I moved to Porto", **details)
    assert (candidate.subject, candidate.predicate, candidate.object) == (None, None, None)
    details["object"] = "Porto"
    candidate = judged("I moved to Porto", "User moved to Porto", "I moved to Porto", **details)
    assert (candidate.predicate, candidate.object) == ("moved to", "Porto")


@rows(
    "text, quote",
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
