import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTokenVerifier, TokenRejected } from '@watchword/resource-server';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { until, watchword } from '@watchword/server-testkit/processes/process';
import { type Served, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { decodeProtectedHeader } from 'jose';
import { type Api, apiOptions, refused, refusesRevoked, startApi } from '../support/revoked-jwts.ts';

describe('a JWT that is revoked is refused by an API that verifies JWTs itself', () => {
  let server: TestServer;
  let api: Api;
  before(async () => {
    server = await startServer({ 'signing.algorithms': 'EdDSA' });
    api = await startApi(server, 'EdDSA');
  });
  after(async () => {
    await api?.[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  it('when its client is deleted', async () => {
    const { token, id } = await issued(server);
    await api.verifier.verify(token);
    await server.service.store.clients.delete(id);
    await refused(api, token);
  });

  it('when the client revokes it (RFC 7009)', async () => {
    const { token, credentials } = await issued(server);
    assert.ok((await api.verifier.verify(token)).claims);
    assert.equal((await server.post('/oauth2/revoke', { token }, credentials)).status, 200);
    await refused(api, token);
  });

  it('also while the feed is cut off, because token info decides then', async () => {
    const verifier = createTokenVerifier({
      ...apiOptions(server),
      cache: { ttl: 0 },
      fetch: (url, init) =>
        url.endsWith('/oauth2/revocations') ? Promise.reject(new Error('cut off')) : fetch(url, init),
    });
    const { token, credentials } = await issued(server);
    const info = await verifier.verify(token);
    assert.equal(info.claims, undefined);
    assert.equal(info.audience, 'Night job');
    assert.equal((await api.verifier.verify(token)).expires_in, info.expires_in);
    assert.equal((await server.post('/oauth2/revoke', { token }, credentials)).status, 200);
    await assert.rejects(verifier.verify(token), TokenRejected);
    verifier.close();
  });

  it('when its key is compromised, and tokens of the next key are accepted', async () => {
    const { token } = await api.issue();
    await api.verifier.verify(token);
    const { kid = '' } = decodeProtectedHeader(token);
    const args = ['keys', 'retire', kid, '--compromised', '--yes', '--database', server.database];
    const { code, stderr } = await watchword(args);
    assert.equal(code, 0, stderr);
    await refused(api, token);
    await api.signing.keys.read();
    await until(async () => {
      const { token: next } = await api.issue();
      return (await api.verifier.verify(next).catch(() => undefined))?.claims !== undefined;
    });
    await assert.rejects(api.verifier.verify(token), TokenRejected);
  });

  it('in each way, with one server', async () => {
    await refusesRevoked(server, api);
  });
});

/** An access token of a client that acts for itself, as the server issues it. */
async function issued(server: Served) {
  const { client, credentials } = await registerClient(server, {
    clientName: 'Night job',
    allowedClientCredentials: true,
    expireDuration: 600,
  });
  const answer = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
  return { id: client.id, token: answer.json.access_token as string, credentials };
}
