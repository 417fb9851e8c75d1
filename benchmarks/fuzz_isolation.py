"""Whether anybody crosses a border: random requests with every kind of credential.

    python benchmarks/fuzz_isolation.py [--steps 5000] [--seed N]

For each mode of `identity.mode`, every kind of credential (none, wrong, expired, forged, of a user,
of a tenant, of an operator) asks every operation, and every tool at `/mcp`, for memories, blocks,
conversations and attachments of anybody, with ids of anybody. What comes back is searched for words
of others that are not attached to who asks, and what is stored of others is compared before and
after. Then chats with several credentials, of which the model server judges one, ask for the
memories of a key that it takes no more, and tokens of the server are put anywhere into requests:
none may get to the model server. Prints the figures and writes
benchmarks/results/fuzz_isolation.json. Exits with 1 after the first leak.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from recollect.proxy.api.tables import ALL  # noqa: E402 - the script runs without an installation
from tests.isolation.belongings import endow  # noqa: E402
from tests.isolation.credentials import NOT_YET, Kept  # noqa: E402
from tests.isolation.ears import LeakError  # noqa: E402
from tests.isolation.gateway import Gateway, clients  # noqa: E402
from tests.isolation.presenting import Judging, Presenter  # noqa: E402
from tests.isolation.requesting import fill  # noqa: E402
from tests.isolation.wandering import Wanderer  # noqa: E402

MODES = ("gateway", "jwt", "header")
REFILL = 40
"""Steps after which there are memories again to ask for."""
RESULT = ROOT / "benchmarks" / "results" / "fuzz_isolation.json"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--steps", type=int, default=5_000, help="of each mode")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    result: dict[str, Any] = {"seed": options.seed, "leaks": 0}
    for world, mode in enumerate(MODES):
        try:
            result[mode] = asyncio.run(_wander(mode, world, options.steps, options.seed))
        except (LeakError, AssertionError) as error:
            result["leaks"], result[mode] = 1, str(error)
        print(mode, json.dumps(result[mode]), flush=True)
    try:
        result["presented"] = asyncio.run(_present(options.steps, options.seed))
    except LeakError as error:
        result["leaks"], result["presented"] = 1, str(error)
    print("presented", json.dumps(result["presented"]), flush=True)
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print("leaks:", result["leaks"])
    return int(result["leaks"] > 0)


async def _wander(mode: str, world: int, steps: int, seed: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        kept = Kept(Path(folder))
        credentials = [each for each in kept.credentials() if each.mode == mode]
        people = clients(900_000 + world, ("alice", "bob"))
        async with Gateway(people, **kept.flags(mode)) as gateway:
            for credential in credentials:
                if credential.accepted:
                    gateway.accept(credential.tenant)
            wanderer = Wanderer(gateway, [each for each in ALL if not each.endless], seed)
            for turn in range(steps):
                if turn % REFILL == 0:
                    await endow(gateway, await fill(gateway, fresh=False))
                credential = credentials[turn % len(credentials)]
                # The same keys are accepted under another name.
                if credential.name not in NOT_YET:
                    await wanderer.step(credential)
            statuses = {str(status): count for status, count in sorted(wanderer.statuses.items())}
            return {
                "steps": wanderer.steps,
                "credentials": len(credentials),
                "statuses": statuses,
                "kinds": dict(sorted(wanderer.kinds.items())),
                "done": dict(sorted(wanderer.done.items())),
            }


async def _present(steps: int, seed: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        people = clients(990_000, ("alice", "bob"))
        async with Judging(people, **Kept(Path(folder)).flags("gateway")) as gateway:
            await fill(gateway)
            presenter = Presenter(gateway, seed)
            for turn in range(steps):
                await (presenter.misplace() if turn % 2 else presenter.present())
            statuses = {str(status): count for status, count in sorted(presenter.statuses.items())}
            return {"steps": steps, "statuses": statuses}


if __name__ == "__main__":
    sys.exit(main())
