import { on, once } from 'node:events';
import { createServer } from 'node:http';
import * as client from 'openid-client';

const clientId = 'terminal-app';
const issuer = new URL(process.env.ISSUER);
const config = await client.discovery(issuer, clientId, undefined, client.None(), {
  // For a server on this machine. Every other one has https.
  execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
});

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const redirectUri = `http://127.0.0.1:${server.address().port}/callback`;
const pkceCodeVerifier = client.randomPKCECodeVerifier();
const expectedState = client.randomState();
const address = client.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: 'openid profile email',
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
});
console.log(`Open ${address}`);

for await (const [request, response] of on(server, 'request')) {
  const answer = new URL(request.url, redirectUri);
  if (answer.pathname !== '/callback' || answer.searchParams.get('state') !== expectedState) {
    response.writeHead(404).end();
    continue;
  }
  response.setHeader('connection', 'close').end('Go back to the terminal.');
  server.close();
  const tokens = await client.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedState });
  const { sub } = tokens.claims(); // the key of the user
  const user = await client.fetchUserInfo(config, tokens.access_token, sub);
  console.log(`Hello, ${user.name ?? sub}`);
  break;
}
