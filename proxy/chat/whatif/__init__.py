"""Which memory changed the answer: a chat asked again without each line that memory added."""
