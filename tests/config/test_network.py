"""Which addresses are ours."""

import socket

import pytest

from config.network import is_loopback, leads_back

OWN = socket.gethostname().lower()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"])
def test_loopback(host):
    """Only this machine can reach these."""
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "10.0.0.1", "192.168.1.1", "example.org", "", "127.0.0.1.example.org"]
)
def test_not_loopback(host):
    """Anything that others might reach, and every name that is not certain."""
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("url", "host"),
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


@pytest.mark.parametrize(
    ("url", "host"),
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
    """Another port or another machine is the server behind us."""
    assert not leads_back(url, host, 8787)


def test_default_ports_count():
    """A URL without a port has that of its scheme."""
    assert leads_back("http://localhost/v1", "127.0.0.1", 80)
    assert leads_back("https://localhost/v1", "127.0.0.1", 443)
    assert not leads_back("https://localhost/v1", "127.0.0.1", 80)
