"""Context compression: the old turns of a long conversation become an extract and lines.

`Compress` is in `filter`, not here: the exchange knows what was compressed.
"""
