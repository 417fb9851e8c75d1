"""All forty-two are here."""

import re
from pathlib import Path

HERE = Path(__file__).parent


def sources():
    return [file.read_text("utf-8") for file in HERE.glob("test_*.py") if file != Path(__file__)]


def test_every_number_is_there():
    """Each of the forty-two behaviours has a test that carries its number, and no other has one."""
    numbers = {int(n) for text in sources() for n in re.findall(r"def test_(\d+)_", text)}
    assert numbers == set(range(1, 43))
