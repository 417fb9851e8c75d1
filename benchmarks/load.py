"""Processes, load and numbers shared by the benchmarks."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
IDLE_CPU = 0.003
"""Seconds of CPU in a tenth of a second below which a server counts as idle."""
LONGEST_AFTERMATH = 5.0
LOOK_SECONDS = 5.0
"""How long it is taken for known which processes work for a server: finding them takes a while."""
_FOLDER = "RECOLLECT_DATA_DIR"


def unit() -> float:
    """Seconds of processor time of one unit."""
    times = []
    for _ in range(5):
        begun = time.process_time()
        sum(i * i % 7 for i in range(400_000))
        times.append(time.process_time() - begun)
    return min(times)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Script:
    """A helper process that prints ``READY port``."""

    def __init__(self, name: str, *arguments: str) -> None:
        command = [sys.executable, str(ROOT / "benchmarks" / name), *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for us, and we stop it
        )
        assert self.process.stdout is not None
        self.url = f"http://127.0.0.1:{self.process.stdout.readline().split()[1]}"

    def stop(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()


class Served:
    """`recollect serve` with settings by environment, from this checkout or that of `root`."""

    def __init__(
        self, data_dir: Path, port: int, *, root: Path | None = None, **settings: Any
    ) -> None:
        self.url = f"http://127.0.0.1:{port}"
        environ = {k: v for k, v in os.environ.items() if not k.startswith("RECOLLECT_")}
        environ |= {
            "RECOLLECT_DATA_DIR": str(data_dir),
            "RECOLLECT_LISTEN__PORT": str(port),
            "RECOLLECT_EMBEDDER__MODEL_DIR": str(Path("~/.recollect/models").expanduser()),
            "RECOLLECT_TELEMETRY__LOG_LEVEL": "warning",
            **{f"RECOLLECT_{k.upper()}": str(v) for k, v in settings.items()},
        }
        stop_on_signals()
        started = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "recollect", "serve"],
            cwd=root or ROOT,
            env=environ,
            start_new_session=True,
        )
        try:
            self._wait()
        except BaseException:
            self.process.kill()
            raise
        self.ready_seconds = time.monotonic() - started

    def _wait(self) -> None:
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/readyz", timeout=5).close()
            except OSError:
                if self.process.poll() is not None:
                    raise SystemExit("the product did not start") from None
                time.sleep(0.01)
            else:
                return

    def stop(self) -> None:
        """SIGTERM, and the end if that takes too long."""
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def stop_on_signals() -> None:
    """Let what was started be stopped, whoever ends us: signals become exceptions."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also in a shell's background
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: sys.exit(128 + received))


def cpu_seconds(pid: int, *, children: bool = True) -> float:
    """User and system time of a process and, if wanted, of all that it started."""
    return sum(_cpu_of(p) for p in (_family(pid) if children else [psutil.Process(pid)]))


def _family(pid: int) -> list[psutil.Process]:
    """A process, those below it, and those that left it and work for it: an embedded index."""
    process = psutil.Process(pid)
    family = {each.pid: each for each in [process, *process.children(recursive=True)]}
    for each in _alike(pid, int(time.monotonic() / LOOK_SECONDS)):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has ended since
            family.setdefault(each, psutil.Process(each))
    return list(family.values())


@lru_cache(maxsize=64)
def _alike(pid: int, _when: int) -> list[int]:
    """Those that were started with the same folder of data in their environment."""
    folder = psutil.Process(pid).environ().get(_FOLDER)
    told = {each.pid: each.info["environ"] or {} for each in psutil.process_iter(["environ"])}
    return [other for other, environ in told.items() if folder and environ.get(_FOLDER) == folder]


def _cpu_of(process: psutil.Process) -> float:
    if sys.platform == "linux":
        # The CPU clock of another process (clock_getcpuclockid(3)), in nanoseconds; what psutil
        # reads counts in steps of 10 ms, a tenth of a round.
        return time.clock_gettime(~process.pid << 3 | 2)
    return sum(process.cpu_times()[:2])


async def quiet(pid: int) -> None:
    """Wait until a server has done what calls left behind: it is theirs, not the next ones'."""
    until = time.monotonic() + LONGEST_AFTERMATH
    before = cpu_seconds(pid)
    while time.monotonic() < until:
        await asyncio.sleep(0.1)
        now = cpu_seconds(pid)
        if now - before < IDLE_CPU:
            return
        before = now


def rss_mb(pid: int) -> dict[str, float]:
    """Resident memory of a process and of all that it started, by command (MB)."""
    found: dict[str, float] = {}
    for p in _family(pid):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has ended since
            words = p.cmdline()
            name = next((w for w in words[1:] if not w.startswith("-")), words[0] if words else "?")
            found[f"{p.pid} {Path(name).name}"] = round(p.memory_info().rss / 2**20, 1)
    return found


@dataclass(slots=True)
class Sample:
    """Latencies of one round (seconds), and the CPU the server spent on it."""

    latencies: list[float]
    cpu: float


async def fire(
    url: str, path: str, bodies: Sequence[bytes], *, connections: int, headers: str = ""
) -> list[float]:
    """Send every body once, spread over keep-alive connections; return the latencies (seconds)."""
    host, port = url.removeprefix("http://").split(":")
    queue = list(reversed(bodies))
    latencies: list[float] = []

    async def client() -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        while queue:
            request = post(url, path, queue.pop(), headers)
            started = time.perf_counter()
            writer.write(request)
            await _read_answer(reader)
            latencies.append(time.perf_counter() - started)
        writer.close()

    await asyncio.gather(*(client() for _ in range(connections)))
    return latencies


def post(url: str, path: str, body: bytes, headers: str = "") -> bytes:
    """The bytes of a request, of JSON unless the `headers`, whole lines, say otherwise."""
    kind = "" if "Content-Type:" in headers else "Content-Type: application/json\r\n"
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {url.removeprefix('http://')}\r\n"
        f"Authorization: Bearer sk-mock\r\n"
        f"{kind}{headers}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _read_answer(reader: asyncio.StreamReader) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if b" 200 " not in head.split(b"\r\n", 1)[0]:
        raise SystemExit(f"not a success: {head[:200]!r}")
    if b"transfer-encoding: chunked" in head:
        while (size := int(await reader.readline(), 16)) > 0:
            await reader.readexactly(size + 2)
        await reader.readexactly(2)
        return
    length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
    await reader.readexactly(length)


async def outcome(url: str, path: str, body: bytes) -> str:
    """What a request tells of its memory: `x-recollect-memory`, or nothing."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(post(url, path, body))
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    writer.close()
    return head.partition("x-recollect-memory:")[2].partition("\r\n")[0].strip()


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of them lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def median(values: Sequence[float]) -> float:
    """The middle."""
    return statistics.median(values)


def write_json(name: str, result: Any) -> Path:
    """Keep a result beside the others."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(result, indent=2) + "\n")
    return path
