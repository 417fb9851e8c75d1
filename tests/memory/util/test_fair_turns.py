"""Turns by owner: who asks for much waits behind himself."""

from __future__ import annotations

import asyncio

from recollect.memory.util.fair_turns import FairPlaces, FairTurns


async def test_a_free_place_goes_to_each_owner_in_turn() -> None:
    places, order = FairPlaces(1), list[str]()

    async def work(owner: str) -> None:
        await places.take(owner)
        order.append(owner)
        await asyncio.sleep(0)
        places.give_back()

    async with asyncio.TaskGroup() as group:
        for owner in ["flood"] * 5 + ["neighbour"] * 2:
            group.create_task(work(owner))
    assert order[:5] == ["flood", "flood", "neighbour", "flood", "neighbour"]
    assert places.take_free()


async def test_a_waiter_that_leaves_takes_no_place_with_it() -> None:
    places = FairPlaces(1)
    assert places.take_free()
    left, stays = (asyncio.ensure_future(places.take(name)) for name in ("left", "stays"))
    await asyncio.sleep(0)
    left.cancel()
    places.give_back()
    await stays
    assert not places.take_free()
    places.give_back()
    assert places.take_free()


async def test_a_place_that_came_too_late_is_given_on() -> None:
    """It was handed over in the moment in which its waiter was cancelled."""
    places = FairPlaces(1)
    assert places.take_free()
    late = asyncio.ensure_future(places.take("late"))
    await asyncio.sleep(0)
    places.give_back()
    late.cancel()
    await asyncio.wait([late])
    assert late.cancelled()
    assert places.take_free()


async def test_one_step_begins_in_a_round_of_the_loop() -> None:
    """What has nothing to do with the flood runs between any two of its steps."""
    turns, begun, seen = FairTurns(), 0, list[int]()

    async def step() -> None:
        nonlocal begun
        await turns("flood")
        begun += 1

    steps = [asyncio.ensure_future(step()) for _ in range(20)]
    while begun < len(steps):
        await asyncio.sleep(0)
        seen.append(begun)
    assert all(after - before <= 1 for before, after in zip([0, *seen], seen, strict=False))


async def test_who_comes_last_is_next_if_the_others_are_one() -> None:
    turns, order = FairTurns(), list[str]()

    async def step(owner: str) -> None:
        await turns(owner)
        order.append(owner)

    flood = [asyncio.ensure_future(step("flood")) for _ in range(50)]
    await asyncio.sleep(0)
    await step("neighbour")
    assert order.count("flood") <= 3
    await asyncio.gather(*flood)
    assert len(order) == 51


async def test_a_flood_rests_for_others_and_for_nobody_else() -> None:
    """With nobody there its steps follow each other; else others have the loop between them."""
    spent = 0.0
    turns, rounds = FairTurns(clock=lambda: spent), 0

    async def step(owner: str) -> None:
        nonlocal spent
        await turns(owner)
        spent += 0.01

    async def count() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            await asyncio.sleep(0)

    counting = asyncio.ensure_future(count())
    await asyncio.gather(*(step("flood") for _ in range(5)))
    alone, rounds = rounds, 0
    await step("neighbour")
    await asyncio.gather(*(step("flood") for _ in range(5)))
    counting.cancel()
    assert rounds > 2 * alone


async def test_nobody_waits_for_another_ones_rest() -> None:
    spent, order = 0.0, list[str]()
    turns = FairTurns(clock=lambda: spent)

    async def step(owner: str) -> None:
        nonlocal spent
        await turns(owner)
        order.append(owner)
        spent += 1.0

    await step("neighbour")
    flood = [asyncio.ensure_future(step("flood")) for _ in range(3)]
    while order.count("flood") < 1:
        await asyncio.sleep(0)
    for _ in range(5):
        await asyncio.sleep(0)
    before = len(order)
    await asyncio.gather(step("neighbour"), step("another"))
    assert order[before : before + 2] == ["neighbour", "another"]
    await asyncio.gather(*flood)
