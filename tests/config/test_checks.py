"""What no single option can check by itself, told beside what cannot be read."""

from tests.support.folding import rows

from .loading import load, refused


@rows(
    "key, also",
    [
        ("upstream.base_url", {}),
        ("learn.llm.base_url", {}),
        ("learn.vision.base_url", {}),
        ("recall.rewrite.llm.base_url", {}),
        ("embedder.base_url", {"RECOLLECT_EMBEDDER__BACKEND": "openai"}),
    ],
)
@rows("port", [8787, 9])
def test_no_base_url_may_lead_back(key, also, port):
    """A request that comes back to us would go round for ever, and our own prompts be learned."""
    name = f"RECOLLECT_{key.upper().replace('.', '__')}"
    environ = {name: f"http://localhost:{port}/v1", "RECOLLECT_LISTEN__PORT": str(port)} | also
    text = refused(environ=environ)
    assert text.startswith(f"{key}:")
    assert "this proxy itself" in text


def test_off_loopback_the_api_needs_a_token():
    """Without one the server does not start; with one, or without the API, it does."""
    environ = {"RECOLLECT_LISTEN__HOST": "0.0.0.0"}
    assert refused(environ=environ).startswith("api.token:")
    assert load(environ=environ | {"RECOLLECT_API__TOKEN": "t"})
    assert load(environ=environ | {"RECOLLECT_API__ENABLED": "false"})


def test_gateway_mode_with_a_shared_database_needs_a_hash_key(tmp_path):
    """Each replica would tell tenants apart in its own way."""
    shared = {
        "RECOLLECT_IDENTITY__MODE": "gateway",
        "RECOLLECT_DATA_DIR": str(tmp_path),
        "RECOLLECT_DATABASE__URL": "postgres://h/d",
    }
    assert refused(environ=shared).startswith("identity.hash_key:")
    assert load(environ=shared | {"RECOLLECT_IDENTITY__HASH_KEY": "k"})
    assert list(tmp_path.iterdir()) == []


def test_contradictions_are_told_with_what_cannot_be_read(written):
    """One start, one list: types, unknown keys, and what does not go together."""
    path = written(
        {
            "recall": {"limit": 0},
            "listen": {"host": "0.0.0.0"},
            "learn": {"llm": {"base_url": "http://127.0.0.1:8787/v1"}},
            "redis": {"url": "redis://h"},
            "x": 1,
        }
    )
    lines = refused(path, {"RECOLLECT_UPSTREAM": "http://h/v1"}).splitlines()
    keys = [line.split(":")[0] for line in lines]
    told = ["api.token", "learn.llm.base_url", "recall.limit", "redis.url", "upstream", "x"]
    assert sorted(keys) == told


@rows(
    "environ, keys",
    [
        ({"LISTEN__HOST": "0.0.0.0", "API_TOKEN": "t"}, ["api_token"]),
        ({"LISTEN__HOST": "0.0.0.0", "API": "t"}, ["api"]),
        ({"LISTEN__HOST": "0.0.0.0", "IDENTITY__MODE": "jtw"}, ["identity.mode"]),
        ({"IDENTITY__MODE": "jwt", "IDENTITY__JWT": "x"}, ["identity.jwt"]),
        ({"UPSTREAM__BASE_URL": "http://127.0.0.1:8787/v1", "LISTEN__PORT": "x"}, ["listen.port"]),
    ],
)
def test_what_depends_on_an_unread_value_is_not_guessed(environ, keys):
    """Nothing is told that mending the first problem would make untrue."""
    lines = refused(environ={f"RECOLLECT_{name}": each for name, each in environ.items()})
    assert [line.split(":")[0] for line in lines.splitlines()] == keys


def test_workers(monkeypatch):
    """A number or all, from any source; fewer than one is nobody.

    What ends with its process cannot be shared, and a system must be able to share a port.
    """
    for given, workers in ((None, 1), ("4", 4), ("all", "all")):
        environ = {} if given is None else {"RECOLLECT_LISTEN__WORKERS": given}
        assert load(environ=environ).listen.workers == workers
    for wrong in ("0", "some", "257"):
        assert "listen.workers" in refused(environ={"RECOLLECT_LISTEN__WORKERS": wrong})
    environ = {"RECOLLECT_LISTEN__WORKERS": "2"}
    text = refused(environ=environ | {"RECOLLECT_DATABASE__URL": ":memory:"})
    assert text.startswith("listen.workers: 2 needs another")
    assert load(environ={"RECOLLECT_DATABASE__URL": ":memory:"})
    monkeypatch.delattr("socket.SO_REUSEPORT")
    assert "SO_REUSEPORT" in refused(environ=environ)
    assert load(environ={})
