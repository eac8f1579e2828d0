import base64, json, os, time, urllib.error, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE_URL = os.environ.get("WATCHWORD_URL", "http://localhost:8080")
CREDENTIALS = f"{os.environ['API_KEY']}:{os.environ['API_SECRET']}"


def ask(path, form):
    """Posts a form as this resource server. Returns the status, and the JSON of a 200. Raises OSError when there is no answer."""
    request = urllib.request.Request(
        BASE_URL + path,
        data=urllib.parse.urlencode(form).encode(),
        headers={"Authorization": "Basic " + base64.b64encode(CREDENTIALS.encode()).decode()},
    )
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code, None


def by_token_info(token):
    """The user and the scopes of a token, or None for a token that is not valid."""
    status, info = ask("/v1/tokeninfo", {"access_token": token})
    if status in (404, 410):
        return None
    if status != 200:
        raise OSError(f"token info answered {status}")
    if "cnf" in info:  # It is bound to a key, which is not checked here.
        return None
    # Epoch milliseconds; 0 means that the token does not expire.
    if info["expires_in"] != 0 and info["expires_in"] <= time.time() * 1000:
        return None
    return info["principal"]["name"], info["scopes"]


def by_introspection(token):
    """The same by RFC 7662."""
    status, info = ask("/oauth2/introspect", {"token": token})
    if status != 200:
        raise OSError(f"introspection answered {status}")
    if not info["active"] or "cnf" in info:
        return None
    return info["username"], info["scope"].split()


class Api(BaseHTTPRequestHandler):
    find = staticmethod(by_introspection if os.environ.get("BY") == "introspection" else by_token_info)

    def do_GET(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            return self.answer(401, {}, 'Bearer realm="api"')
        try:
            found = self.find(token.strip())
        except OSError:
            return self.answer(503, {"error": "temporarily_unavailable"})
        if found is None:
            return self.answer(401, {"error": "invalid_token"}, 'Bearer realm="api", error="invalid_token"')
        user, scopes = found
        if "read" not in scopes:
            challenge = 'Bearer realm="api", error="insufficient_scope", scope="read"'
            return self.answer(403, {"error": "insufficient_scope"}, challenge)
        return self.answer(200, {"hello": user})

    def answer(self, status, body, challenge=None):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if challenge is not None:
            self.send_header("WWW-Authenticate", challenge)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


if __name__ == "__main__":
    ThreadingHTTPServer(("localhost", int(os.environ.get("PORT", "9000"))), Api).serve_forever()
