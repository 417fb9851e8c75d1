"""`recollect models fetch`: the embedding weights."""

from recollect.memory.embedders.local.weights import NEEDED
from recollect.proxy.cli import main
from tests.support.folding import rows


@rows("model", NEEDED)
def test_the_weights_of_the_configured_model(environ, capsys, model):
    """Those that it needs are fetched, and no others."""
    fetched = []
    environ.setenv("RECOLLECT_EMBEDDER__BACKEND", "local")
    environ.setenv("RECOLLECT_EMBEDDER__MODEL", model)
    environ.setattr("recollect.proxy.commands.weights.fetch", lambda _, each: fetched.append(each))
    assert main(["models", "fetch"]) == 0
    assert tuple(fetched) == NEEDED[model]
    assert all(each.model_id in capsys.readouterr().err for each in fetched[:1])
