"""The onnxruntime session, and the reasons for its options."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

_ERRORS_ONLY = 3  # onnxruntime's log severity; its warnings are for people who write graphs


def open_session(graph: bytes | str, weights: Path, threads: int) -> Any:
    """An ``onnxruntime.InferenceSession`` of `graph` (bytes, or its path) with the file `weights`.

    Raises what onnxruntime raises: Exceptions without a common base.
    """
    # Without this, onnxruntime 1.31 sends telemetry some seconds after its import and stores an id
    # of this device below the home folder.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    # Imported here: 0.1 s and 18 MB that no other embedder needs.
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = _ERRORS_ONLY
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Waiting threads must not burn a core of the proxy.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Patterns are cached per input shape, and every text length is a new shape.
    options.enable_mem_pattern = False
    # Resolved: onnxruntime refuses a link that leads out of the given folder.
    options.add_session_config_entry(
        "session.model_external_initializers_file_folder_path", str(weights.resolve().parent)
    )
    return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


# Measured with onnxruntime 1.31, one thread, on a busy machine: only differences count. Processor
# time in ms, of the whole process; resident memory in MB beyond Python, numpy and pydantic. Of it
# the imports are 24, the tokenizer 10. MiniLM alone, in single precision but for the second row. A
# question is 12 tokens; bulk is 600 texts of 5 to 150 words, one run of 128 tokens at a time.
#
#   options                          question    after 50    after bulk    bulk
#   as above                           6.3         85           93         13.8 s
#   as above, the int8 graph in use    3.6         83           87          6.6 s
#   memory patterns on                 6.4         85           96         13.8 s
#   memory arena off                   5.8         86          119         14.2 s
#   prepacking off                    10.3         85           93         16.4 s
#   two runs at a time                 6.2         85           94         14.3 s
#   runs of 256 / 512 tokens         6.4 / 7.1     85           95       14.4 / 15.0 s
#
# Choices in the graph, as differences measured in a bare script: the word table inside it costs 2
# at first and up to 44 with the vocabulary met; Transpose + MatMul for Gemm costs 11; neither
# changes the time of a question by more than 0.2 ms. Fused attention and norms of onnxruntime's own
# made no difference in either. Texts end to end
# instead of padded: 4.8 against 5.1 ms for a question alone, 3.2 against 4.1 for eight together.
#
# Prepacking costs no second copy: weights are mapped, packed once, and unmapped. Off, they stay
# mapped and could be shared by several processes of one machine, at 4 ms per question.
#
# The int8 graph quantises when the session is made, in 0.09 s. Of other ways to quantise
# (questions of 14 tokens; alone and of eight together; cosine to the exact vectors; share of
# evidence found on LoCoMo, dense only, ten best):
#
#   exact                                       4.8 ms   3.2 ms   1        0.416
#   rows of both sides, 7-bit weights (this)    2.3      1.7      0.997    0.421
#   rows of both sides, 8-bit weights           2.6      1.5      0.998    0.406
#   DynamicQuantizeMatMul                       2.1      1.4      0.995    0.436
#   MatMulNBits, 8 bits, blocks of 64           3.1      2.5      0.9995   0.413
#
# Nothing was gained in the int8 graph by one product for query, key and value, by quantising rows
# with their scales as an axis (both 1 to 3 %), by padded attention (a quarter slower), by
# SkipLayerNormalization (a fifth slower), or in its vectors by clipping weights or by moving the
# scales of channels from activations to weights (cosine 0.992 to 0.9965 instead of 0.996).
#
# USE in 8-bit integers would save another tenth of the pair's time (cosine 0.9999); in single
# precision its vectors are those of the package, and what was measured on them holds.
#
# The differences on LoCoMo are noise. DynamicQuantizeMatMul has one scale for all activations of a
# run, so a text's vector depends on its neighbours; 8-bit weights overflow where VNNI is missing.
