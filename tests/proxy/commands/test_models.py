"""`recollect models fetch`: the embedding weights."""

from recollect.memory.embedders.local.weights import NEEDED
from recollect.proxy.cli import main
from tests.support.folding import rows


@rows("fetched, said", [(True, "fetched into"), (False, "are in")])
def test_models_fetch(environ, capsys, fetched, said, tmp_path):
    """It says where the weights are, whether or not they had to be fetched."""
    environ.setenv("RECOLLECT_EMBEDDER__BACKEND", "local")
    environ.setattr("recollect.proxy.commands.weights.fetch", lambda *_: fetched)
    assert main(["models", "fetch"]) == 0
    shown = capsys.readouterr().err
    assert said in shown
    assert str(tmp_path / "data" / "models") in shown


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


def test_models_fetch_fails_clearly(environ, capsys):
    """Status 1 and the reason."""
    from recollect.memory.model.errors import EmbeddingError

    def fail(*_):
        raise EmbeddingError("the index is away")

    environ.setenv("RECOLLECT_EMBEDDER__BACKEND", "local")
    environ.setattr("recollect.proxy.commands.weights.fetch", fail)
    assert main(["models", "fetch"]) == 1
    assert "the index is away" in capsys.readouterr().err
