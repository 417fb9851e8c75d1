"""Injected tools: a model uses memory on purpose, and the client sees the answer only.

`eligibility` says which requests take our tools, `splicing` adds them and what they answered,
`chat_rounds` and `responses_rounds` read what an answer holds, and make one ordinary answer of
several. All of these are pure. `loop` sends, runs the calls, and sends again.
"""
