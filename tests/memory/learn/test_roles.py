"""What a character says is no person's."""

import zlib
from datetime import UTC, datetime

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.calibration import SAFE, calibration_for
from recollect.memory.learn.conversation import turns_of
from recollect.memory.learn.firewall import clean
from recollect.memory.learn.roles import Stage, as_oneself, may_invite, plays, said_apart
from recollect.memory.model.errors import EmbeddingError
from recollect.memory.model.types import Message, PrecedingQuestion
from recollect.memory.recall.role_play import EXAMPLES
from recollect.memory.statements.passages import FlaggedText, texts_of
from tests.memory.learn.doubles import ALICE
from tests.support.folding import rows

AT = datetime(2026, 3, 2, tzinfo=UTC)
MEASURED = calibration_for("all-MiniLM-L6-v2", dim=384)
PLAY = "Let's play. You are the king, I am the knight."
END = "Let's stop the game."
_KINDS = {text: kind for kind, texts in EXAMPLES.items() for text in texts}
_KINDS |= {PLAY: "invites", END: "ends", "You are a witch in the woods": "scenes"}
_AXES = list(EXAMPLES)


def _vector(text):
    """Of its kind, and a little of its own."""
    noise = np.random.default_rng(zlib.crc32(text.encode())).normal(size=len(_AXES))
    own = 0.1 * noise + np.eye(len(_AXES))[_AXES.index(_KINDS.get(text, "within"))]
    return (own / np.linalg.norm(own)).astype(np.float32)


class Sorts:
    """An embedder that knows the examples' kinds; all else is what is said within a play."""

    id = "sorts"
    dim = len(_AXES)

    def __init__(self):
        self.embedded = []

    async def embed(self, texts):
        self.embedded += [text for text in texts if text not in _KINDS or len(texts) == 1]
        return np.stack([_vector(text) for text in texts])


def talk(*said, system=None):
    first = [Message(role="system", content=system)] if system else []
    told = [Message(role="user", content=text) for text in said]
    answers = [Message(role="assistant", content="I see.")] * len(said)
    return [*first, *(one for pair in zip(told, answers, strict=True) for one in pair)]


def staged(calibration=MEASURED):
    return Stage(Sorts(), calibration)


async def test_a_scene_lasts_until_the_user_ends_it():
    """Whoever sets it: the client, or the user; a persona is none."""
    stage = staged()
    said = ("I am Kael.", "My wife is an elf.", END, "I live in Leeds.")
    assert await stage.each(talk(*said, system="You are a witch in the woods")) == [
        True,
        True,
        False,
        False,
    ]
    assert await stage.each(talk("I live in Leeds.", PLAY, "I am Kael.")) == [False, True, True]
    assert not any(await stage.each(talk(*said, system=EXAMPLES["personas"][0])))
    assert await stage.each(talk("I am Edwin.", system="{{char}} meets {{user}}.")) == [True]


async def test_in_doubt_people_speak_for_themselves():
    """An embedder that is down, or whose likeness nobody measured, tells no play."""

    class Down(Sorts):
        async def embed(self, texts):
            raise EmbeddingError("down")

    told = talk(PLAY, "I am Kael.")
    assert not await Stage(Down(), MEASURED).plays(told)
    assert not await staged(SAFE).plays(told)
    assert await staged().plays(told)


@rows(
    "text, apart",
    [
        ("(OOC: I'm vegetarian)", "I'm vegetarian"),
        ("I draw my sword. [ooc - my cat is ill]", "my cat is ill"),
        ("I bow. ((I really am a nurse))", "I really am a nurse"),
        ("(I have to leave at six)", "I have to leave at six"),
        ("OOC: I live in Leeds", "I live in Leeds"),
        ("I bow (deeply) and leave", ""),
        ("*bows* I am Kael", ""),
    ],
)
def test_what_is_said_out_of_a_role(text, apart):
    """In brackets, as players write it."""
    assert said_apart(text) == apart


def test_neither_what_was_said_nor_the_learner_reads_a_role():
    """Only what is said apart is left; the answer of a character teaches nothing either."""
    told = talk(
        "My name is Kael, I live in Thornwood.", "(OOC: I am allergic to nuts in real life.)"
    )
    played, apart = turns_of(told, ALICE, at=AT, batch="b", played=[True, True])
    assert plays(played)
    assert played.before == PrecedingQuestion(plays=True)
    assert texts_of(played) == []
    assert texts_of(apart) == [FlaggedText("I am allergic to nuts in real life.")]
    cleaned = clean([played, apart]).turns
    assert [one.user_text for one in cleaned] == ["", "I am allergic to nuts in real life."]
    assert [one.assistant_text for one in cleaned] == ["", ""]
    [person, _] = turns_of(told, ALICE, at=AT, batch="b")
    assert as_oneself(person) == person
    assert texts_of(person)


@given(st.text(max_size=300))
def test_any_text(text):
    """Never raises, and adds nothing."""
    assert len(said_apart(text)) <= len(text)
    assert all(one in text for one in may_invite(text))
