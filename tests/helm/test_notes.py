"""The notes after an installation tell how to use it and warn of what gets lost."""

import shutil

import pytest

# helm prints notes only for an installation, and that needs a cluster: render them as data instead.
CARRIER = """
apiVersion: v1
kind: ConfigMap
metadata: {name: notes}
data: {notes: {{ tpl (.Files.Get "NOTES.txt") . | toJson }}}
"""


@pytest.fixture(scope="module")
def notes(render, chart, tmp_path_factory):
    """What `helm install` would print for an example."""
    copy = tmp_path_factory.mktemp("notes") / "recollect"
    shutil.copytree(chart, copy)
    shutil.copy(copy / "templates/NOTES.txt", copy / "NOTES.txt")
    (copy / "templates/carrier.yaml").write_text(CARRIER)

    def run(example, *sets):
        manifests = render(example, *sets, chart=copy)
        (found,) = [each for each in manifests if each["metadata"]["name"] == "notes"]
        return found["data"]["notes"]

    return run


def test_a_gateway_tells_its_address(notes):
    """Clients learn the base URL and what the memory API wants."""
    text = notes("gateway-embedded")
    assert "OPENAI_BASE_URL=http://demo-recollect.default.svc:8787/v1" in text
    assert "helm test demo" in text


def test_a_sidecar_tells_its_address(notes):
    """The agent's author learns that nothing is left to set."""
    assert "OPENAI_BASE_URL=http://127.0.0.1:8787/v1" in notes("sidecar")


def test_workers_tell_how_to_look_at_jobs(notes):
    """Who runs workers learns where to ask for jobs, and others do not."""
    command = "exec deploy/demo-recollect-worker -- recollect jobs list"
    assert command in notes("gateway-workers")
    assert "worker" not in notes("gateway-embedded")


def test_lost_data_is_warned_of(notes):
    """Only an embedded part without a volume earns the warning."""
    assert "WARNING" in notes("gateway-embedded", "persistence.enabled=false")
    assert "WARNING" not in notes("gateway-embedded")


def test_a_library_use_names_the_templates(notes):
    """With the agent off, the notes list what another chart can include."""
    assert "recollect.sidecar" in notes("sidecar", "agent.enabled=false")
