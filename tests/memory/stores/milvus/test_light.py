"""pymilvus is imported without pandas, and works with it nevertheless."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

IMPORTED = """
import sys
from recollect.memory.stores.milvus.light import import_pymilvus
import_pymilvus()
"""


def _run(code: str, *, before: str = "") -> None:
    program = [sys.executable, "-c", before + IMPORTED + code]
    done = subprocess.run(program, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_neither_pandas_nor_pyarrow_nor_requests_is_imported() -> None:
    """They would take 70 MB of every process that uses Milvus."""
    _run("""
heavy = {"pandas", "pandas.api.types", "pyarrow", "requests"} & sys.modules.keys()
assert not heavy, heavy
""")


def test_data_frames_of_others_are_recognised() -> None:
    """A program that gives pymilvus a data frame finds that it works as ever."""
    _run("""
from pymilvus.orm import schema
assert schema.is_valid_insert_data([]) and not schema.is_valid_insert_data(3)
import pandas
assert schema.is_valid_insert_data(pandas.DataFrame({"a": [1]}))
assert schema.construct_fields_from_dataframe(pandas.DataFrame({"a": [1]}))
""")


def test_what_is_used_of_pandas_imports_it() -> None:
    """A stand-in passes every use on to the original, which then stands in its own place."""
    _run("""
from pymilvus.orm import schema, types
assert schema.is_scalar(1) and not types.is_list_like(1)
import pandas
assert sys.modules["pandas"] is pandas and pandas.Series is schema.pd.Series
assert isinstance(schema.pd.DataFrame({"a": [1]}), pandas.DataFrame)
""")


def test_what_is_imported_already_stays() -> None:
    """A program that imported pandas first keeps it, and pymilvus uses it."""
    _run(
        "from pymilvus.orm import schema\nassert schema.pd is pandas is sys.modules['pandas']",
        before="import pandas",
    )


@pytest.mark.parametrize(
    "use",
    [
        "from pandas import DataFrame\nassert DataFrame({'a': [1]}).shape == (1, 1)",
        "import pandas\nassert pandas.__version__ and pandas.Series([1]).sum() == 1",
    ],
)
def test_whoever_imports_pandas_meanwhile_has_it(use: str) -> None:
    """Another thread finds the stand-in, and every name of the original behind it."""
    _run(f"""
for name in [each for each in sys.modules if each.partition(".")[0] == "pymilvus"]:
    del sys.modules[name]
from recollect.memory.stores.milvus import light
sys.modules.update(light._stand_ins())
{use}
""")
