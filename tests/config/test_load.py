"""Settings from a file, the environment and flags."""

from pathlib import Path

import pytest
import yaml

from recollect.config import ConfigError, Settings, load_settings
from recollect.config.installation import KEY_FILE
from recollect.filters.inject import Position
from recollect.memory.embedders import (
    FakeEmbedderOptions,
    LocalEmbedderOptions,
    OpenAIEmbedderOptions,
)
from recollect.memory.stores import InMemoryStoreOptions, MilvusStoreOptions


@pytest.fixture
def written(tmp_path):
    """Write a configuration file; its path."""

    def write(content):
        path = tmp_path / "recollect.yaml"
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), "utf-8")
        return path

    return write


def load(path=None, environ=None, **flags):
    return load_settings(path=path, environ=environ or {}, flags=flags)


def refused(path=None, environ=None, **flags):
    with pytest.raises(ConfigError) as caught:
        load(path, environ, **flags)
    return str(caught.value)


def test_nothing_given_is_the_defaults(tmp_path):
    """No file, no variable, no flag: the documented defaults, with their paths made absolute."""
    environ = {"HOME": str(tmp_path)}
    settings = load(environ=environ)
    assert settings.listen == Settings().listen
    measured = settings.data_dir / "calibration.json"
    assert settings.recall == Settings().recall.model_copy(update={"calibration": measured})
    assert settings.data_dir == Path("~/.recollect").expanduser()
    assert settings.data_dir.is_absolute()


def test_the_order_of_sources(written):
    """File over default, environment over file, flag over environment, key by key."""
    path = written({"listen": {"host": "127.0.0.2", "port": 1}, "recall": {"limit": 7}})
    environ = {"RECOLLECT_LISTEN__PORT": "2", "RECOLLECT_RECALL__DEADLINE_MS": "99"}
    settings = load(path, environ, **{"listen.port": 3, "listen.host": None})
    assert (settings.listen.host, settings.listen.port) == ("127.0.0.2", 3)
    assert (settings.recall.limit, settings.recall.deadline_ms) == (7, 99)
    assert load(path, environ).listen.port == 2
    assert load(path).listen.port == 1


@pytest.mark.parametrize(
    ("value", "read"), [("auto", "auto"), (90, 90), ("90", 90), (60_000, 60_000)]
)
def test_the_deadline_is_auto_or_a_number(written, value, read):
    """In the file, in the environment and as a flag; `auto` is the default."""
    assert load().recall.deadline_ms == "auto"
    assert load(written({"recall": {"deadline_ms": value}})).recall.deadline_ms == read
    environ = {"RECOLLECT_RECALL__DEADLINE_MS": str(value)}
    assert load(environ=environ).recall.deadline_ms == read
    assert load(**{"recall.deadline_ms": value}).recall.deadline_ms == read


@pytest.mark.parametrize("value", ["quick", "", 0, 60_001, 1.5, None, [150]])
def test_another_deadline_is_one_error_that_says_what_is_expected(written, value):
    """Not one for each kind of value that it could have been."""
    [line] = refused(written({"recall": {"deadline_ms": value}})).splitlines()
    expected = "expected `auto`, or a whole number of milliseconds from 1 to 60000"
    assert line == f"recall.deadline_ms: {expected}"


def test_the_file_may_be_named_by_a_variable(written):
    """`RECOLLECT_CONFIG` when no path is given; a given path wins; empty is not set."""
    path = written({"listen": {"port": 1}})
    assert load(environ={"RECOLLECT_CONFIG": str(path)}).listen.port == 1
    assert load(environ={"RECOLLECT_CONFIG": ""}).listen.port == 8787
    other = path.with_name("other.yaml")
    other.write_text("listen: {port: 2}")
    assert load(other, {"RECOLLECT_CONFIG": str(path)}).listen.port == 2


@pytest.mark.parametrize("content", ["", "# nothing\n", "---\n", "null\n", "{}"])
def test_an_empty_file_is_the_defaults(written, content):
    """A file of comments only is fine."""
    assert load(written(content)) == load()


@pytest.mark.parametrize("content", ["- a\n", "text", "5", "[]"])
def test_a_file_that_is_no_mapping(written, content):
    """It says what was expected."""
    assert "expected keys" in refused(written(content))


@pytest.mark.parametrize("content", ["a: [", "a: b: c", "\ta: 1", "a: !!python/object:x {}"])
def test_a_file_that_is_no_yaml(written, content):
    """It names the file; no object is made of tags."""
    path = written(content)
    assert str(path) in refused(path)


def test_a_broken_file_does_not_show_its_lines(written):
    """The line of an error may hold a secret: its number is told, not its text."""
    text = refused(written("api:\n  token: sk-hidden: [\n"))
    assert "hidden" not in text
    assert "line 2" in text


def test_a_file_that_is_no_text(tmp_path):
    """Bytes that are not UTF-8 are refused by name."""
    path = tmp_path / "c.yaml"
    path.write_bytes(b"listen: \xff\xfe")
    assert "c.yaml" in refused(path)


def test_a_missing_file_and_a_folder(tmp_path):
    """A file that was named has to be there."""
    assert "none.yaml" in refused(tmp_path / "none.yaml")
    assert str(tmp_path) in refused(tmp_path)


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"uptsream": {}}, "uptsream"),
        ({"listen": {"prot": 1}}, "listen.prot"),
        ({"listen": {"port": 70000}}, "listen.port"),
        ({"listen": {"port": "x"}}, "listen.port"),
        ({"listen": 5}, "listen"),
        ({"upstream": {"base_url": "api.openai.com"}}, "upstream.base_url"),
        ({"upstream": {"base_url": "ftp://h/v1"}}, "upstream.base_url"),
        ({"upstream": {"base_url": "https://u:p@h/v1"}}, "upstream.base_url"),
        ({"upstream": {"base_url": "https://h/v1?k=1"}}, "upstream.base_url"),
        ({"upstream": {"base_url": "http://h:port/v1"}}, "upstream.base_url"),
        ({"upstream": {"idle_seconds": 0}}, "upstream.idle_seconds"),
        ({"upstream": {"max_parsed_bytes": 5}}, "upstream.max_parsed_bytes"),
        ({"identity": {"mode": "team"}}, "identity.mode"),
        ({"identity": {"tenant": ""}}, "identity.tenant"),
        ({"identity": {"default_user": ""}}, "identity.default_user"),
        ({"identity": {"hash_key": ""}}, "identity.hash_key"),
        ({"api": {"token": ""}}, "api.token"),
        ({"api": {"token": 5}}, "api.token"),
        ({"recall": {"limit": 0}}, "recall.limit"),
        ({"recall": {"deadline_ms": 0}}, "recall.deadline_ms"),
        ({"recall": {"threshold": 2}}, "recall.threshold"),
        ({"recall": {"token_budget": 1}}, "recall.token_budget"),
        ({"recall": {"position": "end"}}, "recall.position"),
        ({"recall": {"gate": {"x": 1}}}, "recall.gate.x"),
        ({"learn": {"every_turns": 0}}, "learn.every_turns"),
        ({"learn": {"llm": {"modle": "x"}}}, "learn.llm.modle"),
        ({"learn": {"llm": {"max_retries": -1}}}, "learn.llm.max_retries"),
        ({"embedder": {"backend": "magic"}}, "embedder"),
        ({"embedder": {"backend": "fake", "dim": 5}}, "embedder.dim"),
        ({"embedder": {"backend": "openai", "x": 5}}, "embedder.x"),
        ({"embedder": {"x": 5}}, "embedder.x"),
        ({"store": {"backend": "sql"}}, "store"),
        ({"store": {"collection": "no spaces please"}}, "store.collection"),
        ({"store": {"backend": "inmemory", "uri": "x"}}, "store.uri"),
        ({"store": []}, "store"),
        ({"state": {"backend": "mysql"}}, "state.backend"),
        ({"state": {"backend": "redis"}}, "state.url"),
        ({"state": {"url": "redis://h"}}, "state.url"),
        ({"state": {"backend": "redis", "url": "x.db"}}, "state.url"),
        ({"history": {"backend": "redis"}}, "history.backend"),
        ({"history": {"backend": "postgres"}}, "history.url"),
        ({"telemetry": {"log_level": "loud"}}, "telemetry.log_level"),
        ({5: 6}, "5"),
    ],
    ids=str,
)
def test_errors_name_the_key(written, values, key):
    """Unknown keys, types, ranges and choices, each by its dotted name at the line's start."""
    assert refused(written(values)).split(":")[0] == key


def test_every_problem_is_told_at_once(written):
    """One line for each, so that nobody mends them one start at a time."""
    text = refused(written({"listen": {"port": -1}, "recall": {"limit": 0}, "x": 1}))
    assert {line.split(":")[0] for line in text.splitlines()} == {
        "listen.port",
        "recall.limit",
        "x",
    }


@pytest.mark.parametrize(
    ("name", "value", "key"),
    [
        ("RECOLLECT_LISTEN__PORT", "x", "listen.port"),
        ("RECOLLECT_LISTEN__PROT", "1", "listen.prot"),
        ("RECOLLECT_RECAL__LIMIT", "1", "recal"),
        ("RECOLLECT_UPSTREAM", "http://h/v1", "upstream"),
        ("RECOLLECT_", "1", "configuration"),
    ],
)
def test_variables_are_checked_like_keys(name, value, key):
    """A misspelt variable is an error, not silence."""
    assert refused(environ={name: value}).split(":")[0] == key


def test_variables_of_every_kind():
    """Numbers, switches, lists, objects and null, and text that only looks like one."""
    settings = load(
        environ={
            "RECOLLECT_RECALL__ENABLED": "false",
            "RECOLLECT_RECALL__THRESHOLD": "0.5",
            "RECOLLECT_RECALL__POSITION": "start",
            "RECOLLECT_LEARN__LLM": "null",
            "RECOLLECT_IDENTITY__USER_HEADERS": "[x-one, 'x-two']",
            "RECOLLECT_IDENTITY__TENANTS": '{"Acme": "key-a"}',
            "RECOLLECT_IDENTITY__TENANTS__OTHER": "key-b",
            "RECOLLECT_IDENTITY__DEFAULT_USER": "yes: no",
            "RECOLLECT_API__TOKEN": "12345",
            "UNRELATED": "x",
        }
    )
    assert settings.recall.enabled is False
    assert (settings.recall.threshold, settings.recall.position) == (0.5, Position.START)
    assert settings.learn.llm is None
    assert settings.identity.user_headers == ("x-one", "x-two")
    assert set(settings.identity.tenants) == {"Acme", "other"}
    assert settings.identity.default_user == "yes: no"
    assert settings.api.token.get_secret_value() == "12345"


@pytest.mark.parametrize("value", ["[not yaml", "{", "{a: b: c}"])
def test_text_that_only_begins_like_a_list_stays_text(value):
    """A name or a key may start with a bracket."""
    assert load(environ={"RECOLLECT_IDENTITY__TENANT": value}).identity.tenant == value


@pytest.mark.parametrize(
    "name",
    [
        "RECOLLECT_PORT",
        "RECOLLECT_PORT_8787_TCP",
        "RECOLLECT_PORT_8787_TCP_ADDR",
        "RECOLLECT_SERVICE_HOST",
        "RECOLLECT_SERVICE_PORT",
        "RECOLLECT_SERVICE_PORT_HTTP",
    ],
)
def test_what_kubernetes_sets_is_no_setting(name):
    """A Service called recollect puts these into every pod of its namespace."""
    assert load(environ={name: "tcp://10.0.0.1:8787"}) == load()


@pytest.mark.parametrize(
    ("environ", "kind"),
    [
        ({"RECOLLECT_EMBEDDER__MODEL_DIR": "/models"}, LocalEmbedderOptions),
        ({"RECOLLECT_EMBEDDER__BACKEND": "fake"}, FakeEmbedderOptions),
        ({"RECOLLECT_EMBEDDER__BACKEND": "openai"}, OpenAIEmbedderOptions),
    ],
)
def test_embedders(environ, kind):
    """The backend chooses the options; without one they are the default backend's."""
    assert type(load(environ=environ).embedder) is kind


def test_stores(written):
    """The same for the store: its address alone is enough."""
    settings = load(environ={"RECOLLECT_STORE__URI": "http://milvus:19530"})
    assert settings.store == MilvusStoreOptions(uri="http://milvus:19530")
    assert load(written({"store": {"collection": "mine"}})).store.collection == "mine"
    inmemory = {"RECOLLECT_STORE__BACKEND": "inmemory"}
    assert type(load(environ=inmemory).store) is InMemoryStoreOptions


def test_limits_of_tenants():
    """A map whose keys are names as they are written; what is not set stays so."""
    limits = '{"Acme": {"requests_per_minute": 60}, "key:1": {"max_body_bytes": 2048}}'
    tenants = load(environ={"RECOLLECT_API__TENANT_LIMITS": limits}).api.tenant_limits
    assert tenants["Acme"].model_dump(exclude_none=True) == {"requests_per_minute": 60}
    assert tenants["key:1"].model_dump(exclude_none=True) == {"max_body_bytes": 2048}
    with pytest.raises(ConfigError, match=r"api\.tenant_limits\.a\.burst"):
        load(environ={"RECOLLECT_API__TENANT_LIMITS": '{"a": {"burst": 0}}'})


def test_paths_follow_the_data_dir(tmp_path):
    """Everything is kept in `data_dir` unless a key of its own says otherwise."""
    settings = load(environ={"RECOLLECT_DATA_DIR": str(tmp_path)})
    assert settings.state.file == tmp_path / "state.db"
    assert settings.history.file == tmp_path / "history.db"
    assert settings.store.uri == str(tmp_path / "memories.db")
    assert settings.embedder.model_dir == tmp_path / "models"
    assert settings.api.audit_log == tmp_path / "audit.jsonl"
    environ = {
        "RECOLLECT_DATA_DIR": str(tmp_path),
        "RECOLLECT_API__AUDIT_LOG": "~/other.jsonl",
        "RECOLLECT_STATE__URL": "~/other.db",
        "RECOLLECT_STORE__URI": "http://milvus:19530",
        "RECOLLECT_EMBEDDER__MODEL_DIR": "relative",
    }
    settings = load(environ=environ)
    assert settings.state.file == Path("~/other.db").expanduser()
    assert settings.api.audit_log == Path("~/other.jsonl").expanduser()
    assert settings.store.uri == "http://milvus:19530"
    assert settings.embedder.model_dir == Path("relative").absolute()


SECRETS = {
    "api": {"token": "hidden-1"},
    "identity": {"hash_key": "hidden-2", "tenants": {"acme": "hidden-3"}},
    "learn": {"llm": {"api_key": "hidden-4"}},
    "store": {"backend": "milvus", "token": "hidden-5"},
    "embedder": {"backend": "openai", "api_key": "hidden-6"},
    "state": {"backend": "redis", "url": "redis://user:hidden-7@host"},
    "history": {"backend": "postgres", "url": "postgresql://u:hidden-8@host/db"},
}


def test_secrets_are_not_shown(written):
    """Printed or logged, settings hold no secret; asked for, they do."""
    settings = load(written(SECRETS))
    assert "hidden" not in repr(settings)
    assert "hidden" not in str(settings)
    assert "hidden" not in settings.model_dump_json()
    assert settings.api.token.get_secret_value() == "hidden-1"


@pytest.mark.parametrize(
    "wrong",
    [
        {"listen": {"port": "x"}},
        {"api": {"token": ["hidden-1"]}},
        {"identity": {"hash_key": {"hidden-2": 1}}},
        {"identity": {"tenants": "hidden-3"}},
        {"identity": {"tenants": {"acme": ["hidden-3"]}}},
        {"learn": {"llm": "hidden-4"}},
        {"store": {"backend": "milvus", "token": 5, "timeout_seconds": "hidden-5"}},
        {"upstream": {"base_url": "https://user:hidden@h:port/v1"}},
        {"upstream": {"base_url": "https://user:hidden@h/v1"}},
        {"embedder": {"backend": "openai", "dim": "hidden-6"}},
        {"state": {"url": "redis://user:hidden-7@host"}},
        {"state": {"backend": "redis", "url": "redis://user:hidden-7@host:port"}},
        {"history": {"backend": "postgres", "url": "redis://u:hidden-8@host/db"}},
    ],
    ids=str,
)
def test_errors_do_not_show_values(written, wrong):
    """A message names the key and what was expected, never what was there: that may be a secret."""
    assert "hidden" not in refused(written(SECRETS | wrong))


@pytest.mark.parametrize(
    ("key", "also"),
    [
        ("upstream.base_url", {}),
        ("learn.llm.base_url", {}),
        ("learn.vision.base_url", {}),
        ("recall.rewrite.llm.base_url", {}),
        ("embedder.base_url", {"RECOLLECT_EMBEDDER__BACKEND": "openai"}),
    ],
)
@pytest.mark.parametrize("port", [8787, 9])
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


@pytest.mark.parametrize(
    "shared",
    [
        {"RECOLLECT_STATE__BACKEND": "redis", "RECOLLECT_STATE__URL": "redis://h/0"},
        {"RECOLLECT_HISTORY__BACKEND": "postgres", "RECOLLECT_HISTORY__URL": "postgres://h/d"},
        {"RECOLLECT_STORE__URI": "http://milvus:19530"},
    ],
    ids=["state", "history", "store"],
)
def test_gateway_mode_with_shared_state_needs_a_hash_key(tmp_path, shared):
    """Each replica would tell tenants apart in its own way."""
    environ = {"RECOLLECT_IDENTITY__MODE": "gateway", "RECOLLECT_DATA_DIR": str(tmp_path)} | shared
    assert refused(environ=environ).startswith("identity.hash_key:")
    assert load(environ=environ | {"RECOLLECT_IDENTITY__HASH_KEY": "k"})
    assert list(tmp_path.iterdir()) == []


def test_an_embedded_gateway_makes_its_hash_key_once(tmp_path):
    """It is in `data_dir`, for the owner only, and the same at every start."""
    environ = {"RECOLLECT_IDENTITY__MODE": "gateway", "RECOLLECT_DATA_DIR": str(tmp_path / "d")}
    first, second = load(environ=environ), load(environ=environ)
    key = first.identity.hash_key.get_secret_value()
    assert len(key) == 64
    assert second.identity.hash_key.get_secret_value() == key
    [file] = (tmp_path / "d").iterdir()
    assert (file.name, file.read_text(), file.stat().st_mode & 0o777) == (KEY_FILE, key, 0o600)
    own = load(environ=environ | {"RECOLLECT_IDENTITY__HASH_KEY": "mine"})
    assert own.identity.hash_key.get_secret_value() == "mine"


def test_a_hash_key_that_cannot_be_made_is_named(tmp_path):
    """And so is one that was emptied: another key would hide all memories."""
    (tmp_path / "file").touch()
    environ = {"RECOLLECT_IDENTITY__MODE": "gateway"}
    unusable = environ | {"RECOLLECT_DATA_DIR": str(tmp_path / "file")}
    assert "identity.key cannot be read or written" in refused(environ=unusable)
    (tmp_path / KEY_FILE).touch()
    emptied = environ | {"RECOLLECT_DATA_DIR": str(tmp_path)}
    assert "identity.key is empty" in refused(environ=emptied)


def test_settings_do_not_change():
    """Nobody edits them after the start."""
    with pytest.raises(ValueError, match="frozen"):
        load().listen.port = 5


def test_the_process_environment_is_the_default(monkeypatch):
    """Without a mapping the process's own variables count."""
    monkeypatch.setenv("RECOLLECT_LISTEN__PORT", "4321")
    assert load_settings().listen.port == 4321


def test_a_problem_of_the_environment_names_the_variable():
    """Whoever forgets the second underscore sees which variable it is, and the key that was meant."""
    with pytest.raises(ConfigError) as caught:
        load_settings(environ={"RECOLLECT_API_TOKEN": "x", "RECOLLECT_LISTEN__PORT": "many"})
    meant, port = sorted(str(caught.value).splitlines())
    assert meant.startswith("api_token: unknown key; did you mean api.token?")
    assert meant.endswith("(the variable RECOLLECT_API_TOKEN; write RECOLLECT_API__TOKEN)")
    assert port.startswith("listen.port: expected a whole number")
    assert "RECOLLECT_LISTEN__PORT" in port


@pytest.mark.parametrize(
    ("name", "value", "variable"),
    [
        ("UPSTREAM", "http://h:1/v1", "UPSTREAM__BASE_URL"),
        ("BASE_URL", "http://h:1/v1", "UPSTREAM__BASE_URL"),
        ("URL", "http://h:1/v1", "UPSTREAM__BASE_URL"),
        ("UPSTREAM_URL", "http://h:1/v1", "UPSTREAM__BASE_URL"),
        ("UPSTREAM_BASE_URL", "http://h:1/v1", "UPSTREAM__BASE_URL"),
        ("UPSTREAM__URL", "http://h:1/v1", "UPSTREAM__BASE_URL"),
        ("PORT", "9000", "LISTEN__PORT"),
        ("HOST", "0.0.0.0", "LISTEN__HOST"),
        ("LISTEN_PORT", "9000", "LISTEN__PORT"),
        ("DATADIR", "/data", "DATA_DIR"),
        ("DATA", "/data", "DATA_DIR"),
        ("TOKEN", "t", "API__TOKEN"),
        ("LOG_LEVEL", "debug", "TELEMETRY__LOG_LEVEL"),
        ("IDENTITY", "gateway", "IDENTITY__MODE"),
        ("STORE", "milvus", "STORE__BACKEND"),
        ("EMBEDDER", "openai", "EMBEDDER__BACKEND"),
        ("RECALL", "off", "RECALL__ENABLED"),
        ("LEARN", "false", "LEARN__ENABLED"),
        ("LLM_API_KEY", "k", "LEARN__LLM__API_KEY"),
    ],
)
def test_a_natural_guess_is_told_the_variable(name, value, variable):
    """A section without its key, a key without its section, other separators."""
    [line] = refused(environ={f"RECOLLECT_{name}": value}).splitlines()
    assert f"the variable RECOLLECT_{name}; write " in line
    assert line.endswith(f" RECOLLECT_{variable})")
    assert value not in line.replace(name, "").replace(variable, "") or value in {"t", "k"}


def test_a_value_for_a_section_is_not_lost():
    """Nor is it when another variable sets a key of that section."""
    environ = {"RECOLLECT_UPSTREAM": "http://h/v1", "RECOLLECT_UPSTREAM__BASE_URL": "http://i/v1"}
    assert refused(environ=environ).startswith("upstream: expected keys below it")


def test_a_key_below_a_value_names_its_variable():
    """`data_dir` is no section."""
    line = refused(environ={"RECOLLECT_DATA_DIR__X": "y"})
    assert line.startswith("data_dir: expected a path (the variable RECOLLECT_DATA_DIR__X")


def test_contradictions_are_told_with_what_cannot_be_read(written):
    """One start, one list: types, unknown keys, and what does not go together."""
    path = written(
        {
            "recall": {"limit": 0},
            "listen": {"host": "0.0.0.0"},
            "learn": {"llm": {"base_url": "http://127.0.0.1:8787/v1"}},
            "state": {"url": "same.db"},
            "history": {"url": "same.db"},
            "x": 1,
        }
    )
    lines = refused(path, {"RECOLLECT_UPSTREAM": "http://h/v1"}).splitlines()
    keys = [line.split(":")[0] for line in lines]
    told = ["api.token", "history.url", "learn.llm.base_url", "recall.limit", "upstream", "x"]
    assert sorted(keys) == told


@pytest.mark.parametrize(
    ("environ", "keys"),
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


def test_a_file_that_cannot_be_read_does_not_hide_the_variables(tmp_path):
    """Their own mistakes are told; what the file may have set is not missed."""
    environ = {
        "RECOLLECT_RECALL__LIMIT": "0",
        "RECOLLECT_STATE__BACKEND": "redis",
        "RECOLLECT_LISTEN__HOST": "0.0.0.0",
    }
    lines = refused(tmp_path / "none.yaml", environ, **{"listen.port": 70_000}).splitlines()
    assert "none.yaml: cannot be read" in lines[0]
    assert sorted(line.split(":")[0] for line in lines[1:]) == ["listen.port", "recall.limit"]


def test_a_start_that_is_refused_makes_no_key(tmp_path):
    """A key that cannot be read is told beside the rest; none is made for nothing."""
    environ = {
        "RECOLLECT_IDENTITY__MODE": "gateway",
        "RECOLLECT_DATA_DIR": str(tmp_path / "data"),
        "RECOLLECT_RECALL__LIMIT": "0",
    }
    assert len(refused(environ=environ).splitlines()) == 1
    assert not (tmp_path / "data").exists()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / KEY_FILE).touch()
    limit, key = refused(environ=environ).splitlines()
    assert limit.startswith("recall.limit:")
    assert key.startswith("identity.hash_key:")


@pytest.mark.parametrize(
    "key",
    [
        "data_dir",
        "recall.calibration",
        "api.tokens_file",
        "api.audit_log",
        "state.url",
        "history.url",
        "embedder.model_dir",
    ],
)
def test_a_home_folder_of_nobody(key):
    """It is told for every path, beside what else is wrong."""
    lines = refused(**{key: "~no-such-user/x", "listen.host": "0.0.0.0"}).splitlines()
    assert lines[0] == f"{key}: there is no home folder for this path"
    assert lines[1].startswith("api.token:")
