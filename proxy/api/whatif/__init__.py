"""The route that asks the model server which memory changed an answer."""
