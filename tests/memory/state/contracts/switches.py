"""What all switches must do."""

from __future__ import annotations


class SwitchesContract:
    """Subclasses provide the fixture `switches`."""

    async def test_what_was_turned_is_kept(self, switches):
        """Each by its name; others stay as they are, and what nobody turned is not there."""
        assert await switches.read() == {}
        await switches.write({"a": False, "b \u00e9": True})
        await switches.write({"a": True})
        await switches.write({})
        assert await switches.read() == {"a": True, "b \u00e9": True}
        await switches.write({"a": False})
        assert (await switches.read())["a"] is False
