import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  pkce,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { ClientKey } from '@watchword/testkit/client-key';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import * as oauth from 'openid-client';

describe('openid-client, an independent client library', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer({ host: 'localhost', 'dpop.requireNonce': 'true' });
    app = await registerApplication(server, { expireDuration: 600 });
  });
  after(() => server[Symbol.asyncDispose]());

  /** The flow of its documentation: discovery, then the address for the browser, then the code. */
  const connect = (clientId: string, authentication: oauth.ClientAuth) =>
    oauth.discovery(new URL(server.service.baseUrl), clientId, undefined, authentication, {
      algorithm: 'oauth2',
      // The library rejects plain http unless the host is permitted; here it is loopback.
      execute: [oauth.allowInsecureRequests],
    });
  const flow = async (
    configuration: oauth.Configuration,
    scope: string,
    urlOf: (
      configuration: oauth.Configuration,
      parameters: Record<string, string>,
    ) => URL | Promise<URL> = oauth.buildAuthorizationUrl,
    options: oauth.AuthorizationCodeGrantOptions = {},
  ) => {
    const verifier = oauth.randomPKCECodeVerifier();
    const state = oauth.randomState();
    const url = await urlOf(configuration, {
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const { location } = await followFlow(new UserAgent(), url.href);
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    return oauth.authorizationCodeGrant(configuration, new URL(location), checks, {}, options);
  };
  const secret = () => app.credentials?.split(':')[1] ?? '';

  const keyed = async (algorithm: string) => {
    const key = await ClientKey.create(algorithm);
    const { client } = await registerApplication(server, {
      expireDuration: 600,
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
    });
    return connect(client.clientId, oauth.PrivateKeyJwt(key.privateKey));
  };
  // Clients of the tests have every method and algorithm: authenticate-client.test.ts and private-key-jwt.test.ts.
  for (const [test, method, connected] of [
    [it, 'client_secret_basic', () => connect(app.client.clientId, oauth.ClientSecretBasic(secret()))],
    [slowTest, 'client_secret_post', () => connect(app.client.clientId, oauth.ClientSecretPost(secret()))],
    [it, 'private_key_jwt and ES256', () => keyed('ES256')],
    [slowTest, 'private_key_jwt and PS256', () => keyed('PS256')],
  ] as const) {
    test(`gets, refreshes, introspects and revokes tokens of a user with ${method}`, async () => {
      const configuration = await connected();
      const tokens = await flow(configuration, 'read write');
      assert.equal(tokens.token_type, 'bearer');
      assert.equal(tokens.scope, 'read write');
      assert.ok((tokens.expiresIn() ?? 0) > 590);

      const refreshed = await oauth.refreshTokenGrant(configuration, tokens.refresh_token ?? '', {
        scope: 'read',
      });
      assert.equal(refreshed.scope, 'read');
      const introspected = await oauth.tokenIntrospection(configuration, refreshed.access_token);
      assert.ok(introspected.active);
      assert.equal(introspected.scope, 'read');
      assert.equal(introspected.client_id, configuration.clientMetadata().client_id);

      await oauth.tokenRevocation(configuration, refreshed.refresh_token ?? '');
      for (const token of [tokens.access_token, refreshed.access_token]) {
        assert.ok(!(await oauth.tokenIntrospection(configuration, token)).active);
      }
    });
  }

  it('completes the flow for a public client, which has no secret and no refresh token', async () => {
    const publicApp = await registerApplication(server, { allowedImplicitGrant: true });
    const tokens = await flow(await connect(publicApp.client.clientId, oauth.None()), 'read');
    assert.equal(tokens.scope, 'read');
    assert.equal(tokens.refresh_token, undefined);
  });

  it('pushes its authorization requests (PAR), as a client that must and as a public one', async () => {
    const par = oauth.buildAuthorizationUrlWithPAR;
    const strict = await registerApplication(server, { requirePushedAuthorizationRequests: true });
    const [clientId = '', itsSecret = ''] = strict.credentials?.split(':') ?? [];
    const configuration = await connect(clientId, oauth.ClientSecretBasic(itsSecret));
    const urls: URL[] = [];
    const tokens = await flow(configuration, 'read', async (...given) => {
      const url = await par(...given);
      urls.push(url);
      return url;
    });
    assert.equal(tokens.scope, 'read');
    // Nothing of the request is in the address.
    assert.deepEqual([...(urls[0]?.searchParams.keys() ?? [])].toSorted(), ['client_id', 'request_uri']);
    await assert.rejects(
      flow(configuration, 'read'),
      (error) => error instanceof oauth.AuthorizationResponseError && error.error === 'invalid_request',
    );
    const publicApp = await registerApplication(server, { confidential: false });
    const its = await flow(await connect(publicApp.client.clientId, oauth.None()), 'write', par);
    assert.equal(its.scope, 'write');
  });

  it('gets signed authorization responses (JARM)', async () => {
    const signed = await registerApplication(server, {
      authorizationSignedResponseAlg: 'RS256',
      expireDuration: 600,
    });
    const [clientId = '', itsSecret = ''] = signed.credentials?.split(':') ?? [];
    const configuration = await oauth.discovery(
      new URL(server.service.baseUrl),
      clientId,
      { authorization_signed_response_alg: 'RS256' },
      oauth.ClientSecretBasic(itsSecret),
      { execute: [oauth.allowInsecureRequests, oauth.useJwtResponseMode] },
    );
    assert.equal((await flow(configuration, 'read')).scope, 'read');
  });

  it('signs its authorization requests (JAR), also those that it pushes', async () => {
    const key = await ClientKey.create('ES256', 'one');
    const signing = await registerApplication(server, {
      ...{ jwks: { keys: [key.jwk] }, requestObjectSigningAlg: 'ES256' },
    });
    const [clientId = '', itsSecret = ''] = signing.credentials?.split(':') ?? [];
    const configuration = await connect(clientId, oauth.ClientSecretBasic(itsSecret));
    const jar: typeof oauth.buildAuthorizationUrl = (...given) =>
      oauth.buildAuthorizationUrlWithJAR(...given, { key: key.privateKey, kid: 'one' }) as unknown as URL;
    assert.equal((await flow(configuration, 'read', jar)).scope, 'read');
    const pushed = await flow(configuration, 'write', async (...given) => {
      const { searchParams } = await jar(...given);
      return oauth.buildAuthorizationUrlWithPAR(configuration, searchParams);
    });
    assert.equal(pushed.scope, 'write');
    const foreign = await ClientKey.create('ES256');
    const forged = flow(configuration, 'read', (...given) =>
      oauth.buildAuthorizationUrlWithJAR(...given, foreign.privateKey),
    );
    await assert.rejects(
      forged,
      (error) =>
        error instanceof oauth.AuthorizationResponseError && error.error === 'invalid_request_object',
    );
  });

  it('gets, uses and refreshes tokens that are bound to its key, with the nonces of the server', async () => {
    const registration = {
      confidential: false,
      dpopBoundAccessTokens: true,
      openidScopes: ['profile'],
    } as const;
    const publicApp = await registerApplication(server, { ...registration });
    const configuration = await connect(publicApp.client.clientId, oauth.None());
    const DPoP = oauth.getDPoPHandle(configuration, await oauth.randomDPoPKeyPair());
    const par = (given: oauth.Configuration, parameters: Record<string, string>) =>
      oauth.buildAuthorizationUrlWithPAR(given, parameters, { DPoP });
    const tokens = await flow(configuration, 'openid profile', par, { DPoP });
    assert.equal(tokens.token_type, 'dpop');
    const refreshed = await oauth.refreshTokenGrant(configuration, tokens.refresh_token ?? '', {}, { DPoP });
    const { access_token } = refreshed;
    const { sub } = await oauth.fetchUserInfo(configuration, access_token, oauth.skipSubjectCheck, { DPoP });
    assert.notEqual(sub, '');
    await assert.rejects(oauth.fetchUserInfo(configuration, access_token, oauth.skipSubjectCheck));
    const other = oauth.getDPoPHandle(configuration, await oauth.randomDPoPKeyPair('EdDSA'));
    const stolen = oauth.refreshTokenGrant(configuration, refreshed.refresh_token ?? '', {}, { DPoP: other });
    await assert.rejects(
      stolen,
      (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant',
    );
  });

  it('gets a token of the client itself', async () => {
    const { client, secret: itsSecret = '' } = await registerClient(server);
    const configuration = await connect(client.clientId, oauth.ClientSecretBasic(itsSecret));
    const tokens = await oauth.clientCredentialsGrant(configuration, { scope: 'read' });
    assert.equal(tokens.scope, 'read');
  });

  it('reads errors of the token endpoint and of the authorization endpoint', async () => {
    const configuration = await connect(app.client.clientId, oauth.ClientSecretBasic(secret()));
    await assert.rejects(
      oauth.refreshTokenGrant(configuration, 'wrong'),
      (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant',
    );
    const wrong = await connect(app.client.clientId, oauth.ClientSecretBasic('wrong'));
    await assert.rejects(
      oauth.clientCredentialsGrant(wrong),
      (error) => error instanceof oauth.WWWAuthenticateChallengeError || isInvalidClient(error),
    );
    const { location } = await app.authorize({ scope: 'admin' });
    await assert.rejects(
      oauth.authorizationCodeGrant(configuration, new URL(location), { expectedState: 'state-1' }),
      (error) => error instanceof oauth.AuthorizationResponseError && error.error === 'invalid_scope',
    );
  });

  it('rejects an answer of another issuer', async () => {
    const configuration = await connect(app.client.clientId, oauth.ClientSecretBasic(secret()));
    const { location } = await app.authorize();
    const mixedUp = new URL(location);
    mixedUp.searchParams.set('iss', 'https://evil.example');
    await assert.rejects(
      oauth.authorizationCodeGrant(configuration, mixedUp, { expectedState: 'state-1' }),
      (error) => error instanceof oauth.ClientError && String(error.cause).includes('"iss"'),
    );
  });
});

function isInvalidClient(error: unknown): boolean {
  return error instanceof oauth.ResponseBodyError && error.error === 'invalid_client';
}

describe('openid-client at a server with the profile fapi-2.0', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      ...{ host: 'localhost', profile: 'fapi-2.0', 'signing.algorithms': 'ES256' },
      'authorization.requireSignedRequests': 'true',
    });
  });
  after(() => server[Symbol.asyncDispose]());

  it('logs a user in by a key, a signed and pushed request and DPoP, and keeps its refresh token', async () => {
    const key = await ClientKey.create('ES256');
    const { client } = await registerApplication(server, {
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
      dpopBoundAccessTokens: true,
      useRefreshTokens: true,
    });
    const configuration = await oauth.discovery(
      new URL(server.service.baseUrl),
      client.clientId,
      { id_token_signed_response_alg: 'ES256' },
      oauth.PrivateKeyJwt(key.privateKey),
      { execute: [oauth.allowInsecureRequests] },
    );
    const DPoP = oauth.getDPoPHandle(configuration, await oauth.randomDPoPKeyPair());
    const verifier = oauth.randomPKCECodeVerifier();
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const metadata = configuration.serverMetadata();
    assert.equal(metadata.require_pushed_authorization_requests, true);
    const algorithms = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];
    assert.deepEqual(metadata.token_endpoint_auth_signing_alg_values_supported, algorithms);
    assert.equal(metadata.require_signed_request_object, true);
    await assert.rejects(
      oauth.buildAuthorizationUrlWithPAR(configuration, parameters, { DPoP }),
      (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_request',
    );
    const { searchParams } = await oauth.buildAuthorizationUrlWithJAR(
      configuration,
      parameters,
      key.privateKey,
    );
    const url = await oauth.buildAuthorizationUrlWithPAR(configuration, searchParams, { DPoP });
    const { location } = await followFlow(new UserAgent(), url.href);
    const checks = { pkceCodeVerifier: verifier };
    const tokens = await oauth.authorizationCodeGrant(configuration, new URL(location), checks, undefined, {
      DPoP,
    });
    assert.equal(tokens.token_type, 'dpop');
    const refresh = tokens.refresh_token ?? '';
    for (const _again of [1, 2]) {
      const refreshed = await oauth.refreshTokenGrant(configuration, refresh, {}, { DPoP });
      assert.equal(refreshed.refresh_token, undefined, 'the client keeps the one that it has');
      assert.notEqual(refreshed.access_token, tokens.access_token);
    }
    await assert.rejects(
      oauth.refreshTokenGrant(configuration, refresh),
      (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_dpop_proof',
    );
    const plain = await followFlow(
      new UserAgent(),
      oauth.buildAuthorizationUrl(configuration, parameters).href,
    );
    assert.match(plain.location, /[?&]error=invalid_request&/);
  });

  it('asks the pages of the administration for none of it', async () => {
    const request = {
      ...{ response_type: 'code', client_id: 'authorization-server-admin-js-client', ...pkce },
      redirect_uri: `${server.service.baseUrl}/client/client.html`,
    };
    const page = await new UserAgent().get(`${server.baseUrl}/authorize?${new URLSearchParams(request)}`);
    assert.deepEqual([page.status, page.forms.length > 0], [200, true], page.text);
  });

  it('offers the algorithms of proofs that it takes', async () => {
    const { headers } = await server.get('/oauth2/userinfo');
    assert.match(headers.get('www-authenticate') ?? '', /DPoP .*algs="PS256 ES256 EdDSA Ed25519"$/);
  });

  it('refuses a client with a secret, and a public one', async () => {
    const { client, secret: itsSecret = '' } = await registerClient(server);
    const publicApp = await registerApplication(server, { confidential: false });
    for (const [clientId, authentication] of [
      [client.clientId, oauth.ClientSecretBasic(itsSecret)],
      [publicApp.client.clientId, oauth.None()],
    ] as const) {
      const configuration = await oauth.discovery(
        new URL(server.service.baseUrl),
        clientId,
        undefined,
        authentication,
        { execute: [oauth.allowInsecureRequests] },
      );
      await assert.rejects(
        oauth.clientCredentialsGrant(configuration, { scope: 'read' }),
        (error) => error instanceof oauth.WWWAuthenticateChallengeError || isInvalidClient(error),
      );
    }
  });

  it('takes a client with a secret that only administers, and not one that gets tokens for other APIs too', async () => {
    const scopes = ['read'];
    const { id } = (await server.service.store.resourceServers.find('demo-resource-server')) ?? assert.fail();
    const others = [{ resourceServerId: id, scopes }];
    for (const [otherResourceServers, status] of [
      [[], 200],
      [others, 401],
    ] as const) {
      const registration = { allowedClientCredentials: true, otherResourceServers };
      const { credentials } = await registerClient(server, registration, 'authorization-server-admin');
      const answer = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
      assert.equal(answer.status, status, answer.text);
    }
  });
});
