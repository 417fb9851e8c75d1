"""What the Python programs share: the texts they say, and a line of JSON for each step."""

import asyncio
import inspect
import json
import os
import sys
import traceback

STORY = json.loads(os.environ["STORY"])
"""The texts by step, `user`, `stranger` and `model`."""
USER, STRANGER, MODEL = STORY["user"], STORY["stranger"], STORY["model"]
THEN = STORY["then"]
"""What the user says after the answer to the first step, in the same conversation."""
WEATHER = "Sunny at {place}"


def run(*steps):
    """Do the steps that the arguments name; each is a function that returns the answer's text."""
    known = {step.__name__: step for step in steps}
    print("STEP", json.dumps({"steps": list(known)}), flush=True)
    asyncio.run(_run([known[name] for name in sys.argv[1:]]))


async def _run(steps):
    for step in steps:
        try:
            answer = step(STORY["texts"][step.__name__])
            seen = {"answer": await answer if inspect.isawaitable(answer) else answer}
        except Exception:  # noqa: BLE001 - whatever a client raises is its answer
            seen = {"error": traceback.format_exc()}
        print("STEP", json.dumps({"step": step.__name__, **seen}), flush=True)
