"""`recollect check`: the findings and the exit status."""

from recollect.proxy.cli import main
from tests.support.ports import free_port


def test_check_tells_by_its_status(environ, capsys):
    """One broken part is status 1, and every part is in the output."""
    environ.setenv("RECOLLECT_UPSTREAM__BASE_URL", f"http://127.0.0.1:{free_port()}/v1")
    assert main(["check"]) == 1
    shown = capsys.readouterr().out
    assert "FAIL  upstream" in shown
    assert "ok    embedder" in shown


def test_an_extraction_without_facts_is_a_failure(environ, capsys):
    """Nobody answers there: the reason word, the advice, and status 1."""
    environ.setenv("RECOLLECT_LEARN__LLM__BASE_URL", f"http://127.0.0.1:{free_port()}/v1")
    assert main(["check", "--extract"]) == 1
    told = capsys.readouterr()
    assert "FAIL  model_unreachable" in told.out
    # A slow model may take minutes: whoever waits knows for what, and how long at most.
    assert "at most 120 s for each answer" in told.err
