"""A configuration file of a test's own."""

import pytest
import yaml


@pytest.fixture
def written(tmp_path):
    """Write a configuration file; its path."""

    def write(content):
        path = tmp_path / "recollect.yaml"
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), "utf-8")
        return path

    return write
