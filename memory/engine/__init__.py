"""Opens and composes the parts, as the options say."""
