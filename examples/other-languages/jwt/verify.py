"""Verifies JWT access tokens (RFC 9068), as docs/guides/jwt-access-tokens.md explains."""

import jwt

ISSUER = "https://id.example.com"
keys = jwt.PyJWKClient(ISSUER + "/oauth2/jwks")


def verify(token):
    """The claims of an access token. Raises jwt.PyJWTError; PyJWKClientConnectionError means that the server did not answer."""
    found = jwt.decode_complete(
        token,
        keys.get_signing_key_from_jwt(token),
        algorithms=["RS256"],
        issuer=ISSUER,
        audience="orders-api",
        leeway=5,  # iat can be a second ahead.
        options={"require": ["sub", "client_id", "jti", "iat", "exp"]},
    )
    if found["header"].get("typ") != "at+jwt" or "cnf" in found["payload"]:
        raise jwt.InvalidTokenError("it is no access token, or bound to a key")
    return found["payload"]
