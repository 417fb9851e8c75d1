"""Run a command as on a machine that is so many times slower: stopped and continued in cycles.

    python benchmarks/slowed.py --times 10 -- make test

In every cycle of a tenth of a second the command and everything it has started run for a share of
it and are stopped (SIGSTOP) for the rest. Prints how long it took in all and in units (the time of
`sum(i * i % 7 for i in range(400_000))` in plain Python, unslowed), and exits as the command does.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import subprocess
import sys
import time

import psutil

CYCLE_SECONDS = 0.1


def unit() -> float:
    """Seconds of processor time of one unit."""
    times = []
    for _ in range(5):
        begun = time.process_time()
        sum(i * i % 7 for i in range(400_000))
        times.append(time.process_time() - begun)
    return min(times)


def signal_all(root: psutil.Process, known: set[int], number: signal.Signals) -> None:
    """Tell the command and all it has started, also those whose parents are gone."""
    with contextlib.suppress(psutil.Error):
        known |= {child.pid for child in root.children(recursive=True)}
    for pid in [root.pid, *known]:
        with contextlib.suppress(psutil.Error):
            psutil.Process(pid).send_signal(number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--times", type=float, default=10, help="how much slower")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    one = unit()
    begun = time.monotonic()
    process = subprocess.Popen(command)
    root, known = psutil.Process(process.pid), set[int]()
    while process.poll() is None:
        time.sleep(CYCLE_SECONDS / options.times)
        signal_all(root, known, signal.SIGSTOP)
        time.sleep(CYCLE_SECONDS * (1 - 1 / options.times))
        signal_all(root, known, signal.SIGCONT)
    seconds = time.monotonic() - begun
    print(f"{seconds:.0f} s, {seconds / one:.0f} units of {one * 1000:.0f} ms", flush=True)
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
