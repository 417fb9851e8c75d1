"""Who is measured: started one by one in front of the same mock upstream, and stopped for sure."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import peers
import psutil
from bodies import Bodies
from load import Script, Served, free_port

CHAT = "/v1/chat/completions"
START_SECONDS = 90
DIRECT, BARE, NGINX = "direct", "bare relay", "nginx"
PASS, SKIP, RECALL = "ours, pass-through", "ours, gate skip", "ours, recall"
PORTKEY, LITELLM = "Portkey", "LiteLLM"


@dataclass(frozen=True)
class Contestant:
    """One row of the table."""

    name: str
    url: str
    pid: int
    """Its processes are this one and all below it."""
    bodies: Bodies = field(default_factory=lambda: Bodies(personal=False))
    path: str = CHAT
    headers: str = ""
    """Whole lines."""
    slowness: int = 1
    """By how much fewer requests it gets, so that a run ends in time."""


class Field:
    """All contestants that can be had."""

    def __init__(self, stack: ExitStack, *, users: int, with_peers: bool) -> None:
        self._stack = stack
        self._users = users
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-")))
        self.versions: dict[str, str] = {}
        self.mock = Script("mock_upstream.py")
        stack.callback(self.mock.stop)
        self.rows = [Contestant(DIRECT, self.mock.url, self.mock.process.pid), self._bare()]
        self.ours = self._served()
        self.rows += self._ours()
        for start in (self._nginx, self._portkey, self._litellm) if with_peers else ():
            self._try(start)

    def _bare(self) -> Contestant:
        bare = Script("bare_relay.py", self.mock.url)
        self._stack.callback(bare.stop)
        return Contestant(BARE, bare.url, bare.process.pid)

    def _served(self) -> Served:
        print("starting Recollect", flush=True)
        served = Served(
            self.folder / "data",
            free_port(),
            upstream__base_url=f"{self.mock.url}/v1",
            # What learning costs is not measured here: it comes after the answer.
            learn__idle_seconds=100_000,
            learn__every_turns=1000,
            telemetry__log_level="error",  # what is given up under load is counted, not read
        )
        self._stack.callback(served.stop)
        return served

    def _ours(self) -> list[Contestant]:
        url, pid = self.ours.url, self.ours.process.pid
        personal = Bodies(personal=True, users=self._users)
        return [
            Contestant(PASS, url, pid, path="/v1/embeddings"),
            Contestant(SKIP, url, pid),
            Contestant(RECALL, url, pid, personal, slowness=10),
        ]

    def _try(self, start: Callable[[], Contestant]) -> None:
        try:
            self.rows.append(start())
        except peers.UnavailableError as error:
            print(f"{start.__name__.strip('_')} is left out: {error}", flush=True)

    def _nginx(self) -> Contestant:
        binary, port = peers.nginx(), free_port()
        configuration = self.folder / "nginx.conf"
        configuration.write_text(nginx_configuration(self.mock.url, port, self.folder))
        command = [str(binary), "-p", str(self.folder), "-c", str(configuration)]
        process = self._spawn(NGINX, command, f"http://127.0.0.1:{port}/")
        return Contestant(NGINX, f"http://127.0.0.1:{port}", process.pid)

    def _portkey(self) -> Contestant:
        (node, loopback, start), port = peers.portkey(), free_port()
        self.versions[PORTKEY] = peers.PORTKEY["@portkey-ai/gateway"]
        command = [str(node), "-r", str(loopback), str(start), "--headless", f"--port={port}"]
        url = f"http://127.0.0.1:{port}"
        process = self._spawn(PORTKEY, command, url, NODE_ENV="production")
        headers = f"x-portkey-provider: openai\r\nx-portkey-custom-host: {self.mock.url}/v1\r\n"
        return Contestant(PORTKEY, url, process.pid, headers=headers, slowness=5)

    def _litellm(self) -> Contestant:
        binary, port = peers.litellm(), free_port()
        self.versions[LITELLM] = peers.LITELLM
        configuration = self.folder / "litellm.yaml"
        configuration.write_text(litellm_configuration(self.mock.url))
        url = f"http://127.0.0.1:{port}"
        command = [str(binary), "--config", str(configuration), "--host", "127.0.0.1"]
        command += ["--port", str(port), "--num_workers", "1"]
        process = self._spawn(
            LITELLM,
            command,
            f"{url}/health/readiness",
            LITELLM_MASTER_KEY="sk-mock",
            LITELLM_LOCAL_MODEL_COST_MAP="True",
            LITELLM_MODE="PRODUCTION",
            LITELLM_LOG="ERROR",
            LITELLM_TELEMETRY="False",
        )
        return Contestant(LITELLM, url, process.pid, slowness=20)

    def _spawn(
        self, name: str, command: list[str], probe: str, **environ: str
    ) -> subprocess.Popen[bytes]:
        """A peer that answers.

        Raises:
            UnavailableError: it does not start; with the last it said.
        """
        print(f"starting {name}", flush=True)
        log = self.folder / f"{name}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=os.environ | environ,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,  # Ctrl-C is for us, and we stop it
            )
        self._stack.callback(stop_family, process)
        if not _answers(probe, process):
            said = log.read_text(errors="replace").strip().splitlines()[-5:]
            raise peers.UnavailableError("it does not start: " + " | ".join(said))
        return process


def nginx_configuration(upstream: str, port: int, folder: Path) -> str:
    """One worker, streams unbuffered, connections to the upstream kept."""
    temporary = "\n".join(
        f"  {kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"""\
{"user root;" if os.geteuid() == 0 else ""}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr error;
events {{ worker_connections 4096; }}
http {{
{temporary}
  access_log off;
  client_max_body_size 0;
  client_body_buffer_size 1m;
  keepalive_requests 1000000;
  upstream mock {{
    server {upstream.removeprefix("http://")};
    keepalive 256;
    keepalive_requests 1000000;
  }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://mock;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }}
  }}
}}
"""


def litellm_configuration(upstream: str) -> str:
    """One model, no retries, nothing reported to anyone."""
    return f"""\
model_list:
  - model_name: mock
    litellm_params: {{model: openai/mock, api_base: "{upstream}/v1", api_key: sk-mock}}
general_settings: {{master_key: os.environ/LITELLM_MASTER_KEY}}
litellm_settings: {{num_retries: 0, telemetry: false}}
"""


def stop_family(process: subprocess.Popen[bytes]) -> None:
    """End a process and all below it."""
    family = []
    if process.poll() is None:
        family = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for child in family:
        if child.is_running():
            child.kill()


def _answers(url: str, process: subprocess.Popen[bytes]) -> bool:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except urllib.error.HTTPError:
            return True
        except OSError:
            time.sleep(0.1)
        else:
            return True
    return False
