"""The real Milvus 2.3.5 of the `milvus` wheel, as a process."""

from __future__ import annotations

import contextlib
import importlib.util
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.ports import free_ports
from tests.support.waiting import HANG_SECONDS

# In a process of its own: the wheel warns, prints, and stops its server in `__del__`.
# Its embedded etcd listens on 2379 and 2380 unless a file says otherwise, so that two runs on one
# machine would wait for each other.
# Unpacking its libraries takes as long as its start: they stay where the wheel is installed.
SERVER = """
import contextlib, fcntl, signal, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
from milvus import _initialize_data_files, default_server

folder, ports = Path(sys.argv[1]), [*map(int, sys.argv[2:])]
with contextlib.suppress(OSError):
    kept = Path(sys.prefix) / ".milvus"
    kept.mkdir(exist_ok=True)
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _initialize_data_files(str(kept))
    (folder / "bin").symlink_to(kept / "bin")
milvus_port, client_port, peer_port, metrics_port = ports
client, peer = (f"http://localhost:{port}" for port in (client_port, peer_port))
(folder / "etcd.yaml").write_text(
    f"name: default\\nlisten-client-urls: {client}\\nadvertise-client-urls: {client}\\n"
    f"listen-peer-urls: {peer}\\ninitial-advertise-peer-urls: {peer}\\n"
    f"initial-cluster: default={peer}\\n"
)
config = default_server.config
config.template_text = config.template_text.replace(
    "etcd:\\n", f"etcd:\\n  config:\\n    path: {folder / 'etcd.yaml'}\\n", 1
)
config.configs.update(proxy_port=milvus_port, etcd_port=client_port)
default_server.set_base_dir(str(folder))
default_server.webservice_port = metrics_port
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
try:
    default_server.start()
    print(f"http://127.0.0.1:{default_server.listen_port}", flush=True)
    sys.stdin.read()
finally:
    default_server.stop()
"""


def there_is_one() -> bool:
    """Whether the wheel is installed."""
    return importlib.util.find_spec("milvus") is not None


@contextlib.contextmanager
def milvus_server(folder: Path) -> Iterator[tuple[str, str]]:
    """Its address, and the URL where it tells its metrics."""
    folder.mkdir(parents=True, exist_ok=True)
    ports = [str(port) for port in free_ports(4)]
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(folder), *ports],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        ready, _, _ = select.select([process.stdout], [], [], HANG_SECONDS)
        address = process.stdout.readline().strip() if ready else ""
        if not address:
            # Not killed: it would leave the server behind.
            process.terminate()
            raise RuntimeError("no address")
        yield address, f"http://127.0.0.1:{ports[-1]}/metrics"
        process.stdin.close()
