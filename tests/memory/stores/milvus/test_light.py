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


def test_it_is_imported_without_pandas_and_works_with_it():
    """They would take 70 MB of every process; a stand-in passes every use on to the original."""
    _run("""
heavy = {"pandas", "pandas.api.types", "pyarrow", "requests"} & sys.modules.keys()
assert not heavy, heavy
from pymilvus.orm import schema, types
assert schema.is_valid_insert_data([]) and not schema.is_valid_insert_data(3)
assert schema.is_scalar(1) and not types.is_list_like(1)
import pandas
assert sys.modules["pandas"] is pandas and pandas.Series is schema.pd.Series
frame = pandas.DataFrame({"a": [1]})
assert isinstance(schema.pd.DataFrame({"a": [1]}), pandas.DataFrame)
assert schema.is_valid_insert_data(frame) and schema.construct_fields_from_dataframe(frame)
""")


def test_what_is_imported_already_stays():
    """A program that imported pandas first keeps it; whoever imports it meanwhile has it."""
    _run(
        """
from pymilvus.orm import schema
assert schema.pd is pandas is sys.modules['pandas']
for name in [each for each in sys.modules if each.partition(".")[0] in {"pymilvus", "pandas"}]:
    del sys.modules[name]
from recollect.memory.stores.milvus import light
sys.modules.update(light._stand_ins())
from pandas import DataFrame
import pandas
assert pandas.__version__
""",
        before="import pandas",
    )
