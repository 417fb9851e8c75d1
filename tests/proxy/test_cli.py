"""The `recollect` command."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from proxy.cli import main
from tests.support.ports import free_port
from tests.support.product import ROOT, clean_environ


@pytest.fixture(autouse=True)
def environ(monkeypatch, tmp_path):
    """No setting of this machine; a data folder of the test's own."""
    for name in list(os.environ):
        if name.startswith("RECOLLECT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("RECOLLECT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER__BACKEND", "fake")
    monkeypatch.setenv("RECOLLECT_STORE__BACKEND", "inmemory")
    return monkeypatch


@pytest.fixture
def server():
    """A server that answers every path with the status that `status` holds."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.paths.append(self.path)
            body = json.dumps({"status": "ok"}).encode()
            self.send_response(self.server.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as httpd:
        httpd.status, httpd.paths = 200, []
        thread = threading.Thread(target=httpd.serve_forever)
        thread.start()
        yield httpd
        httpd.shutdown()
        thread.join()


@pytest.mark.parametrize("command", [["serve"], ["check"], ["health"], ["models", "fetch"]])
def test_a_bad_configuration_names_the_key(environ, capsys, command):
    """Every command ends with status 2 and says which key is wrong."""
    environ.setenv("RECOLLECT_LISTEN__PORT", "a lot")
    assert main(command) == 2
    assert "listen.port" in capsys.readouterr().err


def test_flags_override(environ, capsys):
    """A flag is validated like every other source, and wins."""
    environ.setenv("RECOLLECT_LISTEN__PORT", "1")
    assert main(["serve", "--port", "70000"]) == 2
    assert "listen.port" in capsys.readouterr().err
    assert main(["serve", "--upstream", "http://127.0.0.1:8787/v1", "--port", "8787"]) == 2
    assert "upstream.base_url" in capsys.readouterr().err
    assert main(["serve", "--host", "0.0.0.0"]) == 2
    assert "api.token" in capsys.readouterr().err


def test_a_missing_file_is_named(capsys, tmp_path):
    """`--config` with a path that is not there."""
    assert main(["check", "--config", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml" in capsys.readouterr().err


def test_a_bad_file_names_the_key(capsys, tmp_path):
    """An unknown key in the file ends the start."""
    path = tmp_path / "c.yaml"
    path.write_text("recall: {dead_line: 5}")
    assert main(["check", "--config", str(path)]) == 2
    assert "recall.dead_line" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [[], ["nonsense"], ["models"], ["models", "drop"], ["serve", "--port", "x"]]
)
def test_a_wrong_call_is_status_2(arguments, capsys):
    """The usage is shown."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_version(capsys):
    """`--version` is one line and needs no configuration."""
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_help_names_every_command(capsys):
    """What can be done is told."""
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("serve", "check", "health", "models"))


@pytest.mark.parametrize(
    ("arguments", "path"), [(["health"], "/readyz"), (["health", "--live"], "/healthz")]
)
def test_health(environ, capsys, server, arguments, path):
    """Status 0 while the proxy answers 200, and its answer is shown."""
    environ.setenv("RECOLLECT_LISTEN__PORT", str(server.server_port))
    assert main(arguments) == 0
    assert server.paths == [path]
    assert json.loads(capsys.readouterr().out) == {"status": "ok"}


def test_health_asks_this_machine_when_bound_to_all(environ, server):
    """A server on every address is asked on loopback."""
    environ.setenv("RECOLLECT_LISTEN__PORT", str(server.server_port))
    environ.setenv("RECOLLECT_LISTEN__HOST", "0.0.0.0")
    environ.setenv("RECOLLECT_API__TOKEN", "t")
    assert main(["health"]) == 0


def test_health_fails_when_the_answer_is_no_200(environ, server):
    """Anything else is not healthy."""
    server.status = 503
    environ.setenv("RECOLLECT_LISTEN__PORT", str(server.server_port))
    assert main(["health"]) == 1


def test_health_fails_when_nobody_answers(environ, capsys):
    """No server, status 1 and where it was looked for."""
    port = free_port()
    environ.setenv("RECOLLECT_LISTEN__PORT", str(port))
    assert main(["health"]) == 1
    assert str(port) in capsys.readouterr().err


def test_models_on_an_embedder_without_weights(capsys):
    """There is nothing to fetch, and that is fine."""
    assert main(["models", "fetch"]) == 0
    assert "needs no weights" in capsys.readouterr().err


@pytest.mark.parametrize(("fetched", "said"), [(True, "fetched into"), (False, "are in")])
def test_models_fetch(environ, capsys, fetched, said, tmp_path):
    """It says where the weights are, whether or not they had to be fetched."""
    environ.setenv("RECOLLECT_EMBEDDER__BACKEND", "local")
    environ.setattr("proxy.models.fetch", lambda _folder: fetched)
    assert main(["models", "fetch"]) == 0
    shown = capsys.readouterr().err
    assert said in shown
    assert str(tmp_path / "data" / "models") in shown


def test_models_fetch_fails_clearly(environ, capsys):
    """Status 1 and the reason."""
    from memory.errors import EmbeddingError

    def fail(_folder):
        raise EmbeddingError("the index is away")

    environ.setenv("RECOLLECT_EMBEDDER__BACKEND", "local")
    environ.setattr("proxy.models.fetch", fail)
    assert main(["models", "fetch"]) == 1
    assert "the index is away" in capsys.readouterr().err


def test_check_tells_by_its_status(environ, capsys):
    """One broken part is status 1, and every part is in the output."""
    environ.setenv("RECOLLECT_UPSTREAM__BASE_URL", f"http://127.0.0.1:{free_port()}/v1")
    assert main(["check"]) == 1
    shown = capsys.readouterr().out
    assert "FAIL  upstream" in shown
    assert "ok    embedder" in shown


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(98, "Address already in use"), "--port"),
        (OSError(13, "Permission denied"), "Permission denied"),
    ],
)
def test_serve_that_cannot_listen(environ, capsys, error, said):
    """A taken port says how to choose another; every other refusal is told as it is."""

    async def refuse(_settings, **_):
        raise error

    environ.setattr("proxy.serve.serve", refuse)
    environ.setattr("proxy.telemetry.configure_logging", lambda _level: None)
    assert main(["serve"]) == 1
    assert said in capsys.readouterr().err


def test_serve_that_cannot_open_a_part(environ, capsys):
    """The reason, and the command that looks at every part."""
    from memory.errors import StoreError

    async def refuse(_settings, **_):
        raise StoreError("the store is locked")

    environ.setattr("proxy.serve.serve", refuse)
    environ.setattr("proxy.telemetry.configure_logging", lambda _level: None)
    assert main(["serve"]) == 1
    shown = capsys.readouterr().err
    assert "the store is locked" in shown
    assert "recollect check" in shown


def test_serve_refuses_a_foreign_environment(environ, capsys):
    """A collision is told before anything is opened."""
    environ.setattr("proxy.preflight.collisions", lambda: ["the package `proxy` is taken"])
    assert main(["serve"]) == 1
    assert "is taken" in capsys.readouterr().err


def test_serve_welcomes(environ, capsys):
    """Ready, it says what to set in the client and where the memories are."""

    async def served(_settings, on_ready):
        await asyncio.sleep(0)
        on_ready("http://127.0.0.1:8787")

    environ.setattr("proxy.serve.serve", served)
    environ.setattr("proxy.telemetry.configure_logging", lambda _level: None)
    assert main(["serve"]) == 0
    assert "OPENAI_BASE_URL=http://127.0.0.1:8787/v1" in capsys.readouterr().err


def python(*arguments):
    """Run Python as a user would from a shell without settings."""
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=clean_environ(), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_module_is_the_command():
    """`python -m proxy` does what `recollect` does."""
    assert python("-m", "proxy", "--version")


def test_no_engine_is_loaded_to_ask_for_health():
    """A container asks every few seconds: the command line alone imports nothing heavy."""
    script = "import sys, proxy.cli; print({'memory', 'aiohttp', 'numpy'} & set(sys.modules))"
    assert python("-c", script) == "set()"
