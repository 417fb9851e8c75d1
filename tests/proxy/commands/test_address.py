"""Where commands find a server."""

from recollect.proxy.commands.address import authority, reachable


def test_a_server_on_every_address_is_reached_on_loopback():
    """Of the same family; any other host is taken as it is."""
    assert [reachable(host) for host in ("0.0.0.0", "::", "")] == ["127.0.0.1", "::1", "127.0.0.1"]
    assert reachable("gateway.internal") == "gateway.internal"


def test_an_address_of_ip_version_6_has_brackets_in_a_url():
    """Or its last group would be read as the port."""
    assert authority("::", 8787) == "[::1]:8787"
    assert authority("10.0.0.7", 8787) == "10.0.0.7:8787"
