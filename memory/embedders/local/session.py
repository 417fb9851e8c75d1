"""The onnxruntime session and why its options are what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_ERRORS_ONLY = 3  # onnxruntime's log severity; its warnings are for people who write graphs


def open_session(graph: bytes, weights: Path, threads: int) -> Any:
    """Return an ``onnxruntime.InferenceSession`` of `graph` with the file `weights`.

    Raises what onnxruntime raises: Exceptions of no common base.
    """
    # Imported here: 0.1 s and 18 MB that no other embedder needs.
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = _ERRORS_ONLY
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait for the next run must not burn a core of the proxy meanwhile.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Patterns are kept per input shape, and every length of text is a new shape.
    options.enable_mem_pattern = False
    # Resolved, because onnxruntime refuses a link that leads out of the folder it was given.
    options.add_session_config_entry(
        "session.model_external_initializers_file_folder_path", str(weights.resolve().parent)
    )
    return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


# Measured with onnxruntime 1.31, one thread; resident memory in MB beyond Python, numpy and
# pydantic. Of it the imports are 24, the tokenizer 10, the encoder's weights 42. A question is 12
# tokens; bulk is 1,000 texts of 5 to 150 words, two runs of 256 tokens at a time.
#
#   options                          question    after 50    after bulk
#   as above                          5.0 ms        87          109
#   memory patterns on                5.1 ms        87          108   (grows with new shapes)
#   memory arena off                  5.2 ms        86          121
#   prepacking off                    8.4 ms        87          108
#   one run at a time                 5.2 ms        87           99
#   runs of 512 / 1,024 tokens        5.0 ms        87          129 / 170
#
# Choices in the graph, as differences measured in a bare script: the word table inside it costs 2
# at first and up to 44 with the vocabulary met; Transpose + MatMul for Gemm costs 11; neither
# changes the time of a question by more than 0.2 ms. Fused attention and norms of onnxruntime's own
# made no difference in either, so the graph has standard operators only.
#
# Prepacking costs no second copy: weights are mapped, packed once, and unmapped. Off, they stay
# mapped and could be shared by several processes of one machine, at 3 ms per question.
