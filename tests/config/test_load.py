"""Settings from a file, the environment and flags."""

from pathlib import Path

from recollect.config import Settings
from recollect.config.installation import KEY_FILE
from recollect.memory.embedders import FakeEmbedderOptions, LocalEmbedderOptions
from recollect.memory.index import ExactIndexOptions, MilvusIndexOptions
from tests.support.folding import rows

from .loading import load, refused


def test_nothing_given_is_the_defaults(tmp_path):
    """No file, no variable, no flag: the documented defaults, with their paths made absolute."""
    environ = {"HOME": str(tmp_path)}
    settings = load(environ=environ)
    assert settings.listen == Settings().listen
    measured = settings.data_dir / "calibration.json"
    assert settings.recall == Settings().recall.model_copy(update={"calibration": measured})
    assert settings.data_dir == Path("~/.recollect").expanduser()
    assert settings.data_dir.is_absolute()


def test_the_documented_file_is_the_defaults():
    """Every key of config/default.yaml is known, and none changes anything."""
    path = Path(__file__).parents[2] / "config" / "default.yaml"
    assert load(path) == load()


def test_the_order_of_sources(written):
    """File over default, environment over file, flag over environment, key by key."""
    path = written({"listen": {"host": "127.0.0.2", "port": 1}, "recall": {"limit": 7}})
    environ = {"RECOLLECT_LISTEN__PORT": "2", "RECOLLECT_RECALL__DEADLINE_MS": "99"}
    settings = load(path, environ, **{"listen.port": 3, "listen.host": None})
    assert (settings.listen.host, settings.listen.port) == ("127.0.0.2", 3)
    assert (settings.recall.limit, settings.recall.deadline_ms) == (7, 99)
    assert load(path, environ).listen.port == 2
    assert load(path).listen.port == 1


@rows(
    "values, key",
    [
        ({"uptsream": {}}, "uptsream"),
        ({"listen": {"prot": 1}}, "listen.prot"),
        ({"listen": {"port": 70000}}, "listen.port"),
        ({"listen": 5}, "listen"),
        ({"upstream": {"base_url": "api.openai.com"}}, "upstream.base_url"),
        ({"upstream": {"base_url": "ftp://h/v1"}}, "upstream.base_url"),
        ({"upstream": {"base_url": "https://u:p@h/v1"}}, "upstream.base_url"),
        ({"upstream": {"idle_seconds": 60}}, "upstream.idle_seconds"),
        ({"upstream": {"max_parsed_bytes": 5}}, "upstream.max_parsed_bytes"),
        ({"identity": {"mode": "team"}}, "identity.mode"),
        ({"identity": {"tenant": ""}}, "identity.tenant"),
        ({"api": {"token": ""}}, "api.token"),
        ({"api": {"token": 5}}, "api.token"),
        ({"recall": {"limit": 0}}, "recall.limit"),
        ({"recall": {"token_budget": 1}}, "recall.token_budget"),
        ({"recall": {"position": "end"}}, "recall.position"),
        ({"recall": {"profile": {"x": 1}}}, "recall.profile.x"),
        ({"recall": {"ranking": {"recency": 1.5}}}, "recall.ranking.recency"),
        ({"recall": {"ranking": {"dense": float("nan")}}}, "recall.ranking.dense"),
        ({"recall": {"ranking": {"half_life_days": 0}}}, "recall.ranking.half_life_days"),
        ({"recall": {"ranking": {"semantic": 1}}}, "recall.ranking.semantic"),
        ({"learn": {"every_turns": 0}}, "learn.every_turns"),
        ({"learn": {"llm": {"modle": "x"}}}, "learn.llm.modle"),
        ({"learn": {"llm": {"timeout_seconds": -1}}}, "learn.llm.timeout_seconds"),
        ({"embedder": {"backend": "magic"}}, "embedder"),
        ({"embedder": {"backend": "fake", "dim": 5}}, "embedder.dim"),
        ({"embedder": {"backend": "openai", "x": 5}}, "embedder.x"),
        ({"index": {"backend": "sql"}}, "index"),
        ({"index": {"collection": "no spaces please"}}, "index.collection"),
        ({"index": {"backend": "exact", "uri": "x"}}, "index.uri"),
        ({"database": {"url": "mysql://h"}}, "database.url"),
        ({"database": {"url": "redis://h"}}, "database.url"),
        ({"redis": {"url": "x.db"}}, "redis.url"),
        ({"redis": {"url": "redis://h"}}, "redis.url"),
        ({"state": {"turn_days": 3}}, "state"),
        ({"telemetry": {"log_level": "loud"}}, "telemetry.log_level"),
        ({"tools": {"names": ["fact_serch"]}}, "tools.names"),
        ({5: 6}, "5"),
    ],
)
def test_errors_name_the_key(written, values, key):
    """Unknown keys, types, ranges and choices, each by its dotted name at the line's start."""
    assert refused(written(values)).split(":")[0] == key


def test_the_backend_chooses_the_options():
    """Without one they are the default backend's: an address alone is enough."""
    settings = load(environ={"RECOLLECT_INDEX__URI": "http://milvus:19530"})
    assert settings.index == MilvusIndexOptions(uri="http://milvus:19530")
    assert type(settings.embedder) is LocalEmbedderOptions
    fake = {"RECOLLECT_INDEX__BACKEND": "exact", "RECOLLECT_EMBEDDER__BACKEND": "fake"}
    settings = load(environ=fake)
    assert type(settings.index) is ExactIndexOptions
    assert type(settings.embedder) is FakeEmbedderOptions


def test_limits_of_tenants():
    """A map whose keys are names as they are written; what is not set stays so."""
    limits = '{"Acme": {"requests_per_minute": 60}, "key:1": {"max_body_bytes": 2048}}'
    tenants = load(environ={"RECOLLECT_API__TENANT_LIMITS": limits}).api.tenant_limits
    assert tenants["Acme"].model_dump(exclude_none=True) == {"requests_per_minute": 60}
    assert tenants["key:1"].model_dump(exclude_none=True) == {"max_body_bytes": 2048}
    wrong = {"RECOLLECT_API__TENANT_LIMITS": '{"a": {"max_body_bytes": 0}}'}
    assert refused(environ=wrong).startswith("api.tenant_limits.a.max_body_bytes")


def test_paths_follow_the_data_dir(tmp_path):
    """Everything is kept in `data_dir` unless a key of its own says otherwise."""
    settings = load(environ={"RECOLLECT_DATA_DIR": str(tmp_path)})
    assert settings.database.file == tmp_path / "recollect.db"
    assert settings.index.uri == str(tmp_path / "index.milvus")
    assert settings.embedder.model_dir == tmp_path / "models"
    assert settings.api.audit_log == tmp_path / "audit.jsonl"
    assert settings.api.tokens_file == tmp_path / "tokens.json"
    environ = {
        "RECOLLECT_DATA_DIR": str(tmp_path),
        "RECOLLECT_API__AUDIT_LOG": "~/other.jsonl",
        "RECOLLECT_DATABASE__URL": "~/other.db",
        "RECOLLECT_INDEX__URI": "http://milvus:19530",
        "RECOLLECT_EMBEDDER__MODEL_DIR": "relative",
    }
    settings = load(environ=environ)
    assert settings.database.file == Path("~/other.db").expanduser()
    assert settings.api.audit_log == Path("~/other.jsonl").expanduser()
    assert settings.index.uri == "http://milvus:19530"
    assert settings.embedder.model_dir == Path("relative").absolute()


SECRETS = {
    "api": {"token": "hidden-1"},
    "identity": {"hash_key": "hidden-2", "tenants": {"acme": "hidden-3"}},
    "learn": {"llm": {"api_key": "hidden-4"}},
    "index": {"backend": "milvus", "token": "hidden-5"},
    "embedder": {"backend": "openai", "api_key": "hidden-6"},
    "redis": {"url": "redis://user:hidden-7@host"},
    "database": {"url": "postgresql://u:hidden-8@host/db"},
}


def test_secrets_are_not_shown(written):
    """Printed or logged, settings hold no secret; asked for, they do."""
    settings = load(written(SECRETS))
    assert "hidden" not in repr(settings)
    assert "hidden" not in str(settings)
    assert "hidden" not in settings.model_dump_json()
    assert settings.api.token.get_secret_value() == "hidden-1"


@rows(
    "wrong",
    [
        {"listen": {"port": "x"}},
        {"api": {"token": ["hidden-1"]}},
        {"identity": {"hash_key": {"hidden-2": 1}}},
        {"identity": {"tenants": "hidden-3"}},
        {"identity": {"tenants": {"acme": ["hidden-3"]}}},
        {"learn": {"llm": "hidden-4"}},
        {"index": {"backend": "milvus", "token": ["hidden-5"]}},
        {"upstream": {"base_url": "https://user:hidden@h:port/v1"}},
        {"upstream": {"base_url": "https://user:hidden@h/v1"}},
        {"embedder": {"backend": "openai", "dim": "hidden-6"}},
        {"database": {"url": "redis://user:hidden-7@host"}},
        {"redis": {"url": "redis://user:hidden-7@host:port"}},
        {"state": {"backend": "redis", "url": "redis://u:hidden-8@host/db"}},
    ],
)
def test_errors_do_not_show_values(written, wrong):
    """A message names the key and what was expected, never what was there: that may be a secret."""
    assert "hidden" not in refused(written(SECRETS | wrong))


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


@rows(
    "key",
    [
        "data_dir",
        "recall.calibration",
        "api.tokens_file",
        "api.audit_log",
        "database.url",
        "embedder.model_dir",
    ],
)
def test_a_home_folder_of_nobody(key):
    """It is told for every path, beside what else is wrong."""
    lines = refused(**{key: "~no-such-user/x", "listen.host": "0.0.0.0"}).splitlines()
    assert lines[0] == f"{key}: there is no home folder for this path"
    assert lines[1].startswith("api.token:")
