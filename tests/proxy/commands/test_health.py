"""`recollect health`: is a running proxy up."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from recollect.proxy.cli import main
from tests.support.folding import rows


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


@rows("arguments, path", [(["health"], "/readyz"), (["health", "--live"], "/healthz")])
def test_health(environ, capsys, server, arguments, path):
    """Status 0 while the proxy answers 200, and its answer is shown."""
    environ.setenv("RECOLLECT_LISTEN__PORT", str(server.server_port))
    assert main(arguments) == 0
    assert server.paths[-1] == path
    assert json.loads(capsys.readouterr().out) == {"status": "ok"}


def test_health_fails_when_the_answer_is_no_200(environ, server):
    """Anything else is not healthy."""
    server.status = 503
    environ.setenv("RECOLLECT_LISTEN__PORT", str(server.server_port))
    assert main(["health"]) == 1
