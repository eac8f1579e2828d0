import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as oauth from 'oauth4webapi';
import { startServer } from './support/server.ts';

// Plain http is refused by default, and right so; here it is loopback.
const insecure = { [oauth.allowInsecureRequests]: true };

describe('oauth4webapi, a client that others wrote', () => {
  for (const [method, authentication] of [
    ['client_secret_basic', oauth.ClientSecretBasic],
    ['client_secret_post', oauth.ClientSecretPost],
  ] as const) {
    it(`discovers, gets a token, introspects and revokes with ${method}`, async () => {
      await using server = await startServer({ host: 'localhost' });
      const issuer = new URL(server.service.baseUrl());
      const discovery = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
      const as = await oauth.processDiscoveryResponse(issuer, discovery);
      assert.ok(as.token_endpoint_auth_methods_supported?.includes(method));
      const client: oauth.Client = { client_id: 'demo-service' };
      const secret = authentication('demo-service-secret');

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
      assert.equal((await introspect()).active, true);
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, secret, token.access_token, insecure),
      );
      assert.equal((await introspect()).active, false);
    });
  }

  it('understands a refusal', async () => {
    await using server = await startServer();
    const as: oauth.AuthorizationServer = {
      issuer: server.service.baseUrl(),
      token_endpoint: `${server.baseUrl}/oauth2/token`,
    };
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
