"""Memories of one topic, and models that condense them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import numpy as np

from recollect.memory.calibration import Calibration
from recollect.memory.graph.topics.topic_space import TopicSpace
from recollect.memory.model.jobs import Job, JobKind
from recollect.memory.model.types import (
    ChatReply,
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
)
from recollect.memory.upkeep import Work

DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOW = DAY + timedelta(days=200)
ALICE = Scope(tenant="local", user_id="alice")
SPACE = TopicSpace(Calibration(recall=0.2, update=0.6, same=0.95, floor=0.2, ceiling=0.6))
VIOLIN = (
    "User plays the violin in an amateur orchestra and practises on most evenings.",
    "User bought a violin made in Cremona and paid 1,911 euros.",
    "User plays the violin at weddings with a quartet named Fermata.",
    "User takes violin lessons from Ms Okafor on Mondays and likes it.",
)


def item(name, text, **changes):
    provenance = changes.pop("provenance", {})
    at = changes.pop("at", DAY)
    given = {
        "id": name,
        "text": text,
        "type": MemoryType.SEMANTIC,
        "scope": ALICE,
        "created_at": at,
        "updated_at": at,
        "valid_from": at,
        "embedder_id": "test",
        "provenance": Provenance(
            **({"source": Source.EXTRACTION, "turn_ids": (f"t-{name}",)} | provenance)
        ),
    }
    return MemoryItem(**(given | changes))


def stored(one, direction=0, lean=0.1):
    """A memory whose vector points along an axis, a little aside."""
    vector = np.zeros(16, np.float32)
    vector[direction] = 1.0
    vector[8 + sum(map(ord, one.id)) % 8] += lean
    return StoredMemory(one, vector / np.linalg.norm(vector))


def notes(texts=VIOLIN, **changes):
    """One memory for each text, a day apart: "n1", "n2", ..."""
    return [
        item(f"n{number}", text, at=DAY + timedelta(days=number), **changes)
        for number, text in enumerate(texts, 1)
    ]


def job(name="consolidate:1"):
    return Job(
        id=name,
        scope=ALICE,
        conversation_id="",
        upto_seq=0,
        reason="call",
        kind=JobKind.CONSOLIDATE,
    )


def work(model, name="consolidate:1"):
    return Work(job(name), ALICE, model, guard=None)


class Answers:
    """A model with one answer, or a function of the numbered notes; an error is raised."""

    def __init__(self, answer):
        self.answer = answer
        self.requests = []

    async def complete(self, request):
        self.requests.append(request)
        answer = self.answer
        if callable(answer):
            answer = answer(shown(request))
        if isinstance(answer, Exception):
            raise answer
        return ChatReply(text=answer, model="scripted")

    async def close(self):
        pass


def shown(request):
    """The notes of a question, by number."""
    found = re.findall(r"(?m)^(\d+)\. (.*)$", request.messages[-1].content)
    return {int(number): text for number, text in found}


def points(*rows):
    """An answer of texts with the numbers of their notes."""
    told = [{"text": text, "notes": list(numbers)} for text, *numbers in rows]
    return json.dumps({"points": told})


def first_words(told):
    """An honest answer: each note up to its last break or small word that may go."""
    return points(*((ends(text), number) for number, text in told.items()))


def ends(text):
    """A text without its last part."""
    return text.split(" and ")[0]
