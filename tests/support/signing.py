"""Signed tokens and their public keys, made in the test: no server is asked."""

from __future__ import annotations

import json
import time
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

ISSUER, AUDIENCE = "https://issuer.test", "recollect"
JWT = {"issuer": ISSUER, "audience": [AUDIENCE]}


class Signer:
    """An identity provider: `token` signs, `document` has the public keys."""

    def __init__(self, kid: str = "one", algorithm: str = "EdDSA") -> None:
        self.kid, self.algorithm = kid, algorithm
        self.key: Any
        if algorithm == "EdDSA":
            self.key = ed25519.Ed25519PrivateKey.generate()
            self.public = OKPAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        elif algorithm == "ES256":
            self.key = ec.generate_private_key(ec.SECP256R1())
            self.public = ECAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        else:
            self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
            self.public = RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)

    @property
    def document(self) -> bytes:
        public = {**self.public, "kid": self.kid, "use": "sig", "alg": self.algorithm}
        return json.dumps({"keys": [public]}).encode()

    def token(self, user: str | None = "ada", *, seconds: float = 36_000, **claims: Any) -> str:
        said = {"iss": ISSUER, "aud": AUDIENCE, "exp": int(time.time() + seconds), **claims}
        if user is not None:
            said["sub"] = user
        said = {name: value for name, value in said.items() if value is not None}
        return jwt.encode(said, self.key, algorithm=self.algorithm, headers={"kid": self.kid})
