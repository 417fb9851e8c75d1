"""Which sockets a process has, looked at again and again."""

from __future__ import annotations

import threading

import psutil


class Watcher:
    """Looks at the sockets of a process and its children, and notes what leaves this machine.

    A name look-up is a datagram socket, a report a stream to somewhere else than loopback; both
    stand for longer than the time between two looks where nobody answers.
    """

    def __init__(self, pid: int, every: float = 0.01) -> None:
        self.seen: set[str] = set()
        self.looks = 0
        self._every = every
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, args=(pid,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self, pid: int) -> None:
        while not self._ended.wait(self._every):
            try:
                root = psutil.Process(pid)
                for process in (root, *root.children(recursive=True)):
                    self._look(process)
            except psutil.Error:
                continue
            self.looks += 1

    def _look(self, process: psutil.Process) -> None:
        for found in process.net_connections(kind="inet"):
            if found.raddr and not found.raddr.ip.startswith(("127.", "::1", "::ffff:127.")):
                self.seen.add(f"{found.type.name} to {found.raddr.ip}:{found.raddr.port}")
