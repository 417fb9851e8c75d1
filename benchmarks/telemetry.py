"""What telemetry costs: CPU of a request with spans and a scraped port, against neither, in pairs.

    python benchmarks/telemetry.py [--quick]

Two products run before the same mock; of each pair of rounds both halves have the same neighbours.
CPU is the user and system time of the product's processes, with what its exporter does. Prints a
table and writes benchmarks/results/telemetry.json.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent / "overhead"))
sys.path.append(str(Path(__file__).resolve().parent))
sys.path.append(str(Path(__file__).resolve().parent.parent))

from bodies import Bodies, fill
from closed_loop import cpu_per_request, paired_ratio
from contestants import Contestant
from cost import free_port
from load import Script, Served, median, stop_on_signals, write_json

USERS = 20
SCRAPE_SECONDS = 5.0
"""Three times as often as Prometheus does by default."""
MOST_PERCENT = 10.0
KINDS = {"gate skip": False, "recall": True}
"""Whether the requests are about the user."""


class _Sink(BaseHTTPRequestHandler):
    """A collector that reads and forgets."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def collector() -> Iterator[str]:
    """Its address, within the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Sink)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def scraping(url: str) -> Iterator[None]:
    """Scrape it every `SCRAPE_SECONDS` within the block."""
    ended = threading.Event()

    def scrape() -> None:
        while not ended.wait(SCRAPE_SECONDS):
            urllib.request.urlopen(url, timeout=30).read()

    thread = threading.Thread(target=scrape)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def served(stack: ExitStack, folder: Path, upstream: str, **settings: object) -> Served:
    """A product that learns nothing meanwhile."""
    product = Served(
        folder,
        free_port(),
        upstream__base_url=f"{upstream}/v1",
        learn__idle_seconds=100_000,
        learn__every_turns=1000,
        telemetry__log_level="error",
        **settings,
    )
    stack.callback(product.stop)
    return product


async def measure(products: dict[str, Served], *, rounds: int, requests: int) -> dict[str, object]:
    """Milliseconds of CPU per request by kind, and by how much telemetry adds to them."""
    for product in products.values():
        await fill(product.url, USERS)
    found: dict[str, object] = {}
    for kind, personal in KINDS.items():
        rows = [
            Contestant(
                name,
                product.url,
                product.process.pid,
                Bodies(personal=personal, users=USERS),
                slowness=5 if personal else 1,
            )
            for name, product in products.items()
        ]
        seen = await cpu_per_request(rows, size="1 KB", rounds=rounds, requests=requests)
        added = (paired_ratio(seen["on"], seen["off"]) - 1) * 100
        found[kind] = {name: median(each) for name, each in seen.items()} | {"percent": added}
        print(
            f"{kind:10} off {median(seen['off']):.3f} ms, on {median(seen['on']):.3f} ms: "
            f"{added:+.1f} % (at most {MOST_PERCENT:.0f} %)",
            flush=True,
        )
    return found


def main() -> None:
    stop_on_signals()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    quick = parser.parse_args().quick
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-")))
        mock = Script("mock_upstream.py")
        stack.callback(mock.stop)
        endpoint, port = stack.enter_context(collector()), free_port()
        on = {"telemetry__otlp_endpoint": endpoint, "telemetry__metrics__port": port}
        products = {
            "off": served(stack, folder / "off", mock.url, telemetry__metrics__port=0),
            "on": served(stack, folder / "on", mock.url, **on),
        }
        stack.enter_context(scraping(f"http://127.0.0.1:{port}/metrics"))
        rounds, requests = (3, 300) if quick else (11, 1000)
        result = asyncio.run(measure(products, rounds=rounds, requests=requests))
    write_json("telemetry", result)


if __name__ == "__main__":
    main()
