"""Injected tools: a model uses memory on purpose, and the client sees the answer only.

`eligibility` says which requests take our tools, `splicing` adds them and what they answered,
`rounds` reads what an answer holds, `chat_stream` and `responses_stream` make one ordinary stream
of several. All of these are pure. `loop` sends, runs the calls, and sends again.
"""
