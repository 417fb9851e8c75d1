"""Requests that schemathesis makes from the document of a server, and what is wrong with answers.

What schemathesis invents is of nobody: most ids name nothing. So some of the requests are about
memories that are there, which is where there is something to break. And some have a value at the
end of what JSON can hold (`extremes`): numbers, times, filters, cursors.
"""

from __future__ import annotations

import contextlib
import json
import random
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import hypothesis
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis.errors import HypothesisWarning, Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from recollect.proxy.api.answers import LINES
from recollect.proxy.api.operations import PREFIX

from . import extremes

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
REFUSED_FROM = 400
REFUSED_TOO = 413
"""A refusal that schemathesis does not count as one."""
EACH_BY_ITSELF = f"POST {PREFIX}/batch"
"""What is wrong with an item of its body is in the item's result, and the answer is a 200."""
MODEL_REPLY = json.dumps({"facts": [], "grounds": [], "answer": "I do not know."})
"""What an extraction and an answer can read: a model that cannot be read is a 503 by design."""
OWNERS = ("alice", "bob")
LISTINGS = frozenset({f"GET {PREFIX}", f"GET {PREFIX}/"})
"""What takes a cursor of the newest memories."""
UNKNOWN = ("userid", "agentId", "scope", "dry_run", "\u00e9")
"""Parameters of no operation."""
EXTREME = 0.2
"""The share of requests that get an extreme value."""
MOST_QUERY = 1000
"""Characters of an extreme value in an address; a longer line is a 431, of the server and not of the
operation."""
ROUND = 100
"""Requests to one operation before the next has its turn, at most: the first ones are simple."""


@schemathesis.serializer(LINES)
def _as_it_is(_context: Any, value: Any) -> bytes:
    """A body of lines is some text; `reading` the lines refuses most of them."""
    return str(value).encode("utf-8", "replace")


def fields_of(document: dict[str, Any]) -> dict[str, dict[str, str]]:
    """The fields of each operation, and whether they are in the query or in the body."""
    found = {}
    for label, operation in _listed(document):
        named = {one["name"]: "query" for one in operation["parameters"] if one["in"] == "query"}
        content = operation.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema", {})
        found[label] = named | dict.fromkeys(schema.get("properties", {}), "body")
    return found


def scoped(document: dict[str, Any]) -> dict[str, str]:
    """Where each operation is told whose memories are meant: in the query or in the body."""
    found = {}
    for label, operation in _listed(document):
        names = [each["name"] for each in operation["parameters"] if each["in"] == "query"]
        if "user_id" in names:
            found[label] = "query"
        content = operation.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema", {})
        if "user_id" in schema.get("properties", {}):
            found[label] = "body"
    return found


def endless(document: dict[str, Any]) -> set[str]:
    """The operations whose answers are streams only: a request would wait for their end."""
    return {
        label
        for label, operation in _listed(document)
        if "text/event-stream"
        in (kinds := operation["responses"].get("200", {}).get("content", {}))
        and "application/json" not in kinds
    }


def _listed(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


@dataclass(slots=True)
class Found:
    """What came of it."""

    cases: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    operations: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)
    """By operation and kind of failure: the first request that showed it."""

    @property
    def server_errors(self) -> int:
        """Answers of 5xx."""
        return sum(count for status, count in self.statuses.items() if status >= 500)


class Fuzzer:
    """Asks one server, in this thread."""

    def __init__(self, base_url: str, *, seed: int, token: str | None = None) -> None:
        self._base_url = base_url
        self._random = random.Random(seed)
        self._session = requests.Session()
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._scoped: dict[str, str] = {}
        self._fields: dict[str, dict[str, str]] = {}
        self._ids: list[str] = ["no-such-id"]
        self._cursors: list[str] = []
        self.found = Found()

    def run(self, cases: int, *, share: int = 1) -> Found:
        """At least so many requests, spread over all operations, or over every so manieth."""
        document = self._session.get(f"{self._base_url}{PREFIX}/openapi.json").json()
        self._scoped = scoped(document)
        self._fields = fields_of(document)
        left_out = endless(document)
        schema = schemathesis.openapi.from_dict(document)
        operations = [each.ok() for each in schema.get_all_operations()]
        operations = [each for each in operations if each.label not in left_out][::share]
        turns = len(operations) * len(GenerationMode)
        while self.found.cases < cases:
            self._stock()
            most = min(ROUND, (cases - self.found.cases) // turns + 1)
            for operation in operations:
                for mode in GenerationMode:
                    self._ask_many(operation, mode, most)
        self._session.close()
        return self.found

    def _stock(self) -> None:
        """Something that requests can be about."""
        for owner in OWNERS:
            body = {"messages": "I like tea", "user_id": owner, "infer": False, "dedupe": False}
            answer = self._session.post(
                f"{self._base_url}{PREFIX}/", json=body, headers=self._headers
            )
            self._ids.append(answer.json()["results"][0]["id"])
        self._ids = self._ids[-20:]
        query = {"user_id": OWNERS[0], "limit": 1}
        page = self._session.get(
            f"{self._base_url}{PREFIX}/", params=query, headers=self._headers
        ).json()
        if "next" in page:
            self._cursors = extremes.cursors(page["next"])

    def _ask_many(self, operation: Any, mode: GenerationMode, most: int) -> None:
        strategy = operation.as_strategy(generation_mode=mode)

        @hypothesis.settings(
            max_examples=most,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )
        @hypothesis.seed(self._random.getrandbits(64))
        @hypothesis.given(case=strategy)
        def ask(case: Any) -> None:
            self._ask(case, mode)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HypothesisWarning)
            # There may be nothing that an operation could refuse.
            with contextlib.suppress(Unsatisfiable):
                ask()

    def _ask(self, case: Any, mode: GenerationMode) -> None:
        label = case.operation.label
        known = self._random.random() < 0.5
        if known and "memory_id" in case.path_parameters:
            case.path_parameters["memory_id"] = self._random.choice(self._ids)
        place = {"query": case.query, "body": case.body}.get(self._scoped.get(label, ""))
        if known and isinstance(place, dict):
            place["user_id"] = self._random.choice(OWNERS)
        extreme = self._random.random() < EXTREME and self._make_extreme(case)
        odd = self._random.random() < 0.1
        if odd:
            case.query = {**(case.query or {}), self._random.choice(UNKNOWN): "x"}
        response = case.call(base_url=self._base_url, session=self._session, headers=self._headers)
        if odd and response.status_code < REFUSED_FROM:
            self.found.failures.setdefault(f"{label}: unknown parameter", str(case.query)[:2000])
        self.found.cases += 1
        self.found.statuses[response.status_code] += 1
        self.found.operations[label] += 1
        # What was replaced above may be right now.
        refuses = mode is GenerationMode.NEGATIVE and not known and not extreme and case.body
        refuses = refuses and response.status_code != REFUSED_TOO and label != EACH_BY_ITSELF
        checks = [*CHECKS, negative_data_rejection] if refuses else list(CHECKS)
        try:
            case.validate_response(response, checks=checks)
        except FailureGroup as error:
            kinds = ", ".join(sorted({type(each).__name__ for each in error.exceptions}))
            self.found.failures.setdefault(f"{label}: {kinds}", str(error)[:2000])

    def _make_extreme(self, case: Any) -> bool:
        """Put an extreme value into one field; whether the operation has any."""
        label, body = case.operation.label, case.body
        named = sorted(self._fields.get(label, {}).items())
        if not named:
            return False
        if label in LISTINGS and self._cursors and self._random.random() < 0.5:
            cursor = self._random.choice(self._cursors)
            case.query = {"user_id": OWNERS[0], "limit": 1, "cursor": cursor}
            return True
        name, where = self._random.choice(named)
        value = extremes.of_field(self._random, name)
        if where == "query":
            text = extremes.as_query(value)
            if len(text) > MOST_QUERY:
                return False
            case.query = {**(case.query or {}), name: text}
        elif isinstance(body, dict):
            case.body = {**body, name: value}
        else:
            return False
        return True


def figures(found: Found) -> dict[str, Any]:
    """As JSON can hold them."""
    return {
        "cases": found.cases,
        "server_errors": found.server_errors,
        "statuses": {str(status): count for status, count in sorted(found.statuses.items())},
        "operations": dict(sorted(found.operations.items())),
        "failures": found.failures,
    }


def told(found: Found) -> str:
    """The figures, and what failed."""
    return json.dumps(figures(found), indent=2)
