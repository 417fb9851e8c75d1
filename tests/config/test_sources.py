"""Where settings are written: files that cannot be read, variables of every kind, and guesses."""

from recollect.filters.inject import Position
from tests.support.folding import rows

from .loading import load, refused


def test_the_file_may_be_named_by_a_variable(written):
    """`RECOLLECT_CONFIG` when no path is given; a given path wins; empty is not set."""
    path = written({"listen": {"port": 1}})
    assert load(environ={"RECOLLECT_CONFIG": str(path)}).listen.port == 1
    assert load(environ={"RECOLLECT_CONFIG": ""}).listen.port == 8787
    other = path.with_name("other.yaml")
    other.write_text("listen: {port: 2}")
    assert load(other, {"RECOLLECT_CONFIG": str(path)}).listen.port == 2


@rows("content", ["", "# nothing\n", "---\n", "null\n", "{}"])
def test_an_empty_file_is_the_defaults(content, written):
    """A file of comments only is fine."""
    assert load(written(content)) == load()


@rows(
    "content, said",
    [
        *((each, "expected keys") for each in ("- a\n", "text", "5", "[]")),
        *(
            (each, "recollect.yaml")
            for each in ("a: [", "a: b: c", "\ta: 1", "a: !!python/object:x {}")
        ),
        ("api:\n  token: sk-hidden: [\n", "line 2"),
    ],
)
def test_a_file_that_is_no_mapping(content, said, written):
    """What was expected, or the file and the line; no object is made of tags.

    The line itself may hold a secret: it is not shown.
    """
    told = refused(written(content))
    assert said in told
    assert "hidden" not in told


LAUGHS = "\n".join(f"a{n + 1}: &a{n + 1} {{x: *a{n}, y: *a{n}, z: *a{n}}}" for n in range(40))


@rows(
    "content",
    [
        "[" * 20_000,
        "a: " + "[" * 20_000 + "]" * 20_000,
        "{a: " * 20_000,
        "upstream: " + "{a: " * 200 + "1" + "}" * 200,
        "\n".join(" " * n + "a:" for n in range(2_000)),
        "a: &a [*a]",
        "a: &a {b: *a}",
        "a0: &a0 {x: 1}\n" + LAUGHS,
        "a: 2026-02-31",
        "a: 2026-13-01T00:00:00Z",
        "a: " + "9" * 5_000,
    ],
)
def test_a_file_that_is_too_much(content, tmp_path):
    """One line says so, however it is nested; none of its text is shown."""
    path = tmp_path / "c.yaml"
    path.write_text(content)
    said = refused(path)
    assert said.startswith(f"{path}: ")
    assert said.isprintable()
    assert len(said) < len(str(path)) + 100


def test_a_file_that_cannot_be_read(tmp_path):
    """One that was named has to be there, and bytes that are not UTF-8 are refused by name."""
    (tmp_path / "c.yaml").write_bytes(b"listen: \xff\xfe")
    for path in (tmp_path / "c.yaml", tmp_path / "none.yaml", tmp_path):
        assert str(path) in refused(path)


def test_a_file_that_cannot_be_read_does_not_hide_the_variables(tmp_path):
    """Their own mistakes are told; what the file may have set is not missed."""
    environ = {
        "RECOLLECT_RECALL__LIMIT": "0",
        "RECOLLECT_REDIS__URL": "redis://h",
        "RECOLLECT_LISTEN__HOST": "0.0.0.0",
    }
    lines = refused(tmp_path / "none.yaml", environ, **{"listen.port": 70_000}).splitlines()
    assert "none.yaml: cannot be read" in lines[0]
    assert sorted(line.split(":")[0] for line in lines[1:]) == ["listen.port", "recall.limit"]


@rows(
    "name, value, key",
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


@rows("value", ["[not yaml", "{", "{a: b: c}", "[" * 20_000, "[2026-02-31]"])
def test_text_that_only_begins_like_a_list_stays_text(value):
    """A name or a key may start with a bracket."""
    assert load(environ={"RECOLLECT_IDENTITY__TENANT": value}).identity.tenant == value


def test_what_kubernetes_sets_is_no_setting():
    """A Service called recollect puts these into every pod of its namespace."""
    port = ("PORT", "PORT_8787_TCP", "PORT_8787_TCP_ADDR")
    for name in (*port, "SERVICE_HOST", "SERVICE_PORT", "SERVICE_PORT_HTTP"):
        assert load(environ={f"RECOLLECT_{name}": "tcp://10.0.0.1:8787"}) == load()


@rows(
    "name, value, variable",
    [
        ("UPSTREAM", "http://h:1/v1", "UPSTREAM__BASE_URL"),
        ("URL", "http://h:1/v1", "UPSTREAM__BASE_URL"),
        ("UPSTREAM_BASE_URL", "http://h:1/v1", "UPSTREAM__BASE_URL"),
        ("UPSTREAM__URL", "http://h:1/v1", "UPSTREAM__BASE_URL"),
        ("PORT", "9000", "LISTEN__PORT"),
        ("DATADIR", "/data", "DATA_DIR"),
        ("TOKEN", "t", "API__TOKEN"),
        ("LOG_LEVEL", "debug", "TELEMETRY__LOG_LEVEL"),
        ("IDENTITY", "gateway", "IDENTITY__MODE"),
        ("RECALL", "off", "RECALL__ENABLED"),
        ("LLM_API_KEY", "k", "LEARN__LLM__API_KEY"),
    ],
)
def test_a_natural_guess_is_told_the_variable(name, value, variable):
    """A section without its key, a key without its section, other separators; no value is shown."""
    [line] = refused(environ={f"RECOLLECT_{name}": value}).splitlines()
    assert f"the variable RECOLLECT_{name}; write " in line
    assert line.endswith(f" RECOLLECT_{variable})")
    assert value not in line.replace(name, "").replace(variable, "") or value in {"t", "k"}


def test_a_key_below_a_value_names_its_variable():
    """`data_dir` is no section; and a value for a section is not lost beside one of its keys."""
    environ = {"RECOLLECT_UPSTREAM": "http://h/v1", "RECOLLECT_UPSTREAM__BASE_URL": "http://i/v1"}
    assert refused(environ=environ).startswith("upstream: expected keys below it")
    line = refused(environ={"RECOLLECT_DATA_DIR__X": "y"})
    assert line.startswith("data_dir: expected a path (the variable RECOLLECT_DATA_DIR__X")
