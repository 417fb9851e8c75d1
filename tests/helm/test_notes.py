"""The notes after an installation tell how to use it and warn of what gets lost."""

import shutil

import pytest

from .conftest import CHART

# helm prints notes only for an installation, and that needs a cluster: render them as data instead.
CARRIER = """
apiVersion: v1
kind: ConfigMap
metadata: {name: notes}
data: {notes: {{ tpl (.Files.Get "NOTES.txt") . | toJson }}}
"""


@pytest.fixture(scope="module")
def notes(render, tmp_path_factory):
    """What `helm install` would print for an example."""
    copy = tmp_path_factory.mktemp("notes") / "recollect"
    shutil.copytree(CHART, copy)
    shutil.copy(copy / "templates/NOTES.txt", copy / "NOTES.txt")
    (copy / "templates/carrier.yaml").write_text(CARRIER)

    def run(example, *sets):
        manifests = render(example, *sets, chart=copy)
        (found,) = [each for each in manifests if each["metadata"]["name"] == "notes"]
        return found["data"]["notes"]

    return run


def test_the_notes(notes):
    """Clients learn the base URL, and who runs workers where to ask for jobs.

    Only an embedded part without a volume earns a warning; with the agent off, the notes list what
    another chart can include.
    """
    text = notes("gateway-embedded")
    assert "OPENAI_BASE_URL=http://demo-recollect.default.svc:8787/v1" in text
    assert "helm test demo" in text
    assert "worker" not in text
    assert "WARNING" not in text
    assert "WARNING" in notes("gateway-embedded", "persistence.enabled=false")
    assert "OPENAI_BASE_URL=http://127.0.0.1:8787/v1" in notes("sidecar")
    assert "recollect.sidecar" in notes("sidecar", "agent.enabled=false")
    command = "exec deploy/demo-recollect-worker -- recollect jobs list"
    assert command in notes("gateway-workers")
