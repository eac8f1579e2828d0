import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session, url_for
from markupsafe import escape

app = Flask(__name__)
app.secret_key = os.environ["SECRET_KEY"]
login = OAuth(app).register(
    "watchword",
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_id="python-app",
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/")
def home():
    user = session.get("user")
    if user is None:
        return '<a href="/login">Log in</a>'
    return f'{escape(user["name"])} <a href="/logout">Log out</a>'


@app.get("/login")
def log_in():
    return login.authorize_redirect(url_for("callback", _external=True))


@app.get("/callback")
def callback():
    # Authlib verifies state, nonce and the ID token, whose claims are in "userinfo".
    tokens = login.authorize_access_token()
    user = login.userinfo(token=tokens)
    if user["sub"] != tokens["userinfo"]["sub"]:
        return "The server names two users", 502
    session["user"] = {"sub": user["sub"], "name": user.get("name", user["sub"]), "email": user.get("email")}
    return redirect("/")


@app.get("/logout")
def log_out():
    session.clear()
    end = login.load_server_metadata()["end_session_endpoint"]
    return redirect(f"{end}?client_id=python-app&post_logout_redirect_uri={url_for('home', _external=True)}")
