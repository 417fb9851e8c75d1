"""Which addresses are ours."""

import socket

from recollect.config.network import is_address, is_among, is_loopback, is_private_name, leads_back
from tests.support.folding import rows

OWN = socket.gethostname().lower()


def test_loopback():
    """Only this machine can reach these; others, and every name that is not certain, are none."""
    for host in ("127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"):
        assert is_loopback(host), host
    for host in ("0.0.0.0", "::", "10.0.0.1", "example.org", "", "127.0.0.1.example.org"):
        assert not is_loopback(host), host


@rows(
    "url, host",
    [
        ("http://127.0.0.1:8787/v1", "127.0.0.1"),
        ("http://127.0.0.1:8787", "0.0.0.0"),
        ("http://localhost:8787/v1", "127.0.0.1"),
        ("http://LOCALHOST:8787/v1", "127.0.0.1"),
        ("http://[::1]:8787/v1", "::"),
        ("http://[::1]:8787/v1", "localhost"),
        ("http://0.0.0.0:8787/v1", "127.0.0.1"),
        ("http://0.0.0.0:8787/v1", "0.0.0.0"),
        ("https://127.0.0.1:8787/v1", "127.0.0.1"),
        ("http://memory.test:8787/v1", "memory.test"),
        ("http://Memory.Test:8787/v1", "memory.test"),
        (f"http://{OWN}:8787/v1", "0.0.0.0"),
        ("http://10.0.0.5:8787/v1", "10.0.0.5"),
    ],
)
def test_it_leads_back(url, host):
    """By number, by name, by every address this machine calls itself."""
    assert leads_back(url, host, 8787)


@rows(
    "url, host",
    [
        ("http://127.0.0.1:8000/v1", "127.0.0.1"),
        ("http://127.0.0.1/v1", "127.0.0.1"),
        ("https://api.openai.com/v1", "0.0.0.0"),
        ("http://10.0.0.5:8787/v1", "0.0.0.0"),
        ("http://10.0.0.5:8787/v1", "127.0.0.1"),
        ("http://model.test:8787/v1", "memory.test"),
    ],
)
def test_it_leads_elsewhere(url, host):
    """Another port or another machine is the server behind us; default ports count."""
    assert not leads_back(url, host, 8787)
    assert leads_back("http://localhost/v1", "127.0.0.1", 80)
    assert leads_back("https://localhost/v1", "127.0.0.1", 443)
    assert not leads_back("https://localhost/v1", "127.0.0.1", 80)


@rows(
    "name",
    [
        "recollect",
        "my_service",
        "recollect.default.svc",
        "recollect.default.svc.cluster.local",
        "nas.local",
        "host.docker.internal",
        "box.home.arpa",
        "x.localhost",
    ],
)
def test_names_that_nobody_can_register(name):
    """One label, or an end that the public DNS does not have."""
    assert is_private_name(name)
    assert not is_address(name)


def test_addresses():
    """A page cannot own a number."""
    for host in ("10.0.0.7", "[::]", "fe80::1", "0.0.0.0", "[2001:db8::1]"):
        assert is_address(host), host


@rows(
    "name",
    [
        "evil.test",
        "recollect.default",
        "recollect.default.svc.evil.test",
        "evil.svc-local",
        "xlocal.test",
        "local.evil",
        ".local",
        "a..local",
        "",
        ".",
        "a b.local",
        "x@evil.test.local:80@evil.test",
        "evil.test/.local",
        "\u00fc.local",
        "EVIL.local",
    ],
)
def test_names_that_somebody_may_own(name):
    """Two labels may be registered, and what is no name is nobody's."""
    assert not is_private_name(name)


def test_listed_names():
    """A name is itself; a pattern is every name below it, but not it."""
    listed = ("a.test", "*.example.org")
    for name in ("a.test", "x.example.org", "x.y.example.org"):
        assert is_among(name, listed)
    for name in ("b.test", "x.a.test", "example.org", ".example.org", "xexample.org", "*.test", ""):
        assert not is_among(name, listed)
