"""Shared memories over HTTP."""

from __future__ import annotations

from .calling import Calling

BOB = {"user_id": "bob"}


async def test_a_memory_is_shared_and_shared_no_more() -> None:
    """Listed for both, found by whoever was given it, and gone once it is detached."""
    async with Calling() as api:
        [tea] = await api.remember("The deploy script is called ship.sh.")
        status, shared = await api.call("POST", f"{tea}/shares", {"to": BOB})
        assert (status, shared["to"], shared["rights"], shared["given"]) == (200, BOB, "read", True)
        assert (await api.get(f"{tea}/shares"))["results"] == [shared]
        [given] = (await api.get("shares?user_id=bob"))["results"]
        assert (given["memory_id"], given["given"]) == (tea, False)
        found = await api.get("search?q=deploy+script&user_id=bob")
        assert [each["id"] for each in found["results"]] == [tea]
        assert found["results"][0]["user_id"] == "bob"
        status, gone = await api.call("DELETE", f"{tea}/shares?to_user_id=bob")
        assert (status, gone) == (200, {"detached": tea})
        found = await api.get("search?q=deploy+script&user_id=bob")
        assert found["results"] == []
        assert (await api.call("DELETE", f"{tea}/shares?to_user_id=bob"))[0] == 404


async def test_what_cannot_be_shared_is_said() -> None:
    """With the field by its name."""
    async with Calling() as api:
        [tea] = await api.remember("The deploy script is called ship.sh.")
        for body, status, said in (
            ({}, 400, "to: expected"),
            ({"to": {}}, 400, "to: expected an object with some of user_id"),
            ({"to": {"team": "red"}}, 400, "to: expected"),
            ({"to": BOB, "rights": "own"}, 400, "rights: expected one of"),
            ({"to": BOB, "with": "x"}, 400, "with"),
        ):
            found, told = await api.call("POST", f"{tea}/shares", body)
            assert (found, said in told["detail"]) == (status, True), (body, told)
        assert (await api.call("POST", "no-such-id/shares", {"to": BOB}))[0] == 404
        assert (await api.call("DELETE", f"{tea}/shares"))[0] == 400
        assert (await api.get(f"{tea}/shares"))["results"] == []
