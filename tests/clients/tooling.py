"""Ten talks with a model that calls tools of memory and of the client, and what a client may see. Pure.

What the model says next follows from the results that it was sent, so an answer proves that they arrived.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.clients.checks import Story
from tests.clients.rendering import USAGE, Call, Reply
from tests.clients.upstream import (
    TOOL,
    UNKNOWN,
    Received,
    ScriptedUpstream,
    answer_with,
    fact_of,
    text_of,
)

WAYS = ("chat", "chat_streamed", "responses", "responses_streamed")
"""How a client asks; each client of these talks has all four."""
OWN_IDS = ("call_own_2", "call_own_1")
SAID = re.compile(r"\((\w+), (\w+)\)\s*$")
OURS, OWN = "call_ours_", "call_own_"
"""How the ids of calls begin: a client may see its own."""
PLACE = "allotment"
WEATHER = f"Sunny at {PLACE}"
STOPPED, REFUSED, ORDINARY = "I stop here.", "The tool refused.", "That is all."
MOMENT = "One moment. "
NOT_OFFERED = "That tool is not offered to me."
FAILURE = "the model server is out of order"


def _ours(number: int, name: str, **arguments: Any) -> Call:
    return Call(f"{OURS}{number}", name, json.dumps(arguments))


SEARCH = _ours(1, "fact_search", query="number of the allotment")
REMEMBER = _ours(2, "fact_remember", text="User's shed is painted green")
PROFILE = _ours(3, "profile_read")
WRONG = _ours(4, "fact_search", query="allotment", user_id="somebody else")
WEATHER_CALL = Call(f"{OWN}1", TOOL, json.dumps({"place": PLACE}))
WEATHER_AGAIN = Call(f"{OWN}2", TOOL, json.dumps({"place": PLACE}))
NOT_RUN = "not run"
"""What the model is told of a tool of the client's that it calls beside one of memory."""


@dataclass(frozen=True)
class Talk:
    """What the model says before its answer, and the answer by the number that memory has."""

    rounds: tuple[Reply, ...]
    answer: Callable[[int], str]
    own: bool = False
    """Whether the client offers a tool of its own."""


TALKS: Mapping[str, Talk] = {
    "plain": Talk((), lambda _: ORDINARY),
    "once": Talk((Reply(calls=(SEARCH,)),), answer_with),
    "twice": Talk((Reply(calls=(REMEMBER,)), Reply(calls=(SEARCH,))), answer_with),
    "together": Talk((Reply(calls=(SEARCH, PROFILE)),), answer_with),
    "spoken": Talk((Reply(MOMENT, (SEARCH,)),), answer_with),
    "loop": Talk((), lambda _: STOPPED),
    "wrong": Talk((Reply(calls=(WRONG,)),), lambda _: REFUSED),
    "own": Talk((Reply(calls=(WEATHER_CALL,)),), lambda _: WEATHER, own=True),
    "mixed": Talk((), lambda number: f"{WEATHER}. {answer_with(number)}", own=True),
    "broken": Talk((Reply(calls=(SEARCH,)),), lambda _: ""),
}


@dataclass(frozen=True)
class Run:
    """One talk in one way."""

    talk: str
    way: str

    @property
    def name(self) -> str:
        return f"{self.talk}/{self.way}"

    @property
    def text(self) -> str:
        """What the user says: no two the same, so that requests can be told apart."""
        return f"Which number does my allotment have? ({self.talk}, {self.way})"

    @property
    def usage(self) -> int:
        """Tokens that the model server counts for one request."""
        return USAGE["total_tokens"]

    def as_json(self) -> dict[str, Any]:
        """What the programs get."""
        return {"text": self.text, "way": self.way, "own": TALKS[self.talk].own}


RUNS = tuple(Run(talk, way) for talk in TALKS for way in WAYS)


def results_of(request: Received) -> dict[str, str]:
    """What tools answered since the user spoke, by the id of the call."""
    found = {}
    for item in request.items:
        if item.get("role") == "user":
            found.clear()
        elif item.get("role") == "tool":
            found[item["tool_call_id"]] = text_of(item["content"])
        elif item.get("type") == "function_call_output":
            found[item["call_id"]] = text_of(item["output"])
    return found


def next_reply(talk_name: str, request: Received) -> Reply:
    """What the model says to a request of a talk."""
    results = results_of(request)
    may_call = request.body.get("tool_choice") != "none"
    if talk_name == "loop":
        again = Call(f"{OURS}{len(results) + 10}", SEARCH.name, SEARCH.arguments)
        return (
            Reply(calls=(again,)) if may_call and SEARCH.name in request.tools else Reply(STOPPED)
        )
    if talk_name == "mixed" and (calls := _mixed(results)):
        offered = {call.name for call in calls} <= set(request.tools)
        return Reply(calls=calls) if offered else Reply(NOT_OFFERED)
    for said in TALKS[talk_name].rounds:
        missing = [call.id for call in said.calls if call.id not in results]
        if len(missing) == len(said.calls):
            offered = {call.name for call in said.calls} <= set(request.tools)
            return said if offered else Reply(NOT_OFFERED)
        if missing:
            return Reply(f"Results are lost: {missing}")
    return Reply(_answer(talk_name, results))


def _mixed(results: Mapping[str, str]) -> tuple[Call, ...]:
    """What a model calls that asks for both at once, and then for what it has not been told yet."""
    if NOT_RUN in results.get(WEATHER_CALL.id, "") and WEATHER_AGAIN.id not in results:
        return (WEATHER_AGAIN,)
    if results and SEARCH.id not in results:
        return (SEARCH,)
    return () if results else (SEARCH, WEATHER_CALL)


def _answer(talk_name: str, results: Mapping[str, str]) -> str:
    weather = next((results[i] for i in OWN_IDS if i in results), None)
    told = "\n".join(result for i, result in results.items() if i not in OWN_IDS)
    if talk_name == "plain":
        return ORDINARY
    if talk_name == "wrong":
        return REFUSED if '"error"' in told and "user_id" in told else f"No error: {told}"
    if '"error"' in told:
        return f"An error: {told}"
    found = re.search(fact_of(0).replace("0", r"(\d+)"), told)
    answer = answer_with(int(found[1])) if found else UNKNOWN
    return {"own": str(weather), "mixed": f"{weather}. {answer}"}.get(talk_name, answer)


class ToolUpstream(ScriptedUpstream):
    """A model server that has these talks; in `broken` it fails after the first call."""

    refused_with = 500

    def reply(self, request: Received) -> Reply:
        found = SAID.search(request.said)
        if request.is_learning or found is None:
            return super().reply(request)
        return next_reply(found[1], request)

    def refusal(self, request: Received) -> str | None:
        found = SAID.search(request.said)
        is_broken = found is not None and found[1] == "broken" and not request.is_learning
        return FAILURE if is_broken and results_of(request) else None


def problem(
    run: Run, seen: Mapping[str, Any], story: Story, received: Sequence[Received], names: set[str]
) -> str:
    """What is wrong with a run; "" if nothing is. `names` are those of the tools of memory."""
    told = json.dumps(seen)
    if leaked := [word for word in (OURS, *sorted(names)) if word in told]:
        return f"the client saw {leaked}: {told[:2000]}"
    requests = [r for r in received if not r.is_learning and r.said.endswith(run.text)]
    if ours := {n for r in requests for n in r.headers if n.lower().startswith("x-recollect")}:
        return f"the upstream received {sorted(ours)}"
    if run.talk == "broken":
        return "" if FAILURE in told else f"the client saw no failure: {told[:2000]}"
    if "error" in seen:
        return str(seen["error"]).strip()
    answer = seen["answer"]
    wanted = TALKS[run.talk].answer(story.number)
    if answer["text"].removeprefix(MOMENT if run.talk == "spoken" else "").strip() != wanted:
        return f"the answer is {answer['text']!r}, not {wanted!r}"
    if not requests or not names & set(requests[0].tools):
        return f"no tools of memory were offered: {[r.tools for r in requests]}"
    return _stream_problem(answer.get("streams", [])) or _usage_problem(run, answer, len(requests))


def _stream_problem(streams: Sequence[Sequence[Mapping[str, Any]]]) -> str:
    """What is wrong with the events of streams, each of which has to be like any other."""
    for stream in streams:
        if not stream or "choices" not in stream[0]:
            numbers = [event["sequence_number"] for event in stream]
            kinds = [event["type"] for event in stream]
            ends = [kinds.count(f"response.{kind}") for kind in ("created", "completed")]
            if numbers != list(range(len(stream))) or ends != [1, 1]:
                return f"a stream of events has {list(zip(numbers, kinds, strict=True))}"
            continue
        choices = [choice for chunk in stream for choice in chunk["choices"]]
        ended = [c["finish_reason"] for c in choices if c.get("finish_reason")]
        roles = [c for c in choices if (c.get("delta") or {}).get("role")]
        ids = {chunk["id"] for chunk in stream}
        if len(ended) != 1 or len(roles) != 1 or len(ids) != 1:
            return f"a stream has the ids {ids}, {len(roles)} roles, and ends with {ended}"
    return ""


def _usage_problem(run: Run, answer: Mapping[str, Any], requests: int) -> str:
    """The tokens of all rounds are counted, once. Only of clients that show answers as they came."""
    if "raw" not in answer:
        return ""
    whole = [*answer.get("answers", ()), *(e for s in answer.get("streams", ()) for e in s)]
    usages = [e.get("usage") or (e.get("response") or {}).get("usage") for e in whole]
    counted = sum(usage["total_tokens"] for usage in usages if usage)
    wanted = requests * run.usage
    return "" if counted == wanted else f"{counted} tokens are counted, not {wanted}"
