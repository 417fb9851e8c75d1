"""What is kept of tenants that the model server accepts."""

from __future__ import annotations

from recollect.memory.database import accepted as module
from recollect.memory.database.changes import ChangeKind, SqlChanges


class AcceptedContract:
    """Subclasses provide the fixture `accepted`."""

    async def test_the_last_word_counts(self, accepted):
        """However often it is said; in the order in which they were accepted."""
        for name, yes in (("a", True), ("b", True), ("a", True), ("c", False), ("b", False)):
            await accepted.judge(name, accepted=yes)
        await accepted.judge("b", accepted=True)
        assert await accepted.read() == ["a", "b"]

    async def test_other_processes_find_it_in_the_log(self, accepted):
        """One line of the tenant, only where there is a writer."""
        log = SqlChanges(accepted.scripts, "p")
        before = await log.last()
        await accepted.judge("a", accepted=True)
        await accepted.judge("a", accepted=False, writer="p")
        [(_, writer, line)] = await log.after(before, limit=9)
        assert (writer, line.kind, line.owner_ref) == ("p", ChangeKind.ACCEPTED, "a")
        assert line.told == [False]

    async def test_of_too_many_the_last_ones_stay(self, accepted, monkeypatch):
        """Refused ones take no place of others."""
        monkeypatch.setattr(module, "MOST_TENANTS", 2)
        await accepted.judge("a", accepted=True)
        await accepted.judge("b", accepted=True)
        for _ in range(3):
            await accepted.judge("z", accepted=False)
        assert await accepted.read() == ["a", "b"]
        await accepted.judge("c", accepted=True)
        assert await accepted.read() == ["b", "c"]
