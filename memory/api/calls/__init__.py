"""The methods of `AsyncMemory` by what they do. They check who is meant and ask the delegates."""
