"""Errors about language models, and about the work that waits for one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol, TypeVar

from .error_base import RecollectError


class Held(Protocol):
    """What a request to a model is made of."""

    @property
    def id(self) -> str: ...


H = TypeVar("H", bound=Held)

MAX_RAW_CHARS = 20_000
"""Maximum length of `raw` of an unreadable answer."""
_LARGER_MODEL = (
    "the model's answers cannot be read as facts: set a larger model in learn.llm, and try it with "
    "`recollect check --extract`"
)
_LEFT_ALONE = "left alone since "


class ModelError(RecollectError):
    """The language model could not be reached, refused the call, or gave no usable answer."""

    code = "model_failed"
    advice = "try the model with `recollect check --extract`"


class NoModelError(ModelError):
    """Nothing is configured or known that could extract facts."""

    code = "no_model"
    advice = "set learn.llm, or wait for that tenant's next request"

    def __init__(self) -> None:
        super().__init__("learn.llm is not set, and the tenant's client has sent no request yet")


class ModelUnavailableError(ModelError):
    """No connection to the model's server. The request is not to blame."""

    code = "model_unreachable"
    advice = (
        "nothing answers at learn.llm.base_url (or at the upstream): check the address and that "
        "the server runs; jobs wait and continue by themselves"
    )


class ServerRestsError(ModelUnavailableError):
    """The model's server failed too often in a row to be asked again yet: nothing was sent."""


class WithheldError(ModelError):
    """A policy keeps what is in the request from the model: nothing was sent."""

    code = "withheld"
    advice = "`trust.policy` keeps it from this model; set another model, or change the policy"

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self.ids = frozenset(ids)
        """The memories and turns that may not be in it; none if nobody said what is in it."""
        told = f"{len(self.ids)} memories or turns" if self.ids else "what is in the request"
        super().__init__(f"trust.policy keeps {told} from this model")

    def left_of(self, held: Sequence[H]) -> list[H]:
        """Those of these that may be in it. Raises the error itself if it names none of any."""
        left = [one for one in held if one.id not in self.ids]
        if not self.ids:
            raise self
        return left


class ModelBusyError(ModelUnavailableError):
    """The server answers, but not now: 408, 409, 425, 429 or 5xx. The request is not to blame."""

    code = "model_busy"
    advice = (
        "the model's server is overloaded or broken, or its quota is spent: see its log; jobs wait "
        "and continue by themselves"
    )


class ModelTimeoutError(ModelError):
    """The server accepted the connection, but the answer was not complete in time."""

    code = "model_timeout"
    advice = (
        "the model is too slow for this machine: set a smaller or faster one in learn.llm, or "
        "raise learn.llm.timeout_seconds"
    )


class AddTimeoutError(ModelTimeoutError):
    """The facts of one `add` were not learned in the time that it was given; none was stored."""

    code = "add_timeout"
    advice = (
        "give `add` a longer `timeout`, or raise learn.llm.timeout_seconds; a smaller or faster "
        "model in learn.llm needs less"
    )

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no facts were learned within {seconds:g} s: {self.advice}")


class ModelUnauthorizedError(ModelError):
    """The server refused the key: 401 or 403."""

    code = "model_unauthorized"
    advice = (
        "the model's server refuses the key: correct learn.llm.api_key, or without learn.llm the "
        "key that the client sends"
    )


class ModelNotFoundError(ModelError):
    """The server knows no such model or path: 404."""

    code = "model_not_found"
    advice = (
        "the server does not know the model or the path: correct learn.llm.model, and "
        "learn.llm.base_url, which usually ends in /v1"
    )


class ModelRefusedError(ModelError):
    """The server refused the request: another status of 4xx."""

    code = "model_refused"
    advice = (
        "the model's server refuses the request, perhaps because it is too long for the model: "
        "see its log, or set another model in learn.llm"
    )


class ModelUnreadableError(ModelError):
    """The answer was empty, too large, or not a chat completion."""

    code = "model_unreadable"
    advice = _LARGER_MODEL


class WorkerDiedError(RecollectError):
    """The process that learned a job ended before the job did, each time."""

    code = "worker_died"
    advice = "the process ends while it learns this conversation, perhaps for want of memory"


class LearningError(RecollectError):
    """Learning fails again and again. `code` is the reason word of the last failure."""

    code = "learning_failed"

    def __init__(self, code: str, advice: str) -> None:
        super().__init__(advice)
        self.code = code or type(self).code
        self.advice = advice


class ModelSilentError(ModelUnreadableError):
    """The answer was a chat completion without any text."""


class SaidOnlyError(LearningError):
    """No model extracts facts, and none was named for it: what users said is still recalled."""

    code = "said_only"
    advice = (
        "nothing is broken: what users say is recalled in their own words; for facts, name a "
        "model that can write JSON in learn.llm"
    )

    def __init__(self, failure: str = "", rest: str = "") -> None:
        """`failure` is the reason word of the last try, `rest` what is said about a rest."""
        tried = f" ({failure})" if failure else ""
        self.advice = "; ".join(filter(None, (rest, type(self).advice)))
        RecollectError.__init__(self, f"no model extracts facts{tried}: {self.advice}")


class BudgetError(ModelError):
    """The tenant's tokens of the day are spent."""

    code = "budget_spent"
    advice = "jobs continue tomorrow (UTC), or raise learn.daily_tokens"


class CallsSpentError(BudgetError):
    """The calls that a person gave to learning from earlier chats are spent."""

    code = "calls_spent"
    advice = "what was learned stays; give further calls to go on"


class UpkeepBudgetError(BudgetError):
    """The tenant's tokens of the day for upkeep are spent; learning has a budget of its own."""

    code = "upkeep_budget_spent"
    advice = (
        "what needs no model goes on, the rest continues tomorrow (UTC); or raise "
        "upkeep.daily_tokens"
    )


class UpkeepRestsError(RecollectError):
    """Some kinds of upkeep wait for a model. Nothing is broken: what needs none goes on."""

    code = "upkeep_rests"

    def __init__(self, told: str) -> None:
        """`told` says which, why, and what goes on."""
        super().__init__(told)
        self.advice = told


class HourSpentError(RecollectError):
    """The tenant's calls of the hour are used up.

    No ModelError: whoever goes on without a model's answer must not go on without this one.
    """

    code = "hour_spent"
    advice = "jobs continue at the next full hour, or raise learn.calls_per_hour"


ON_TRIAL = "model_on_trial"
"""The reason word of a job that waits for what another finds out about the model."""


class ModelRestsError(RecollectError):
    """A model that fails is not asked before `until`. `code` is the reason word of its failure."""

    code = "model_rests"

    def __init__(self, code: str, told: str, until: datetime) -> None:
        super().__init__(told)
        self.code = code or ModelError.code
        self.until = until

    @classmethod
    def left_alone(
        cls, code: str, model: str, *, tries: int, since: datetime, until: datetime
    ) -> ModelRestsError:
        """The error about a model that gave no readable answer in so many tries."""
        told = (
            f"{_LEFT_ALONE}{since:%Y-%m-%d %H:%M} UTC ({model or 'the model'}, {tries} tries "
            f"without a readable answer), tried again at {until:%Y-%m-%d %H:%M} UTC"
        )
        return cls(code, told, until)


class TurnsUnreadError(RecollectError):
    """A model that reads other conversations gave no readable answer about this one."""

    code = "turns_unread"
    advice = (
        "the model, which reads other conversations, gave no readable answer about this one: "
        "`recollect jobs retry` asks again, perhaps after a larger model is set in learn.llm"
    )


class JobTimeoutError(RecollectError):
    """One try of a job took too long (`LearnOptions.job_seconds`)."""

    code = "job_timeout"
    advice = (
        "learning one conversation takes too long: set a smaller or faster model in learn.llm, or "
        "raise learn.llm.timeout_seconds"
    )


class ExtractionError(RecollectError):
    """The model answered, but nothing in the answer could be read as facts.

    Distinct from an empty list: "no facts" is a result, this is a failure to retry. `raw` is the
    beginning of the answer, at most `MAX_RAW_CHARS` characters: for the list of dead jobs, never
    for a log.
    """

    code = "model_unreadable"
    advice = _LARGER_MODEL

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw[:MAX_RAW_CHARS]


def rest_in(line: str | None) -> str:
    """What a line of `coded` says about a model that is left alone; empty for another line."""
    _, _, told = (line or "").partition(": ")
    return told if told.startswith(_LEFT_ALONE) else ""
