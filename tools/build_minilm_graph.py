"""Write `memory/embedders/local/minilm.onnx`: the all-MiniLM-L6-v2 graph without its weights.

    python tools/build_minilm_graph.py MODEL_DIR/model.safetensors

Needs the `onnx` package, which the product itself does not. The architecture is BERT (Devlin et al.
2018) with the sizes of the model's published `config.json`; mean pooling and normalisation follow
its `modules.json`. Every weight is *external data*: a place in the official `model.safetensors`,
so the graph is a few kilobytes and the weights stay one file anybody can check by its sha256.

Two choices keep one copy of the weights in memory instead of three (numbers in
`memory/embedders/local/session.py`):

- `Gemm(transB=1)` reads a weight as PyTorch stored it. A `Transpose` in front of a `MatMul` would
  be folded into a second copy at start.
- The word table (47 MB, half of all weights) is not in the graph: the caller looks its rows up and
  passes them as `words`.
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
GRAPH = Path(__file__).parents[1] / "memory/embedders/local/minilm.onnx"
OPSET, IR_VERSION = 20, 9  # the first opset with Gelu, and the file format of its time
MASKED = -1e9  # added to the score of padding; softmax makes it exactly zero


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

    def _constant(self, kind: int, dims: list[int], values: Any) -> str:
        name = f"const_{'_'.join(map(str, values))}_{len(dims)}"
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


def embeddings(b: Builder, shape: str) -> str:
    """Words + positions + the first (only) segment, normalised: [n * seq, hidden]."""
    sequence = b.op("Gather", shape, b.ints(1))
    positions = b.weight("embeddings.position_embeddings.weight")
    positions = b.op("Slice", positions, b.ints(0), sequence, b.ints(0))
    segments = b.weight("embeddings.token_type_embeddings.weight")
    segment = b.op("Gather", segments, b.ints(0))
    x = b.op("Add", "words", b.op("Add", positions, segment))
    return b.op("Reshape", b.norm(x, "embeddings.LayerNorm"), b.ints(-1, HIDDEN))


def attention(b: Builder, x: str, path: str, heads: str, mask: str) -> str:
    """Multi-head self-attention; `heads` is the shape [n, seq, heads, head size]."""

    def split(role: str, perm: list[int]) -> str:
        projected = b.linear(x, f"{path}.self.{role}")
        return b.op("Transpose", b.op("Reshape", projected, heads), perm=perm)

    scores = b.op("MatMul", split("query", [0, 2, 1, 3]), split("key", [0, 2, 3, 1]))
    scores = b.op("Mul", scores, b.number((HIDDEN // HEADS) ** -0.5))
    chances = b.op("Softmax", b.op("Add", scores, mask), axis=-1)
    context = b.op("MatMul", chances, split("value", [0, 2, 1, 3]))
    context = b.op("Transpose", context, perm=[0, 2, 1, 3])
    context = b.op("Reshape", context, b.ints(-1, HIDDEN))
    return b.linear(context, f"{path}.output.dense")


def layer(b: Builder, x: str, path: str, heads: str, mask: str) -> str:
    """One encoder layer: attention and a feed-forward part, each with residual and norm."""
    attended = attention(b, x, f"{path}.attention", heads, mask)
    x = b.norm(b.op("Add", attended, x), f"{path}.attention.output.LayerNorm")
    inner = b.op("Gelu", b.linear(x, f"{path}.intermediate.dense"))
    return b.norm(
        b.op("Add", b.linear(inner, f"{path}.output.dense"), x), f"{path}.output.LayerNorm"
    )


def pool(b: Builder, x: str, shape: str, mask: str) -> None:
    """Write `embedding`: the mean over real tokens, L2-normalised.

    The mean's division is left out, since normalising cancels it.
    """
    x = b.op("Reshape", x, b.op("Concat", shape, b.ints(HIDDEN), axis=0))
    real = b.op("Mul", x, b.op("Unsqueeze", mask, b.ints(2)))
    total = b.op("ReduceSum", real, b.ints(1), keepdims=0)
    b.op("Div", total, b.op("ReduceL2", total, b.ints(1), keepdims=1), output="embedding")


def build(weights: Path) -> onnx.ModelProto:
    """Return the whole model: words float32[n, seq, 384] and mask to embedding float32[n, 384]."""
    b = Builder(weights)
    shape = b.op("Shape", "attention_mask")
    heads = b.op("Concat", shape, b.ints(HEADS, HIDDEN // HEADS), axis=0)
    mask = b.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    padding = b.op("Mul", b.op("Sub", b.number(1.0), mask), b.number(MASKED))
    padding = b.op("Unsqueeze", padding, b.ints(1, 2))
    x = embeddings(b, shape)
    for index in range(LAYERS):
        x = layer(b, x, f"encoder.layer.{index}", heads, padding)
    pool(b, x, shape, mask)
    graph = helper.make_graph(
        b.nodes,
        "all-MiniLM-L6-v2",
        [
            helper.make_tensor_value_info("words", TensorProto.FLOAT, ["n", "seq", HIDDEN]),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["n", "seq"]),
        ],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", HIDDEN])],
        list(b.tensors.values()),
    )
    opsets = [helper.make_opsetid("", OPSET)]
    return helper.make_model(
        graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="recollect"
    )


def main() -> None:
    """Build, write, and say how large it became."""
    parser = argparse.ArgumentParser(description="Write the MiniLM graph without its weights.")
    parser.add_argument("weights", type=Path, help="the official model.safetensors")
    parser.add_argument("--out", type=Path, default=GRAPH)
    arguments = parser.parse_args()
    content = build(arguments.weights).SerializeToString(deterministic=True)
    arguments.out.write_bytes(content)
    print(f"{arguments.out}: {len(content)} bytes")


if __name__ == "__main__":
    main()
