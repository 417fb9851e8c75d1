"""The README's picture."""

import importlib.util
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("draw_flow", ROOT / "tools" / "draw_flow.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_is_current(tool, monkeypatch):
    """`make docs` would change nothing."""
    monkeypatch.setattr("sys.argv", ["draw_flow.py", "--check"])
    assert tool.main() == 0


def test_a_picture_that_is_not_current_is_noticed(tool, monkeypatch, tmp_path):
    """A missing one is written, and is current then."""
    monkeypatch.setattr(tool, "TARGET", tmp_path / "flow.svg")
    monkeypatch.setattr("sys.argv", ["draw_flow.py", "--check"])
    assert tool.main() == 1
    monkeypatch.setattr("sys.argv", ["draw_flow.py"])
    assert tool.main() == 0
    assert ET.parse(tmp_path / "flow.svg").getroot().tag.endswith("svg")  # noqa: S314 - our own file


def test_nothing_leaves_the_picture(tool):
    """Each box lies inside, and no two overlap."""
    boxes = [each[:4] for each in tool.BOXES.values()]
    for x, y, width, height in boxes:
        assert 0 <= x < x + width <= tool.WIDTH
        assert 0 <= y < y + height <= tool.HEIGHT
    apart = [
        a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1]
        for n, a in enumerate(boxes)
        for b in boxes[:n]
    ]
    assert all(apart)
