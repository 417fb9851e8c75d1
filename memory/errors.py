"""Every error the engine raises on purpose.

Backends translate foreign exceptions into these at their boundary, so callers catch nothing else.
`code` is stable and machine-readable; the message is for people.
"""

MAX_RAW_CHARS = 20_000
"""Maximum length of `raw` of an unreadable answer."""


class RecollectError(Exception):
    """Base class of all errors of the engine."""

    code = "recollect_error"
    advice = ""
    """What to do about it, for `/readyz`: names no address, no path and no value."""
    part = ""
    """The part that could not be opened and its setting; empty outside of opening."""

    def __str__(self) -> str:
        told = super().__str__()
        return f"{self.part}: {told}" if self.part else told


class ScopeError(RecollectError):
    """No scope, or a malformed one."""

    code = "scope_required"


class InvalidInputError(RecollectError):
    """An argument is not what was expected. `field` names it."""

    code = "invalid_input"

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"{field}: {expected}")
        self.field = field
        self.expected = expected


class NotFoundError(RecollectError):
    """The id names no memory this tenant can see."""

    code = "not_found"


class StoreError(RecollectError):
    """The vector store failed or refused."""

    code = "store_unavailable"


class StoreUnwritableError(StoreError):
    """The store's disk is full or refuses writes; acknowledged data is kept and can be read.

    Unlike other StoreErrors it ends when there is room, and the data is sound.
    """

    code = "store_unwritable"
    advice = "the disk under the memories is full: make room, it goes on by itself"


class StoreDamagedError(StoreError):
    """The store's files are damaged; nothing was changed. Neither waiting nor a restart helps."""

    code = "store_damaged"
    advice = "the memories' files are damaged and were left as they are: run `recollect repair`"


class StoreMismatchError(StoreError):
    """The store holds vectors of another embedder, or is not ours: the configuration is wrong."""

    code = "store_mismatch"


class StateError(RecollectError):
    """Durable state (conversations, jobs, history) failed or refused."""

    code = "state_unavailable"

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice


class StateUnwritableError(StateError):
    """The state can be read but not written: a full disk, or a server that refuses writes.

    The data is sound; `advice` says how to restore writes.
    """

    code = "state_unwritable"


class StateDamagedError(StateError):
    """The file is damaged; nothing was changed. Neither waiting nor a restart helps.

    `advice` names the file without its folder.
    """

    code = "state_damaged"


class EmbeddingError(RecollectError):
    """The embedder failed, or returned vectors that cannot be used."""

    code = "embedding_failed"


class ModelError(RecollectError):
    """The language model could not be reached or refused the call."""

    code = "model_failed"


class ModelUnavailableError(ModelError):
    """No answer, or not now: no connection, a timeout, 429, 5xx. The request is not to blame."""


class BudgetError(ModelError):
    """The tenant's tokens of the day are spent."""

    code = "budget_spent"


class ExtractionError(RecollectError):
    """The model answered, but nothing in the answer could be read as facts.

    Distinct from an empty list: "no facts" is a result, this is a failure to retry. `raw` is the
    beginning of the answer, at most `MAX_RAW_CHARS` characters: for the list of dead jobs, never
    for a log.
    """

    code = "extraction_failed"

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw[:MAX_RAW_CHARS]
