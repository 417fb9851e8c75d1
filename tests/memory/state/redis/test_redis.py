"""The Redis state keeps the contracts, on a real server."""

from tests.memory.state.contract import StateContract


class TestRedisState(StateContract):
    """The fixture `state` is that of the folder."""
