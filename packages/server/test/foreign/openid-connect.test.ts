import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { type Application, redirectUri } from '@watchword/server-testkit/clients/application';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import * as webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import { logIn, postLogoutRedirectUri, registerLogoutClient } from '../support/logout-client.ts';
import { openidScope, persona, registerOpenidClient } from '../support/openid-client.ts';

// The libraries reject plain http unless the host is permitted; here it is loopback.
const insecure = { [webapi.allowInsecureRequests]: true };

describe('client libraries of OpenID Connect', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ host: 'localhost', authenticator: anyPerson });
  });
  after(() => server[Symbol.asyncDispose]());

  const secretOf = ({ credentials }: Application) => credentials?.split(':')[1] ?? '';

  describe('openid-client', () => {
    const connect = (app: Application) =>
      openid.discovery(
        new URL(server.service.baseUrl),
        app.client.clientId,
        undefined,
        openid.ClientSecretBasic(secretOf(app)),
        { execute: [openid.allowInsecureRequests] },
      );

    it('logs a user in, refreshes, and reads userinfo', async () => {
      const app = await registerOpenidClient(server);
      const configuration = await connect(app);
      const [verifier, state, nonce] = [
        openid.randomPKCECodeVerifier(),
        openid.randomState(),
        openid.randomNonce(),
      ];
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: openidScope,
        state,
        nonce,
        max_age: '60',
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const { location } = await followFlow(new UserAgent(), url.href, { password: persona });
      const tokens = await openid.authorizationCodeGrant(configuration, new URL(location), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
        maxAge: 60,
      });
      const subject = tokens.claims()?.sub ?? assert.fail();
      const { email } = await openid.fetchUserInfo(configuration, tokens.access_token, subject);
      assert.equal(email, 'emma@example.org');
      const refreshed = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
      assert.equal(refreshed.claims()?.sub, subject);
    });

    it('logs the user out at the server, and gets the state back', async () => {
      const app = await registerLogoutClient(server);
      const configuration = await connect(app);
      const { agent, idToken, isLoggedIn } = await logIn(server, app, undefined, {}, { password: persona });
      const url = openid.buildEndSessionUrl(configuration, {
        id_token_hint: idToken,
        post_logout_redirect_uri: postLogoutRedirectUri,
        state: 'of-the-logout',
      });
      const { location } = await agent.get(url.href);
      assert.equal(location, `${postLogoutRedirectUri}?state=of-the-logout`);
      assert.ok(!(await isLoggedIn()));
    });

    it('logs a user in by an ID token of the implicit flow, in the fragment or in a posted form', async () => {
      const app = await registerOpenidClient(server, { allowedImplicitGrant: true, confidential: false });
      const configuration = await openid.discovery(
        new URL(server.service.baseUrl),
        app.client.clientId,
        undefined,
        openid.None(),
        { execute: [openid.allowInsecureRequests, openid.useIdTokenResponseType] },
      );
      for (const response_mode of ['fragment', 'form_post']) {
        const [state, nonce] = [openid.randomState(), openid.randomNonce()];
        const request = { redirect_uri: redirectUri, scope: openidScope, state, nonce, response_mode };
        const url = openid.buildAuthorizationUrl(configuration, request);
        assert.equal(url.searchParams.get('response_type'), 'id_token');
        const { parameters } = await followFlow(new UserAgent(), url.href, { password: persona });
        const answered = new URL(redirectUri);
        answered.hash = parameters.toString();
        const checks = { expectedState: state };
        const claims = await openid.implicitAuthentication(configuration, answered, nonce, checks);
        assert.equal(claims.email, 'emma@example.org');
        const ofAnother = openid.implicitAuthentication(
          configuration,
          answered,
          openid.randomNonce(),
          checks,
        );
        await assert.rejects(ofAnother, openid.ClientError);
      }
    });

    it('logs a user in by the hybrid flow, and rejects a code that did not come with the ID token', async () => {
      const app = await registerOpenidClient(server, { allowedHybrid: true });
      const configuration = await openid.discovery(
        new URL(server.service.baseUrl),
        app.client.clientId,
        undefined,
        openid.ClientSecretBasic(secretOf(app)),
        { execute: [openid.allowInsecureRequests, openid.useCodeIdTokenResponseType] },
      );
      const checks = { expectedState: openid.randomState(), expectedNonce: openid.randomNonce() };
      const ask = async () => {
        const url = openid.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: openidScope,
          state: checks.expectedState,
          nonce: checks.expectedNonce,
        });
        assert.equal(url.searchParams.get('response_type'), 'code id_token');
        return followFlow(new UserAgent(), url.href, { password: persona });
      };
      const { location } = await ask();
      const tokens = await openid.authorizationCodeGrant(configuration, new URL(location), checks);
      const subject = tokens.claims()?.sub ?? assert.fail();
      const { email } = await openid.fetchUserInfo(configuration, tokens.access_token, subject);
      assert.equal(email, 'emma@example.org');

      const [injected, own] = [await ask(), await ask()];
      own.parameters.set('code', injected.parameters.get('code') ?? '');
      const mixed = new URL(`${redirectUri}#${own.parameters}`);
      await assert.rejects(
        openid.authorizationCodeGrant(configuration, mixed, checks),
        (error) => error instanceof openid.ClientError && /c_hash/.test(inspect(error, { depth: 5 })),
      );
    });

    it('rejects an ID token with the nonce of another request', async () => {
      const app = await registerOpenidClient(server);
      const configuration = await connect(app);
      const request = { scope: 'openid', nonce: 'of-an-attacker' };
      const { location } = await app.authorize(request, { password: persona });
      await assert.rejects(
        openid.authorizationCodeGrant(configuration, new URL(location), {
          expectedState: 'state-1',
          expectedNonce: 'of-the-client',
        }),
        (error) =>
          error instanceof openid.ClientError && inspect(error, { depth: 5 }).includes("claim: 'nonce'"),
      );
    });
  });

  describe('oauth4webapi', () => {
    const discover = async () => {
      const issuer = new URL(server.service.baseUrl);
      const options = { ...insecure, algorithm: 'oidc' } as const;
      return webapi.processDiscoveryResponse(issuer, await webapi.discoveryRequest(issuer, options));
    };

    for (const algorithm of ['', 'RS256'] as const) {
      it(`verifies an ID token and reads userinfo, ${algorithm || 'as JSON'}`, async () => {
        const app = await registerOpenidClient(server, { userinfoSignedResponseAlg: algorithm });
        const as = await discover();
        const client: webapi.Client = {
          client_id: app.client.clientId,
          ...(algorithm !== '' && { userinfo_signed_response_alg: algorithm }),
        };
        const verifier = webapi.generateRandomCodeVerifier();
        const nonce = webapi.generateRandomNonce();
        const request = {
          scope: openidScope,
          nonce,
          code_challenge: await webapi.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        };
        const { location } = await app.authorize(request, { password: persona });
        const answered = webapi.validateAuthResponse(as, client, new URL(location), 'state-1');
        const response = await webapi.authorizationCodeGrantRequest(
          as,
          client,
          webapi.ClientSecretBasic(secretOf(app)),
          answered,
          redirectUri,
          verifier,
          insecure,
        );
        const tokens = await webapi.processAuthorizationCodeResponse(as, client, response, {
          expectedNonce: nonce,
          requireIdToken: true,
        });
        await webapi.validateApplicationLevelSignature(as, response, insecure);
        const { sub } = webapi.getValidatedIdTokenClaims(tokens) ?? assert.fail();
        const asked = await webapi.userInfoRequest(as, client, tokens.access_token, insecure);
        const userinfo = await webapi.processUserInfoResponse(as, client, sub, asked);
        if (algorithm !== '') await webapi.validateApplicationLevelSignature(as, asked, insecure);
        assert.equal(userinfo.name, 'Emma de Vries');
      });
    }
  });
});
