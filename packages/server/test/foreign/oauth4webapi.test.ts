import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { redirectUri, registerApplication } from '@watchword/server-testkit/clients/application';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { ClientKey } from '@watchword/testkit/client-key';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import * as oauth from 'oauth4webapi';

// The library rejects plain http unless the host is permitted; here it is loopback.
const insecure = { [oauth.allowInsecureRequests]: true };

/** A client that signs its assertions with the newer of its two keys. */
async function byKey(server: TestServer) {
  const [older, newer] = [await ClientKey.create('EdDSA', 'older'), await ClientKey.create('EdDSA', 'newer')];
  const { client } = await registerClient(server, {
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [older.jwk, newer.jwk] },
    tokenEndpointAuthSigningAlg: 'EdDSA',
  });
  const signing = { key: newer.privateKey, kid: 'newer' };
  return { client: { client_id: client.clientId }, secret: oauth.PrivateKeyJwt(signing) };
}

describe('oauth4webapi, an independent client library', () => {
  let server: TestServer;
  let as: oauth.AuthorizationServer;
  before(async () => {
    server = await startServer({ host: 'localhost', 'dpop.requireNonce': 'true' });
    as = await discover(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const bySecret = (authentication: (secret: string) => oauth.ClientAuth) => async () => ({
    client: { client_id: 'demo-service' },
    secret: authentication('demo-service-secret'),
  });
  for (const [method, registered] of [
    ['client_secret_basic', bySecret(oauth.ClientSecretBasic)],
    ['client_secret_post', bySecret(oauth.ClientSecretPost)],
    ['private_key_jwt', byKey],
  ] as const) {
    it(`discovers, gets a token, introspects and revokes with ${method}`, async () => {
      assert.ok(as.token_endpoint_auth_methods_supported?.includes(method));
      const { client, secret } = await registered(server);

      const response = await oauth.clientCredentialsGrantRequest(
        as,
        client,
        secret,
        { scope: 'read' },
        insecure,
      );
      const token = await oauth.processClientCredentialsResponse(as, client, response);
      assert.equal(token.scope, 'read');

      const introspect = async () =>
        oauth.processIntrospectionResponse(
          as,
          client,
          await oauth.introspectionRequest(as, client, secret, token.access_token, insecure),
        );
      assert.ok((await introspect()).active);
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, secret, token.access_token, insecure),
      );
      assert.ok(!(await introspect()).active);
    });
  }

  for (const kind of ['confidential', 'public'] as const) {
    it(`gets a ${kind} client through the authorization code flow with PKCE`, async () => {
      const app = await registerApplication(server, { allowedImplicitGrant: kind === 'public' });
      const client: oauth.Client = { client_id: app.client.clientId };
      const secret = app.credentials?.split(':')[1];
      const authentication = secret === undefined ? oauth.None() : oauth.ClientSecretBasic(secret);
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const { location } = await app.authorize({
        scope: 'read',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      // Checks state and issuer of the answer (RFC 9207).
      const answered = oauth.validateAuthResponse(as, client, new URL(location), state);
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        answered,
        redirectUri,
        verifier,
        insecure,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
      assert.equal(tokens.scope, 'read');
      if (tokens.refresh_token === undefined) return assert.equal(kind, 'public');
      const refreshed = await oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, authentication, tokens.refresh_token, insecure),
      );
      assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
    });
  }

  it('pushes an authorization request (PAR), and reads why one is refused', async () => {
    const app = await registerApplication(server);
    const client: oauth.Client = { client_id: app.client.clientId };
    const authentication = oauth.ClientSecretBasic(app.credentials?.split(':')[1] ?? '');
    const push = async (parameters: Record<string, string>) => {
      const all = { response_type: 'code', redirect_uri: redirectUri, ...parameters };
      const pushed = await oauth.pushedAuthorizationRequest(as, client, authentication, all, insecure);
      return oauth.processPushedAuthorizationResponse(as, client, pushed);
    };
    const { request_uri, expires_in } = await push({ scope: 'read', state: 'state-2' });
    assert.equal(expires_in, 60);
    const { location } = await followFlow(new UserAgent(), app.pushedUrl(request_uri));
    const answered = oauth.validateAuthResponse(as, client, new URL(location), 'state-2');
    assert.ok(answered.has('code'));
    await assert.rejects(
      push({ scope: 'admin' }),
      (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_scope',
    );
  });

  it('signs an authorization request (JAR) by PS256', async () => {
    const key = await ClientKey.create('PS256', 'one');
    const app = await registerApplication(server, { jwks: { keys: [key.jwk] } });
    assert.ok(as.request_object_signing_alg_values_supported?.includes('PS256'));
    const client: oauth.Client = { client_id: app.client.clientId };
    const parameters = { response_type: 'code', redirect_uri: redirectUri, scope: 'read', state: 'state-3' };
    const request = await oauth.issueRequestObject(as, client, parameters, {
      key: key.privateKey,
      kid: 'one',
    });
    const alone = { response_type: '', redirect_uri: '', state: '', request };
    const { location } = await app.authorize(alone);
    assert.ok(oauth.validateAuthResponse(as, client, new URL(location), 'state-3').has('code'));
  });

  it('validates a JWT access token as a resource server, and refuses one for another', async () => {
    const { resourceServer } = await registerResourceServer(server, 'Orders API', {
      accessTokenFormat: 'jwt',
    });
    const { credentials } = await registerClient(server, { expireDuration: 60 }, resourceServer.key);
    const answer = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const request = new Request('http://api.example/orders', {
      headers: { authorization: `Bearer ${answer.json.access_token}` },
    });
    const claims = await oauth.validateJwtAccessToken(as, request, resourceServer.key, insecure);
    assert.deepEqual([claims.iss, claims.aud, claims.scope], [as.issuer, resourceServer.key, 'read']);
    await assert.rejects(oauth.validateJwtAccessToken(as, request, 'other-api', insecure), /aud/);
  });

  it('gets a token that is bound to its key, with the nonce of the server', async () => {
    assert.ok(as.dpop_signing_alg_values_supported?.includes('ES256'));
    const client: oauth.Client = { client_id: 'demo-service' };
    const secret = oauth.ClientSecretBasic('demo-service-secret');
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const ask = async () => {
      const options = { ...insecure, DPoP };
      const answer = await oauth.clientCredentialsGrantRequest(as, client, secret, {}, options);
      return oauth.processClientCredentialsResponse(as, client, answer);
    };
    await assert.rejects(ask(), oauth.isDPoPNonceError);
    assert.equal((await ask()).token_type, 'dpop');
  });

  it('reads a denial of the user', async () => {
    const app = await registerApplication(server);
    const { location } = await app.authorize({}, { decision: 'deny' });
    const client: oauth.Client = { client_id: app.client.clientId };
    assert.throws(
      () => oauth.validateAuthResponse(as, client, new URL(location), 'state-1'),
      (error) => error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied',
    );
  });

  it('reads an error of the token endpoint', async () => {
    const client: oauth.Client = { client_id: 'demo-service' };
    const response = await oauth.clientCredentialsGrantRequest(
      as,
      client,
      oauth.ClientSecretBasic('demo-service-secret'),
      { scope: 'admin' },
      insecure,
    );
    await assert.rejects(oauth.processClientCredentialsResponse(as, client, response), (error) => {
      assert.ok(error instanceof oauth.ResponseBodyError);
      assert.equal(error.error, 'invalid_scope');
      return true;
    });
  });
});

async function discover(server: TestServer): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(server.service.baseUrl);
  const discovery = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
  return oauth.processDiscoveryResponse(issuer, discovery);
}
