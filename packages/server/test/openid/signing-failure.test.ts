import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { startServer } from '@watchword/server-testkit/servers/server';
import { logIn, openidScope, persona, registerOpenidClient, verified } from '../support/openid-client.ts';

const both = { 'signing.algorithms': 'RS256,ES256' };

describe('a server that cannot sign an ID token', () => {
  it('leaves refresh token and code valid, and answers both once it can sign', async () => {
    await using directory = await temporaryDirectory();
    const shared = {
      authenticator: anyPerson,
      database: directory.file('shared.db'),
      'refresh.graceSeconds': '0',
      baseUrl: 'https://as.example',
    };
    const registration = { idTokenSignedResponseAlg: 'ES256' } as const;
    const { app, tokens, code } = await (async () => {
      await using server = await startServer({ ...shared, ...both });
      const application = await registerOpenidClient(server, registration);
      const request = { scope: openidScope };
      const { parameters } = await application.authorize(request, { password: persona });
      return {
        app: application,
        tokens: (await logIn(server, application)).tokens,
        code: parameters.get('code') ?? '',
      };
    })();
    const forms = [
      { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
      { grant_type: 'authorization_code', code, redirect_uri: app.client.redirectUris[0] ?? '' },
    ];
    {
      await using server = await startServer({ ...shared, 'signing.algorithms': 'RS256' });
      for (const form of forms) {
        const { status, json } = await server.post('/oauth2/token', form, app.credentials);
        assert.deepEqual([status, json.error], [500, 'server_error'], form.grant_type);
        assert.equal(
          json.error_description,
          'The server does not sign with ES256, which the registration of the client names.',
        );
      }
    }
    await using server = await startServer({ ...shared, ...both });
    for (const form of forms) {
      const { status, json, text } = await server.post('/oauth2/token', form, app.credentials);
      assert.equal(status, 200, text);
      await verified(server, json.id_token, app);
    }
  });

  it('stores nothing for a response with an ID token, and reports the error to the client', async () => {
    await using directory = await temporaryDirectory();
    const shared = { authenticator: anyPerson, database: directory.file('shared.db') };
    const implicit = { allowedImplicitGrant: true, confidential: false } as const;
    await using server = await startServer({ ...shared, ...both });
    const app = await registerOpenidClient(server, { ...implicit, idTokenSignedResponseAlg: 'PS256' });
    const before = await server.service.store.accessTokens.list({ limit: 9 });
    const request = { response_type: 'id_token token', scope: 'openid', nonce: 'n-1' };
    const { parameters } = await app.authorize(request, { password: persona });
    assert.equal(parameters.get('error'), 'server_error');
    assert.equal(parameters.get('access_token'), null);
    assert.deepEqual(await server.service.store.accessTokens.list({ limit: 9 }), before);
  });
});
