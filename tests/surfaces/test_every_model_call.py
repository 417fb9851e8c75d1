"""Each call of a model that this product makes by itself: nothing withheld is in any of them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect.filters.rewrite.answer import _TASK
from recollect.memory.api.answering import ANSWER_PROMPT
from recollect.memory.api.grading import GRADE_PROMPT
from recollect.memory.calibration import save_calibration
from recollect.memory.learn.extract.prompts import EXTRACTION_PROMPT
from recollect.memory.learn.fact_context import SITUATE_PROMPT
from recollect.memory.learn.fact_verification import VERIFY_PROMPT
from recollect.memory.learn.pictures import VISION_PROMPT
from recollect.memory.learn.procedure import PROCEDURE_PROMPT
from recollect.memory.learn.reconcile.model_verdict import _RULES
from recollect.memory.learn.success import CHECK_PROMPT
from recollect.memory.learn.unfinished import UNFINISHED_PROMPT
from recollect.memory.model.turn_ids import conversation_id_of, turn_ids_of
from recollect.memory.model.types import Message, Scope, StoredMemory, Turn, utc_now
from recollect.memory.upkeep.consolidate.prompts import _RULES as CONDENSE_PROMPT
from recollect.memory.upkeep.episodes.episode_text import PROMPT as EPISODE_PROMPT
from recollect.memory.upkeep.reflect.insight import INSIGHT_PROMPT
from recollect.memory.upkeep.reflect.lessons import LESSON_PROMPT
from recollect.memory.upkeep.reflect.questions import QUESTIONS_PROMPT
from tests.filters.compress.long_chats import episode, turn
from tests.memory.api.test_adding import GOOD, run
from tests.support.scripted import facts
from tests.surfaces.place import a_place
from tests.surfaces.rest import Rest
from tests.surfaces.surface import Refused
from tests.surfaces.test_summaries import shortened
from tests.surfaces.test_topics import MEASURED
from tests.surfaces.test_with_a_model import LEFT

ALICE = {"user_id": "alice"}
KEPT, FREE = "zqkept", "zqfree"
SECRET = f"User earns a salary of {KEPT} from the zeppelin works"
OPEN = f"User flies a kite called {FREE} near the zeppelin works"
BESIDE = "User works for zqbeside at the zeppelin works in Oslo"
HOBBY = (
    f"The violin of User's string quartet has a price of the salary {KEPT}",
    f"The violin of User's string quartet has a name {FREE}",
    "The violin of User's string quartet has a bow and User sold it again",
    "The violin of User's string quartet has a case with red velvet",
    "The violin of User's string quartet has a crack that was mended",
)
OUR_OWN = "scripted"
PICTURE = "data:image/png;base64,{}"
QUESTION = "What does User do near the zeppelin works?"


class World:
    """One user, and a model that answers each of our questions as a good one does."""

    def __init__(self, place: Any) -> None:
        self.place, self.rest = place, Rest(place, place.tenant())
        place.model.replies = [self._reply]
        place.model.requests.clear()

    def add(self, *texts: str) -> list[str]:
        """Their ids."""
        told = [self.rest.run("add", messages=one, infer=False, **ALICE) for one in texts]
        return [one["results"][0]["id"] for one in told]

    def chat(self, *texts: Any, model: str = "chat-1", session: str = "s") -> None:
        """A conversation of alice's; the model of a chat is another one than ours."""
        roles = ("user", "assistant")
        said = [{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)]
        body = json.dumps({"model": model, "user": "alice", "messages": said}).encode()
        name = {"x-recollect-session": f"{session} of {self.rest.tenant}"}
        status, answer = self.rest.answer("POST", "/v1/chat/completions", body, name)
        assert status == 200, answer

    def age(self) -> None:
        """As if all was told a week ago."""
        store, old = self.place.engine.parts.store, utc_now() - timedelta(days=8)
        for one in self.place.call(store.load(Scope(tenant=self.rest.tenant, **ALICE), limit=100)):
            item = replace(one.item, created_at=old, updated_at=old, valid_from=old)
            self.place.call(store.put([replace(one, item=item)]))

    def asked(self, prompt: str) -> str:
        """All bytes of our own calls with this prompt."""
        return json.dumps([one for one in self.place.model.requests if is_asked(prompt, one)])

    @property
    def sent(self) -> str:
        """All bytes of our own calls."""
        return json.dumps([one for one in self.place.model.requests if one["model"] == OUR_OWN])

    def _reply(self, body: dict[str, Any]) -> str:
        if body["model"] != OUR_OWN:
            return "Fine."
        told = json.dumps(body["messages"])
        if is_asked(CONDENSE_PROMPT, body):
            return shortened(body)
        if is_asked(QUESTIONS_PROMPT, body):
            return QUESTION
        if is_asked(EXTRACTION_PROMPT, body):
            return facts(*(text for text in (SECRET, OPEN, BESIDE) if _mark(text) in told))
        if is_asked(PROCEDURE_PROMPT, body):
            return GOOD
        return json.dumps({**LEFT, "grounds": [], "answer": "ok", "enough": False, "contexts": []})


def _mark(text: str) -> str:
    [mark] = [word for word in text.split() if word.startswith("zq")]
    return mark


def is_asked(prompt: str, body: dict[str, Any]) -> bool:
    """Whether a request is one of our own that begins so."""
    told = json.dumps([one["content"] for one in body["messages"]])
    return body["model"] == OUR_OWN and json.dumps(prompt[:60])[1:-1] in told


def _told(world: World) -> None:
    world.chat(f"I earn a salary of {KEPT} from the zeppelin works.", session="a")
    world.chat(f"I fly a kite called {FREE} near the zeppelin works.", session="b")
    world.rest.ask("flush", dict(ALICE))


def _added(operation: str, **arguments: Any) -> Callable[[World], None]:
    def walk(world: World) -> None:
        world.add(SECRET, OPEN)
        world.rest.run(operation, **arguments, **ALICE)

    return walk


def _seen(world: World) -> None:
    for mark, word in ((KEPT, "salary"), (FREE, "kite")):
        picture = {"type": "image_url", "image_url": {"url": PICTURE.format(mark)}}
        world.chat([{"type": "text", "text": f"Look at my {word}."}, picture], session=word)
    world.rest.ask("flush", dict(ALICE))


def _beside(world: World) -> None:
    world.add(f"User works for the salary {KEPT} at the zeppelin works in Oslo")
    world.add(f"User works for {FREE} at the zeppelin works near Oslo")
    world.chat("I work for zqbeside at the zeppelin works in Oslo.", session="b")
    world.rest.ask("flush", dict(ALICE))


def _ran(**more: Any) -> Callable[[World], None]:
    """Two runs of an agent: a model is told of each apart."""

    def walk(world: World) -> None:
        for mark in (f"salary {KEPT}", FREE):
            with suppress(Refused):
                taught = run(request=f"Book a flight for {mark}")
                world.rest.run("add_procedure", messages=taught, **more, **ALICE)

    return walk


def _checked(world: World) -> None:
    taught = {"messages": run(), "success": "A number was answered."}
    [made] = world.rest.run("add_procedure", **taught, **ALICE)["results"]
    for mark in (f"salary {KEPT}", FREE):
        with suppress(Refused):
            done = run(request=f"Book a flight for {mark}")
            world.rest.run("procedures.check", memory_id=made["id"], messages=done, **ALICE)


def _condensed(world: World) -> None:
    world.add(*HOBBY, *(f"Something else number {n} is told of {n * 7} boats" for n in range(6)))
    world.age()
    world.rest.run("upkeep.run", kind="consolidate", **ALICE)


def _reflected(world: World) -> None:
    world.add(SECRET, OPEN, "User mends balloons near the zeppelin works")
    world.chat(f"Your answer about the salary {KEPT} was incomplete.", session="a")
    world.chat(f"Your answer about {FREE} was too long.", session="b")
    world.rest.run("upkeep.run", kind="reflect", **ALICE)


def _episode(world: World) -> None:
    _told(world)
    world.rest.run("upkeep.run", kind="episode", **ALICE)


def _pointing_back(world: World) -> None:
    for mark, word in ((KEPT, "salary"), (FREE, "kite")):
        world.chat(f"I have a {word} called {mark} at the works.", "Fine.", "What did it cost?",
                   session=word)  # fmt: skip


CALLS: dict[str, dict[str, Callable[[World], Any]]] = {
    "memory/api/answering.py": {
        ANSWER_PROMPT: _added("answer", question="What about the zeppelin works?", threshold=0)
    },
    "memory/api/grading.py": {
        GRADE_PROMPT: _added("deep_recall", question="Where are the zeppelin works? Since when?")
    },
    "memory/learn/pictures.py": {VISION_PROMPT: _seen},
    "memory/learn/extract/fallback.py": {EXTRACTION_PROMPT: _told},
    "memory/learn/fact_context.py": {SITUATE_PROMPT: _told},
    "memory/learn/fact_verification.py": {VERIFY_PROMPT: _told},
    "memory/learn/reconciler.py": {_RULES: _beside},
    "memory/learn/procedure.py": {PROCEDURE_PROMPT: _ran()},
    "memory/learn/unfinished.py": {UNFINISHED_PROMPT: _ran(outcome="failure")},
    "memory/learn/success.py": {CHECK_PROMPT: _checked},
    "memory/upkeep/reflect/lessons.py": {LESSON_PROMPT: _reflected},
    "memory/upkeep/reflect/questions.py": {QUESTIONS_PROMPT: _reflected},
    "memory/upkeep/reflect/insight.py": {INSIGHT_PROMPT: _reflected},
    "memory/upkeep/consolidate/condensation.py": {CONDENSE_PROMPT: _condensed},
    "memory/upkeep/episodes/episode_text.py": {EPISODE_PROMPT: _episode},
    "filters/rewrite/answer.py": {_TASK: _pointing_back},
}
"""Where a request to a model is made, how it begins, and what has it made."""


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    file = tmp_path_factory.mktemp("m") / "calibration.json"
    save_calibration(
        file, "fake-words-384", MEASURED, measured_at=datetime.now(UTC), counts={"same": 20}
    )
    more = {
        "recall__calibration": str(file),
        "recall__rewrite__strategy": "llm",
        "recall__rewrite__llm__model": OUR_OWN,
        "upkeep__kinds__summaries": True,
        "learn__context": "model",
        "learn__llm__model": OUR_OWN,
        "learn__vision__model": OUR_OWN,
        "recall__compress__after_tokens": 200,
    }
    with (
        a_place(**more) as free,
        a_place(trust__policy=[{"to": [f"*/{OUR_OWN}"], "not_topics": ["salary"]}], **more) as kept,
    ):
        yield free, kept


WHOLE = {"memory/learn/pictures.py", "memory/learn/reconciler.py",
         "memory/upkeep/consolidate/condensation.py"}  # fmt: skip
"""What is told as a whole or not at all: a topic, a matter; and what a picture shows is not known."""
NOTHING_HELD = {
    "memory/api/wordings.py": "the query of a search",
    "proxy/commands/servers.py": "a ping",
}
"""Requests without a word of memory."""
OUR_LIBRARIES = {
    "memory/llms/openai.py": "what every request goes through, once it was checked",
    "memory/embedders/openai.py": "gets each text: a rule about its server is refused",
    "proxy/chat/whatif/asking.py": "a chat, told in test_kept_from_models",
    "proxy/chat/memory_route.py": "the chat of a client with its memories, told there",
    "proxy/transport/passthrough.py": "what a client sends",
    "proxy/commands/servers.py": "`recollect check` asks for the list of models",
    "proxy/access/jwks.py": "keys of an issuer",
    "proxy/mcp/proxied.py": "a running Recollect",
    "proxy/webhook.py": "changes, to whom the operator says",
}
"""Where a client of a server is made or bytes are posted, besides indexes."""
ROOT = Path(recollect.__file__).parent
ROOMS = ("memory", "filters", "proxy", "config")


def _with(*signs: str) -> set[str]:
    """The files of the product that have one of these."""
    files = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return {
        str(path.relative_to(ROOT))
        for path in files
        if any(sign in path.read_text() for sign in signs)
    }


def test_each_place_that_asks_a_model_is_listed():
    """A new one fails here until it says how it is kept from sending what is withheld."""
    assert _with(" ChatRequest(", "(ChatRequest(") == CALLS.keys() | NOTHING_HELD.keys()
    signs = (
        "await open_client(",
        "ClientSession(",
        ".post(",
        "_upstream.send(",
        "_passthrough.send(",
    )
    own = {file for file in _with(*signs) if not file.startswith("memory/index/")}
    assert own == OUR_LIBRARIES.keys()


@pytest.mark.parametrize("file", sorted(CALLS))
def test_nothing_withheld_is_in_a_call_of_our_own(places, file):
    """Without a policy the same call has it, and what is admitted is still asked about."""
    [(prompt, walk)] = CALLS[file].items()
    free, kept = (World(place) for place in places)
    walk(free)
    assert KEPT in free.asked(prompt)
    walk(kept)
    assert KEPT not in kept.sent
    assert (FREE in kept.asked(prompt)) is (file not in WHOLE)


@pytest.mark.parametrize("file", sorted(NOTHING_HELD))
def test_what_holds_nothing(file):
    """It says so in its own words: nothing of memory gets into it unseen."""
    assert "holds=()" in (ROOT / file).read_text()


def test_the_extract_of_an_old_conversation(places):
    """It has no episode that is kept from the model, whoever was shown it before."""
    free, kept = (World(place) for place in places)
    chat = [content for number in range(24) for content in _long_turn(number)]
    for world in (free, kept):
        _tell_episode(world, chat)
        world.chat(*chat, "Where did parcel number1 go?", session="old")
        assert "zqepisode" in world.place.model.requests[-1]["messages"].__repr__()
        world.place.model.requests.clear()
        world.chat(*chat, "Where did parcel number1 go?", model=OUR_OWN, session="old")
        assert "Extract of earlier messages" in world.sent
    assert "zqepisode" in free.sent
    assert "zqepisode" not in kept.sent


def _long_turn(number: int) -> tuple[str, str]:
    said, answered = turn(number)
    return said["content"], answered["content"]


def _tell_episode(world: World, chat: list[str]) -> None:
    """What a model told of the first two turns, which a pause ended."""
    scope, engine = Scope(tenant=world.rest.tenant, user_id="alice"), world.place.engine
    roles = ("user", "assistant")
    messages = [Message(role=roles[at % 2], content=text) for at, text in enumerate(chat)]
    conversation = conversation_id_of(scope, f"old of {world.rest.tenant}", messages)
    names = turn_ids_of(conversation, messages)
    began = utc_now() - timedelta(days=1)
    for at, name in enumerate(names):
        said = Turn(
            id=name,
            conversation_id=conversation,
            scope=scope,
            user_text=chat[2 * at],
            assistant_text=chat[2 * at + 1],
            model="chat-1",
            created_at=began + timedelta(hours=at),
        )
        world.place.call(engine.parts.state.conversations.record(said))
    text = "User sent zqepisode parcels for a salary"
    told = episode(text, names[:2], minute=0)
    origin = replace(
        told.provenance, conversation_id=conversation, recorded_at=began + timedelta(hours=2)
    )
    item = replace(told, id=str(uuid.uuid4()), scope=scope, provenance=origin,
                   embedder_id=engine.parts.embedder.id)  # fmt: skip
    [vector] = world.place.call(engine.parts.embedder.embed([text]))
    world.place.call(engine.parts.store.put([StoredMemory(item, vector)]))
