"""The names of the keys, and which keys share a hash tag.

Redis Cluster distributes keys by the part in braces, the hash tag. A script or a command may touch
keys of one tag only:

- a conversation's keys: by its id, so that capture spreads over all nodes;
- jobs: one tag, because "the oldest runnable job" compares all of them in one step. There is one
  job for about ten turns; apart from checkpoints the keys hold ids and states, no text;
- the index of conversations: one tag, because queries cover all users. Ids only;
- the names that requests continue from: each by itself. Ids only;
- the newest turns of a user: by user. Ids only;
- tombstones, locks, epochs, usage, standings, offers, sums, shares, blocks and the ledger:
  by tenant, as are buckets of requests; who is accepted: one tag, as one script moves a tenant;
  versions: one tag, as one MGET reads them.

Values between braces are percent-encoded: an id that contains braces, or begins with one, could
otherwise separate keys that belong together.
"""

from __future__ import annotations

from datetime import date
from hashlib import sha256
from itertools import product
from typing import NamedTuple
from urllib.parse import quote, unquote

from ...model.errors import InvalidInputError
from ...model.types import OwnerRef, Scope


def encoded(text: str) -> str:
    """Any text as letters, digits and ``_.-~%``; lone surrogates too."""
    return quote(text, safe="", errors="surrogatepass")


def decoded(text: str) -> str:
    """The inverse of `encoded`."""
    return unquote(text, errors="surrogatepass")


class ConversationKeys(NamedTuple):
    """The three keys of a conversation; `turn_scripts` describes their content."""

    turns: str
    open: str
    learned: str


class IndexKeys(NamedTuple):
    """The index: conversations by owner, and those with turns to learn.

    The score of each owned one is the format: whoever flushes a server removes the format's key.
    """

    owned: str
    open: str
    generations: str


class Keys:
    """All key names with one prefix.

    Raises:
        InvalidInputError: the prefix has a brace, which would become part of a hash tag.
    """

    def __init__(self, prefix: str) -> None:
        if "{" in prefix or "}" in prefix:
            raise InvalidInputError("state.prefix", "must not have braces")
        self._prefix = prefix

    def conversation(self, conversation_id: str) -> ConversationKeys:
        tagged = f"{self._prefix}c:{{{encoded(conversation_id)}}}"
        return ConversationKeys(f"{tagged}:turns", f"{tagged}:open", f"{tagged}:learned")

    def turn(self, turn_id: str) -> str:
        """Holds the conversation of the turn."""
        return f"{self._prefix}t:{{{encoded(turn_id)}}}"

    def thread(self, scope: Scope, name: str) -> str:
        """Holds the turn that this name continues from, after its conversation.

        A hash: the key outlives its user, if that is forgotten, until it expires.
        """
        told = f"{owner_key(scope)}/{encoded(name)}"
        return f"{self._prefix}thread:{{{sha256(told.encode()).hexdigest()[:32]}}}"

    def recent(self, scope: Scope) -> str:
        """The newest turns of a user, or of an agent or run if the scope names no user."""
        return f"{self._prefix}recent:{{{owner_key(widest(scope))}}}"

    def recents(self, scope: Scope) -> list[str]:
        """Every `recent` that holds a turn of this scope."""
        tenant, agent, run = scope.tenant, scope.agent_id, scope.run_id
        wider = {(a, r) for a in (agent, None) for r in (run, None) if a or r}
        without_user = {Scope(tenant=tenant, agent_id=a, run_id=r) for a, r in wider}
        return sorted({self.recent(each) for each in (scope, *without_user)})

    @property
    def index(self) -> IndexKeys:
        tagged = f"{self._prefix}{{index}}"
        return IndexKeys(f"{tagged}:owned", f"{tagged}:open", f"{tagged}:generations")

    @property
    def uncounted(self) -> str:
        """A set: turns whose recalled memories are not counted yet."""
        return f"{self._prefix}{{index}}:uncounted"

    def jobs(self, *names: str) -> list[str]:
        return [f"{self._prefix}{{jobs}}:{name}" for name in names]

    def done(self, job_id: str) -> str:
        """Holds a job for a while after it is done."""
        return f"{self._prefix}{{jobs}}:done:{encoded(job_id)}"

    def version(self, key: str) -> str:
        return f"{self._prefix}{{versions}}:{encoded(key)}"

    def tombs(self, tenant: str) -> str:
        return f"{self._prefix}tombs:{{{encoded(tenant)}}}"

    def lock(self, tenant: str, memory_id: str) -> str:
        return f"{self._prefix}lock:{{{encoded(tenant)}}}:{encoded(memory_id)}"

    def epochs(self, tenant: str) -> str:
        return f"{self._prefix}epochs:{{{encoded(tenant)}}}"

    def ledger(self, tenant: str, day: date) -> str:
        return f"{self._prefix}ledger:{{{encoded(tenant)}}}:{day.isoformat()}"

    def spending(self, tenant: str, call: str) -> str:
        """Marks one call of `spend` as counted."""
        return f"{self._prefix}ledger:{{{encoded(tenant)}}}:call:{call}"

    def hour(self, tenant: str) -> str:
        """A hash: the latest hour with calls, and how many."""
        return f"{self._prefix}ledger:{{{encoded(tenant)}}}:hour"

    def sums(self, tenant: str, day: date) -> str:
        """A hash: what was summed up of a day."""
        return f"{self._prefix}sums:{{{encoded(tenant)}}}:{day.isoformat()}"

    def summed(self, tenant: str, day: date, batch: str) -> str:
        """Marks a batch as added to a day."""
        return f"{self.sums(tenant, day)}:{encoded(batch)}"

    def standings(self, tenant: str) -> str:
        """A hash: what is known of each model of a tenant."""
        return f"{self._prefix}standings:{{{encoded(tenant)}}}"

    def attached_to(self, tenant: str, kind: str, ids: str) -> str:
        """A hash: what is attached to the scope with this `ids_key`, by id."""
        return f"{self.attachments(tenant)}:to:{kind}:{ids}"

    def attached_item(self, tenant: str, kind: str, item_id: str) -> str:
        """A set: the `ids_key` of each scope that this is attached to."""
        return f"{self.attachments(tenant)}:of:{kind}:{encoded(item_id)}"

    def attachments(self, tenant: str) -> str:
        """A set: the kind, id and `ids_key` of every attachment of a tenant."""
        return f"{self._prefix}shares:{{{encoded(tenant)}}}"

    def blocks(self, tenant: str) -> str:
        """A hash: the working blocks of a tenant by id."""
        return f"{self._prefix}blocks:{{{encoded(tenant)}}}"

    def block_labels(self, tenant: str, ids: str) -> str:
        """A hash: the ids of the blocks of the scope with this `ids_key`, by label."""
        return f"{self.blocks(tenant)}:of:{ids}"

    def block_versions(self, tenant: str, block_id: str) -> str:
        """A list: the earlier versions of a block, newest first."""
        return f"{self.blocks(tenant)}:was:{encoded(block_id)}"

    def runs(self, tenant: str) -> str:
        """A hash: the runs of upkeep of a tenant by id."""
        return f"{self._prefix}runs:{{{encoded(tenant)}}}"

    def runs_by_time(self, tenant: str, ids: str) -> str:
        """A sorted set: the ids of the runs of the user with this `ids_key`, of all if empty."""
        return f"{self.runs(tenant)}:by:{ids}"

    def bucket(self, tenant: str) -> str:
        """A hash: what a tenant has left of its requests."""
        return f"{self._prefix}bucket:{{{encoded(tenant)}}}"

    def bucket_share(self, tenant: str, user: str) -> str:
        """A hash: what one of its users took of them lately."""
        return f"{self.bucket(tenant)}:of:{encoded(user)}"

    @property
    def judged(self) -> tuple[str, str]:
        """Sorted sets: tenants that the model server accepted, and those that it refused."""
        tagged = f"{self._prefix}{{tenants}}"
        return f"{tagged}:accepted", f"{tagged}:refused"

    @property
    def format(self) -> str:
        """Holds the format of all that these keys hold."""
        return f"{self._prefix}format"

    @property
    def switches(self) -> str:
        """A hash: what an operator turned, of all processes."""
        return f"{self._prefix}switches"

    def offer(self, tenant: str, name: str) -> str:
        """Holds a text that waits for an answer, after the time when it is too late."""
        return f"{self._prefix}offer:{{{encoded(tenant)}}}:{encoded(name)}"

    def usage(self, tenant: str) -> str:
        """A hash: the counters of all memories of a tenant."""
        return f"{self._prefix}usage:{{{encoded(tenant)}}}"

    def occasion(self, tenant: str, occasion: str) -> str:
        """A set: what was counted on an occasion."""
        return f"{self._prefix}usage:{{{encoded(tenant)}}}:at:{encoded(occasion)}"

    @property
    def replicas(self) -> str:
        """The channel of messages to all processes; with a name after it, to one of them."""
        return f"{self._prefix}replicas"

    @property
    def replicas_there(self) -> str:
        """A sorted set: the processes that said lately that they are there."""
        return f"{self._prefix}{{replicas}}:there"

    @property
    def forgotten(self) -> str:
        """The channel of the announcements."""
        return f"{self._prefix}forgotten"


def widest(scope: Scope) -> Scope:
    """The user of a scope alone, or the scope if it names none."""
    if scope.user_id is None:
        return scope
    return Scope(tenant=scope.tenant, user_id=scope.user_id)


def ids_key(scope: Scope) -> str:
    """A scope's ids within its tenant, unambiguous for any characters."""
    ids = (scope.user_id, scope.agent_id, scope.run_id)
    return "/".join("-" if part is None else "=" + encoded(part) for part in ids)


def admitting_keys(scope: Scope) -> list[str]:
    """The `ids_key` of every scope that admits this one."""
    ids = (scope.user_id, scope.agent_id, scope.run_id)
    either = [(value, None) if value else (None,) for value in ids]
    return [
        ids_key(Scope(tenant=scope.tenant, user_id=user, agent_id=agent, run_id=run))
        for user, agent, run in product(*either)
        if user or agent or run
    ]


def owner_key(scope: Scope) -> str:
    """A scope as text that sorts by tenant, then by user."""
    return f"{encoded(scope.tenant)}/{ids_key(scope)}"


def owned_member(scope: Scope, conversation_id: str) -> str:
    """An entry of the index `owned`."""
    return f"{owner_key(scope)}/{encoded(conversation_id)}"


def read_member(member: str) -> tuple[Scope, str, str]:
    """The scope, its `owner_key`, and the conversation of an entry of `owned`."""
    owner, _, conversation = member.rpartition("/")
    tenant, *ids = owner.split("/")
    user, agent, run = (decoded(part[1:]) if part.startswith("=") else None for part in ids)
    scope = Scope(tenant=decoded(tenant), user_id=user, agent_id=agent, run_id=run)
    return scope, owner, decoded(conversation)


def owned_prefix(owner_ref: OwnerRef | None) -> str:
    """The common prefix of all entries of `owned` that may be meant; ends with ``/`` or empty."""
    if owner_ref is None:
        return ""
    if isinstance(owner_ref, str):
        return f"{encoded(owner_ref)}/"
    user = "" if owner_ref.user_id is None else f"={encoded(owner_ref.user_id)}/"
    return f"{encoded(owner_ref.tenant)}/{user}"
