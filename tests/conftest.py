"""What all tests share."""

from hypothesis import settings

# How long an example takes says something about the machine, not about the product.
settings.register_profile("recollect", deadline=None)
settings.load_profile("recollect")
