"""Options of earlier versions are refused by name, wherever they are set."""

import pytest
import yaml

from recollect.config import load_settings
from recollect.memory import MemoryOptions
from recollect.memory.engine.option_errors import keys_of
from recollect.memory.engine.options import read_options
from recollect.memory.engine.retired_options import RETIRED, retired
from recollect.memory.model.errors import ConfigError
from tests.support.folding import rows

OF_THE_PROXY = ("api", "events", "listen", "upstream")


def nested(key, value=1):
    """The key as a file has it; of an embedder, one that never had it otherwise."""
    for name in reversed(key.split(".")):
        value = {name: value}
    return value


def backend_of(key):
    """The backend without the key, where others still have it."""
    local = {"embedder.batch_size", "embedder.max_tokens", "embedder.quantized"}
    return "local" if key in local else "openai"


@pytest.mark.parametrize("key", [key for key in RETIRED if not key.startswith("llm.")])
def test_a_start_names_the_key(tmp_path, key):
    """In a file, a variable and a flag: one line, with the value it has now or its successor."""
    file = tmp_path / "recollect.yaml"
    file.write_text(yaml.safe_dump(nested(key)))
    variable = "RECOLLECT_" + key.upper().replace(".", "__")
    backend = {"embedder.backend": backend_of(key)}
    told, others = RETIRED[key]
    for ways in ({"path": file, "environ": {}}, {"environ": {variable: "1"}}, {"flags": {key: 1}}):
        flags = backend | ways.get("flags", {})
        with pytest.raises(ConfigError) as refused:
            load_settings(**{"environ": {}, **ways, "flags": flags})
        [line] = str(refused.value).splitlines()
        assert line.startswith(f"{key}: {told}")
        assert (variable in line) is (variable in ways.get("environ", {}))
    assert told.startswith("no longer a setting")
    assert set(others) <= set(keys_of(type(load_settings(environ={}))))


@rows("key", [key for key in RETIRED if not key.startswith(OF_THE_PROXY)])
def test_the_library_names_the_key(key):
    """Its options are the same mapping, without the proxy."""
    values = nested(key)
    if "embedder" in values:
        values["embedder"]["backend"] = backend_of(key)
    with pytest.raises(ConfigError) as refused:
        read_options(MemoryOptions, values)
    assert str(refused.value).startswith(f"{key}: {RETIRED[key][0]}")


def test_every_key_of_a_section_is_named():
    """One line for each; a section of which nothing is known is an unknown key."""
    old = {"fusion": {"method": "rrf", "weights": {"dense": 1}}}
    with pytest.raises(ConfigError) as refused:
        read_options(MemoryOptions, {"recall": old})
    keys = [line.partition(":")[0] for line in str(refused.value).splitlines()]
    assert keys == ["recall.fusion.method", "recall.fusion.weights.dense"]
    assert list(retired("recall.fusion", {"metod": 1})) == []
