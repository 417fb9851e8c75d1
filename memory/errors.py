"""Every error the engine raises on purpose.

RecollectError
├── ScopeError         no user, agent or run was named
├── InvalidInputError  an argument is malformed; names the field
├── NotFoundError      no memory has this id in this tenant
├── StoreError         the vector store failed or refused
│   ├── StoreUnwritableError   the disk under it takes no more
│   ├── StoreDamagedError      its files are damaged, and were left as they are
│   └── StoreMismatchError   it holds vectors of another embedder, or is not ours
├── StateError         conversations, jobs or history could not be read or written
│   ├── StateUnwritableError   it can be read, but takes nothing new
│   └── StateDamagedError      its file is damaged, and was left as it is
├── EmbeddingError     the embedder failed or answered nonsense
├── ModelError         the language model failed or could not be reached
│   ├── ModelUnavailableError   it may answer later: waiting helps, another prompt does not
│   └── BudgetError             the tenant's tokens of the day are spent
└── ExtractionError    the model answered, but not with facts, however it was asked

Backends translate foreign exceptions into these at their boundary, so that callers catch nothing
else. `code` is stable and machine-readable; the message is for people.
"""

MAX_RAW_CHARS = 20_000
"""Of an answer that could not be read: enough to see what went wrong."""


class RecollectError(Exception):
    """Base of all of them."""

    code = "recollect_error"
    advice = ""
    """What to do about it, for `/readyz`: names no address, no path and no value."""
    part = ""
    """What could not be opened, and the setting that describes it, if it was said in opening."""

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
    """The disk under the store takes no more; what was acknowledged is kept, and can be read.

    Apart from StoreError because room mends it, and nothing is wrong with the data.
    """

    code = "store_unwritable"
    advice = "the disk under the memories is full: make room, it goes on by itself"


class StoreDamagedError(StoreError):
    """The store's files are damaged; nothing was changed.

    Apart from StoreError because neither waiting nor starting again mends it.
    """

    code = "store_damaged"
    advice = "the memories' files are damaged and were left as they are: run `recollect repair`"


class StoreMismatchError(StoreError):
    """The store holds vectors of another embedder, or is not one of ours.

    Apart from StoreError because waiting does not mend it: the configuration has to change.
    """

    code = "store_mismatch"


class StateError(RecollectError):
    """Durable state (conversations, jobs, history) failed or refused."""

    code = "state_unavailable"

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice


class StateUnwritableError(StateError):
    """It can be read, but takes nothing new: a full disk, a server that refuses writes.

    Apart from StateError because nothing is wrong with what is kept; `advice` says what mends it.
    """

    code = "state_unwritable"


class StateDamagedError(StateError):
    """The file is damaged; nothing was changed. `advice` names it without its folder.

    Apart from StateError because neither waiting nor starting again mends it.
    """

    code = "state_damaged"


class EmbeddingError(RecollectError):
    """The embedder failed, or answered vectors that cannot be used."""

    code = "embedding_failed"


class ModelError(RecollectError):
    """The language model could not be reached or refused the call."""

    code = "model_failed"


class ModelUnavailableError(ModelError):
    """Nobody answered, or not now: no connection, a timeout, 429, 5xx.

    Apart from ModelError because what was asked is not to blame.
    """


class BudgetError(ModelError):
    """The tenant's tokens of the day are spent."""

    code = "budget_spent"


class ExtractionError(RecollectError):
    """The model answered, but nothing in the answer could be read as facts.

    Kept apart from an empty list on purpose: "no facts" is a result, this is a failure to retry.
    `raw` is the beginning of what the model said, at most `MAX_RAW_CHARS` characters: for the list
    of dead jobs, never for a log.
    """

    code = "extraction_failed"

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw[:MAX_RAW_CHARS]
