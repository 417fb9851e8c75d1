"""Forks a process for each line it reads: imports are paid once, and killing is real.

In: a JSON object (`stage.Spec`) on a line. Out: ``ok``, or the exit status, negative for a signal.
"""

from __future__ import annotations

import json
import os
import sys
import traceback

from tests.crash.stage import Spec, quiet, run


def main() -> None:
    import milvus_lite  # noqa: F401 - imported before the forks, as costly as all others
    import pymilvus  # noqa: F401
    import redis.asyncio  # noqa: F401

    quiet()
    print("ready", flush=True)
    for line in sys.stdin:
        spec = Spec(**json.loads(line))
        child = os.fork()
        if child == 0:
            _child(spec)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        print("ok" if code == 0 else code, flush=True)


def _child(spec: Spec) -> None:
    try:
        run(spec)
    except BaseException:  # noqa: BLE001 - the parent is told by the exit status
        with open(f"{spec.folder}/error", "w") as file:  # noqa: PTH123
            traceback.print_exc(file=file)
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    main()
