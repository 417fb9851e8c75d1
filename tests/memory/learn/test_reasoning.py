from recollect.memory.learn.reasoning import strip_reasoning


def test_strip_reasoning():
    """Blocks go, whether closed, cut off or opened by the template; text around them stays."""
    assert strip_reasoning("a <think>b</think> c <thinking>d</thinking> e") == "a  c  e"
    assert strip_reasoning("a <think>b") == "a"
    assert strip_reasoning("a</think>b</think> c") == "c"
