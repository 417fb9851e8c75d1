"""The real Milvus 2.3.5 of the `milvus` wheel (Linux on x86-64), in a folder and on ports of ours.

`Server` starts this file as a process of its own: the wheel warns, prints, and stops its server
when it is collected.
"""

from __future__ import annotations

import importlib.util
import select
import subprocess
import sys
import time
import warnings
from pathlib import Path

import psutil

START_SECONDS = 180.0
STOP_SECONDS = 60.0


class Server:
    """A server that runs until `stop`."""

    def __init__(self, folder: Path) -> None:
        from cost import free_port  # not on the path of the child

        ports = [str(free_port()) for _ in range(3)]
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(folder), *ports],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Ctrl-C is for us, and we stop it
        )
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
        self.url = self.process.stdout.readline().strip() if ready else ""
        if not self.url:
            self.stop()
            raise SystemExit("the Milvus server did not start")

    def freeze(self, seconds: float) -> None:
        """Let nothing of it run for a while: nobody answers, and connections stay.

        It cannot be stopped and started instead: the wheel refuses ports that were in use a minute
        ago.
        """
        family = psutil.Process(self.process.pid).children(recursive=True)
        for each in family:
            each.suspend()
        try:
            time.sleep(seconds)
        finally:
            for each in family:
                each.resume()

    def stop(self) -> None:
        """End it and all below it."""
        try:
            family = psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for child in family:
            if child.is_running():
                child.kill()
        # Its ports and its lock are free only then.
        psutil.wait_procs(family, STOP_SECONDS)


def available() -> bool:
    """Whether the wheel is installed."""
    return importlib.util.find_spec("milvus") is not None


def serve(folder: Path, milvus_port: int, client_port: int, peer_port: int) -> None:
    """Print the address and serve until our input ends.

    Its embedded etcd listens on 2379 and 2380 unless a file says otherwise, so that two servers on
    one machine would wait for each other.
    """
    warnings.simplefilter("ignore")
    from milvus import default_server

    client, peer = (f"http://localhost:{port}" for port in (client_port, peer_port))
    (folder / "etcd.yaml").write_text(
        f"name: default\nlisten-client-urls: {client}\nadvertise-client-urls: {client}\n"
        f"listen-peer-urls: {peer}\ninitial-advertise-peer-urls: {peer}\n"
        f"initial-cluster: default={peer}\n"
    )
    config = default_server.config
    config.template_text = config.template_text.replace(
        "etcd:\n", f"etcd:\n  config:\n    path: {folder / 'etcd.yaml'}\n", 1
    )
    config.configs.update(proxy_port=milvus_port, etcd_port=client_port)
    default_server.set_base_dir(str(folder))
    try:
        default_server.start()
        print(f"http://127.0.0.1:{default_server.listen_port}", flush=True)
        sys.stdin.read()
    finally:
        default_server.stop()


if __name__ == "__main__":
    serve(Path(sys.argv[1]), *map(int, sys.argv[2:]))
