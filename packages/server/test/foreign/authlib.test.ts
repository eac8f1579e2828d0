import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { redirectUri } from '@watchword/server-testkit/clients/application';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { persona, registerOpenidClient } from '../support/openid-client.ts';

/** Where the packages of Debian are. */
const python = '/usr/bin/python3';
const skip = isInstalled()
  ? false
  : 'Authlib is not installed (Debian packages python3-authlib and python3-requests)';

/** Prints the address for the browser, reads the one of the response, and prints the claims. */
const program = `
import json, os, requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import jwt
from authlib.oidc.core import CodeIDToken, UserInfo

issuer, client_id = os.environ["ISSUER"], os.environ["CLIENT_ID"]
metadata = requests.get(issuer + "/.well-known/openid-configuration").json()
session = OAuth2Session(client_id, os.environ["CLIENT_SECRET"], scope="openid profile email",
    redirect_uri=os.environ["REDIRECT_URI"], code_challenge_method="S256",
    token_endpoint_auth_method="client_secret_basic")
verifier, nonce = generate_token(48), generate_token()
url, state = session.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
print(url, flush=True)
token = session.fetch_token(
    metadata["token_endpoint"], authorization_response=input(), state=state, code_verifier=verifier)
keys = requests.get(metadata["jwks_uri"]).json()
claims = jwt.decode(token["id_token"], keys, claims_cls=CodeIDToken,
    claims_options={"iss": {"value": issuer}, "aud": {"value": client_id}},
    claims_params={"nonce": nonce, "client_id": client_id, "access_token": token["access_token"]})
claims.validate()
userinfo = UserInfo(session.get(metadata["userinfo_endpoint"]).json())
print(json.dumps({"sub": claims.sub, "same": userinfo.sub == claims.sub, "email": userinfo.email}))
`;

describe('Authlib, an independent library for Python', { skip }, () => {
  it('logs a user in with PKCE and nonce, verifies the ID token and reads userinfo', async () => {
    await using server = await startServer({ host: 'localhost', authenticator: anyPerson });
    const { client, credentials } = await registerOpenidClient(server);
    const child = spawn(python, ['-c', program], {
      env: {
        ISSUER: server.service.baseUrl,
        CLIENT_ID: client.clientId,
        CLIENT_SECRET: credentials?.split(':')[1] ?? '',
        REDIRECT_URI: redirectUri,
      },
    });
    const failure = text(child.stderr);
    const ended = once(child, 'close');
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const { value: url = '' } = await lines.next();
    if (url === '') assert.fail(await failure);
    const { location } = await followFlow(new UserAgent(), url, { password: persona });
    child.stdin.end(`${location}\n`);
    const { value: printed } = await lines.next();
    await ended;
    assert.equal(child.exitCode, 0, await failure);
    const { sub, ...others } = JSON.parse(printed ?? '');
    assert.match(sub, /^[\w-]{43}$/);
    assert.deepEqual(others, { same: true, email: 'emma@example.org' });
  });
});

function isInstalled(): boolean {
  try {
    execFileSync(python, ['-c', 'import authlib.jose, requests'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
