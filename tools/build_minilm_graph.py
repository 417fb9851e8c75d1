"""Write the graph of all-MiniLM-L6-v2 without its weights, `memory/embedders/local/minilm.onnx`.

    python tools/build_minilm_graph.py MODEL_DIR/model.safetensors

It multiplies in 8-bit integers: nearly what the published model computes (cosine 0.995), at a third
of the price. `--exact` writes one that computes the same; nothing here reads it.

Needs the `onnx` package, which the product itself does not. The architecture is BERT (Devlin et al.
2018) with the sizes of the model's published `config.json`; mean pooling and normalisation follow
its `modules.json`. Every weight is *external data*: a place in the official `model.safetensors`,
so the graph is a few kilobytes and the weights stay one file anybody can check by its sha256.

Texts are not padded: the tokens of all texts of a run lie end to end, and a token sees only those
of its own text. The price is attention over all tokens, which at 128 of them is a few percent; the
gain is a third, because questions that wait together are never of equal length.

The word table (47 MB, half of all weights) is not in the graph: the caller looks its rows up and
passes them as `words`.

The graph quantises the weights itself: what depends on constants only is
computed once, when the session is made. Rows of weights and of activations have scales of their own
(as in LLM.int8(), Dettmers et al. 2022), so a text's vector does not depend on the others of its
run. Weights use 7 of the 8 bits, because sums of two 8-bit products overflow on processors without
VNNI, and the vectors must be the same on all.
"""

from __future__ import annotations

import argparse
import json
import struct
from pathlib import Path
from typing import Any

import onnx
from onnx import TensorProto, helper

LAYERS, HIDDEN, HEADS, EPSILON = 6, 384, 12, 1e-12
FOLDER = Path(__file__).parents[1] / "memory/embedders/local"
OPSET, IR_VERSION = 20, 9  # the first opset with Gelu, and the file format of its time
MASKED = -1e9  # added to the score of another text's token; softmax makes it exactly zero
INT8, INT7 = 127.0, 63.0
ZERO = 128  # the zero point of unsigned activations
CONTRIB = "com.microsoft"


class Builder:
    """Collects nodes and the places of weights; every `op` returns its output's name."""

    def __init__(self, weights: Path) -> None:
        with weights.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            self._header = json.loads(file.read(length))
        self._base = 8 + length
        self._location = weights.name
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: dict[str, onnx.TensorProto] = {}

    def op(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """Append one node."""
        name = output or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def weight(self, name: str) -> str:
        """Refer to a tensor of the safetensors file by its place in it."""
        entry = self._header[name]
        start, end = entry["data_offsets"]
        tensor = onnx.TensorProto(name=name, data_type=TensorProto.FLOAT, dims=entry["shape"])
        tensor.data_location = TensorProto.EXTERNAL
        place = {"location": self._location, "offset": self._base + start, "length": end - start}
        for key, value in place.items():
            tensor.external_data.add(key=key, value=str(value))
        self.tensors[name] = tensor
        return name

    def ints(self, *values: int) -> str:
        """Return a constant int64 vector."""
        return self._constant(TensorProto.INT64, [len(values)], values)

    def number(self, value: float) -> str:
        """Return a constant float scalar."""
        return self._constant(TensorProto.FLOAT, [], [value])

    def zero(self, kind: int, value: int) -> str:
        """Return a constant zero point."""
        return self._constant(kind, [], [value])

    def _constant(self, kind: int, dims: list[int], values: Any) -> str:
        name = f"const_{'_'.join(map(str, values))}_{len(dims)}_{kind}"
        self.tensors[name] = helper.make_tensor(name, kind, dims, values)
        return name

    def linear(self, x: str, path: str) -> str:
        """Multiply rows by a weight stored as PyTorch does, and add its bias."""
        return self.op(
            "Gemm", x, self.weight(f"{path}.weight"), self.weight(f"{path}.bias"), transB=1
        )

    def norm(self, x: str, path: str) -> str:
        """Layer normalisation over the hidden dimension."""
        scale, bias = self.weight(f"{path}.weight"), self.weight(f"{path}.bias")
        return self.op("LayerNormalization", x, scale, bias, axis=-1, epsilon=EPSILON)


class QuantizedBuilder(Builder):
    """Multiplies in int8; everything else stays as it is."""

    def __init__(self, weights: Path) -> None:
        super().__init__(weights)
        self._rows: dict[str, tuple[str, str]] = {}

    def linear(self, x: str, path: str) -> str:
        """Quantise rows of both sides, multiply, and scale back."""
        rows, row_scales = self._quantized_rows(x)
        weight = self.weight(f"{path}.weight")
        scales = self._scales(weight, INT7, keepdims=0)
        zero = self.op("Cast", self.op("Mul", scales, self.number(0.0)), to=TensorProto.INT8)
        columns = self.op("QuantizeLinear", weight, scales, zero, axis=0)
        columns = self.op("Transpose", columns, perm=[1, 0])
        product = self.op(
            "MatMulIntegerToFloat",
            *(rows, columns, self.number(1.0), scales, self.zero(TensorProto.UINT8, ZERO)),
            domain=CONTRIB,
        )
        product = self.op("Mul", product, row_scales)
        return self.op("Add", product, self.weight(f"{path}.bias"))

    def _quantized_rows(self, x: str) -> tuple[str, str]:
        if x not in self._rows:  # query, key and value multiply the same rows
            scales = self._scales(x, INT8, keepdims=1)
            zero = self.zero(TensorProto.UINT8, ZERO)
            scaled = self.op("Div", x, scales)
            self._rows[x] = (self.op("QuantizeLinear", scaled, self.number(1.0), zero), scales)
        return self._rows[x]

    def _scales(self, x: str, most: float, keepdims: int) -> str:
        top = self.op("ReduceMax", self.op("Abs", x), self.ints(1), keepdims=keepdims)
        return self.op("Mul", top, self.number(1 / most))


def embeddings(b: Builder) -> str:
    """Words + positions + the first (only) segment, normalised: [tokens, hidden]."""
    positions = b.op("Gather", b.weight("embeddings.position_embeddings.weight"), "positions")
    segments = b.weight("embeddings.token_type_embeddings.weight")
    segment = b.op("Gather", segments, b.ints(0))
    x = b.op("Add", "words", b.op("Add", positions, segment))
    return b.norm(x, "embeddings.LayerNorm")


def attention(b: Builder, x: str, path: str, mask: str) -> str:
    """Multi-head self-attention over all tokens; the mask keeps texts apart."""

    def split(role: str, perm: list[int]) -> str:
        heads = b.ints(-1, HEADS, HIDDEN // HEADS)
        projected = b.linear(x, f"{path}.self.{role}")
        return b.op("Transpose", b.op("Reshape", projected, heads), perm=perm)

    query = b.op("Mul", split("query", [1, 0, 2]), b.number((HIDDEN // HEADS) ** -0.5))
    scores = b.op("MatMul", query, split("key", [1, 2, 0]))
    chances = b.op("Softmax", b.op("Add", scores, mask), axis=-1)
    context = b.op("MatMul", chances, split("value", [1, 0, 2]))
    context = b.op("Transpose", context, perm=[1, 0, 2])
    context = b.op("Reshape", context, b.ints(-1, HIDDEN))
    return b.linear(context, f"{path}.output.dense")


def layer(b: Builder, x: str, path: str, mask: str) -> str:
    """One encoder layer: attention and a feed-forward part, each with residual and norm."""
    attended = attention(b, x, f"{path}.attention", mask)
    x = b.norm(b.op("Add", attended, x), f"{path}.attention.output.LayerNorm")
    inner = b.op("Gelu", b.linear(x, f"{path}.intermediate.dense"))
    return b.norm(
        b.op("Add", b.linear(inner, f"{path}.output.dense"), x), f"{path}.output.LayerNorm"
    )


def pool(b: Builder, x: str) -> None:
    """Write `embedding`: the mean over a text's tokens, L2-normalised.

    The mean's division is left out, since normalising cancels it.
    """
    total = b.op("MatMul", "texts", x)
    b.op("Div", total, b.op("ReduceL2", total, b.ints(1), keepdims=1), output="embedding")


def build(b: Builder) -> onnx.ModelProto:
    """Return the whole model.

    In: `words` float32[tokens, 384], `positions` int64[tokens] of each token in its text, and
    `texts` float32[n, tokens], one where a token belongs to a text. Out: `embedding` float32[n,
    384].
    """
    same = b.op("MatMul", b.op("Transpose", "texts", perm=[1, 0]), "texts")
    mask = b.op("Mul", b.op("Sub", b.number(1.0), same), b.number(MASKED))
    x = embeddings(b)
    for index in range(LAYERS):
        x = layer(b, x, f"encoder.layer.{index}", mask)
    pool(b, x)
    inputs = {
        "words": (TensorProto.FLOAT, ["tokens", HIDDEN]),
        "positions": (TensorProto.INT64, ["tokens"]),
        "texts": (TensorProto.FLOAT, ["n", "tokens"]),
    }
    return model(b, "all-MiniLM-L6-v2", inputs, HIDDEN)


def model(b: Builder, name: str, inputs: dict[str, tuple[int, list[Any]]], dim: int) -> Any:
    """Return the model of what was collected; its output is `embedding` float32[n, dim]."""
    output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", dim])
    given = [helper.make_tensor_value_info(each, *kind) for each, kind in inputs.items()]
    graph = helper.make_graph(b.nodes, name, given, [output], list(b.tensors.values()))
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIB, 1)]
    return helper.make_model(
        graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="recollect"
    )


def write_model(graph: Any, path: Path) -> None:
    """Write a model, and say how large it became."""
    content = graph.SerializeToString(deterministic=True)
    path.write_bytes(content)
    print(f"{path}: {len(content)} bytes")


def main() -> None:
    """Build, write, and say how large they became."""
    parser = argparse.ArgumentParser(description="Write MiniLM's graph without its weights.")
    parser.add_argument("weights", type=Path, help="the official model.safetensors")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--exact", action="store_true", help="in single precision")
    arguments = parser.parse_args()
    builder = (Builder if arguments.exact else QuantizedBuilder)(arguments.weights)
    write_model(build(builder), arguments.out / "minilm.onnx")


if __name__ == "__main__":
    main()
