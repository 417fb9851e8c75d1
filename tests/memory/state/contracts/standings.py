"""What all standings must do."""

from __future__ import annotations

import asyncio


class StandingsContract:
    """Subclasses provide the fixture `standings`."""

    async def test_what_was_written_is_read(self, standings):
        """Each model of each tenant has its own text, of any characters."""
        assert await standings.change("a", "m {1} \u00e9", None, "x")
        assert await standings.change("a", "n", None, "")
        assert await standings.change("a:b", "n", None, "z")
        assert await standings.of("a") == {"m {1} \u00e9": "x", "n": ""}
        assert await standings.of("a:b") == {"n": "z"}
        assert await standings.change("a", "n", "", "y")
        assert (await standings.of("a"))["n"] == "y"

    async def test_only_what_was_read_is_changed(self, standings):
        """Who read another text changes nothing."""
        assert await standings.change("c", "m", None, "1")
        assert not await standings.change("c", "m", None, "2")
        assert not await standings.change("c", "m", "0", "2")
        assert not await standings.change("c", "other", "1", "2")
        assert await standings.of("c") == {"m": "1"}

    async def test_one_of_many_wins(self, standings):
        """Of many that change the same text at once one does."""
        won = await asyncio.gather(
            *(standings.change("d", "m", None, str(number)) for number in range(20))
        )
        assert sum(won) == 1
        assert (await standings.of("d"))["m"] == str(won.index(True))
