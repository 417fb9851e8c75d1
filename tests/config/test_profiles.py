"""What a profile lays over the file, and what it says of a name that is none."""

import yaml

from tests.support.folding import rows

from .loading import load, refused

BASE = {
    "listen": {"host": "127.0.0.2", "port": 1},
    "recall": {"limit": 7},
    "profiles": {"staging": {"listen": {"port": 2}}, "production": {"recall": {"limit": 9}}},
}


def beside(path, name, values):
    path.with_name(f"{path.stem}.{name}{path.suffix}").write_text(yaml.safe_dump(values), "utf-8")


def test_a_section_of_the_file(written):
    """Laid over it key by key; without a name it changes nothing."""
    path = written(BASE)
    settings = load(path, {"RECOLLECT_PROFILE": "staging"})
    assert (settings.listen.host, settings.listen.port) == ("127.0.0.2", 2)
    assert settings.recall.limit == 7
    assert load(path).listen.port == 1


def test_a_file_beside_it(written):
    """Alone, or over the section of its name; its name is the file's with one word more."""
    path = written(BASE)
    beside(path, "staging", {"recall": {"limit": 8}})
    beside(path, "local", {"listen": {"port": 3}})
    staging = load(path, {"RECOLLECT_PROFILE": "staging"})
    assert (staging.listen.port, staging.recall.limit) == (2, 8)
    assert load(path, {"RECOLLECT_PROFILE": "local"}).listen.port == 3


def test_its_place_among_the_sources(written):
    """Over the file, and under variables and flags; where a key was set is told."""
    path = written(BASE)
    environ = {"RECOLLECT_PROFILE": "staging", "RECOLLECT_RECALL__LIMIT": "5"}
    settings = load(path, environ, **{"listen.host": "127.0.0.3"})
    assert (settings.listen.host, settings.listen.port) == ("127.0.0.3", 2)
    assert settings.recall.limit == 5
    assert settings.source_of("listen.port") == "profile staging"
    assert settings.source_of("recall.limit") == "variable RECOLLECT_RECALL__LIMIT"


@rows(
    "name, content, told",
    [
        ("stagin", BASE, "profile: there is no 'stagin': did you mean 'staging'? known are"),
        ("test", BASE, "known are local, production, staging"),
        ("../x", BASE, "profile: there is no '../x'"),
        ("test", {"listen": {"port": 1}}, "known are local"),
        ("a", {"profiles": ["a"]}, "profiles: expected names"),
        ("a", {"profiles": {"a": 7}}, "profiles.a: expected settings"),
        ("a", {"profiles": {"a": {"listen": {"prot": 1}}}}, "listen.prot"),
        ("a", {"profiles": {"a": {"profiles": {}}}}, "profiles"),
    ],
)
def test_what_is_no_profile(written, name, content, told):
    """The start is refused, with those that there are."""
    path = written(content)
    beside(path, "local", {})
    assert told in refused(path, {"RECOLLECT_PROFILE": name})


def test_without_a_file():
    """A profile is a part of one: its name alone stops the start."""
    assert "profile: there is no 'staging'" in refused(None, {"RECOLLECT_PROFILE": "staging"})
