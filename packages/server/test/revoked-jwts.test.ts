import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTokenVerifier, TokenRejected, type TokenVerifier } from '@watchword/resource-server';
import { registerClient } from '@watchword/server-testkit/clients';
import { startNodes } from '@watchword/server-testkit/nodes';
import { until, watchword } from '@watchword/server-testkit/process';
import { type Served, startServer } from '@watchword/server-testkit/server';
import { buildAccount, grantFactory } from '@watchword/testkit';
import { decodeProtectedHeader } from 'jose';
import type { Signing } from '../src/signing/signing.ts';
import { signingNode } from './support/signing-node.ts';

const make = grantFactory();
const second = 1000;

/** An API that verifies JWTs of a client itself, and follows the revocation feed of the server. */
interface Api extends AsyncDisposable {
  readonly verifier: TokenVerifier;
  readonly clientRecordId: number;
  readonly signing: Signing;
  /** A token of a new grant. */
  issue(
    overrides?: Parameters<typeof make.grant>[0],
  ): Promise<{ token: string; grantId: string; jti: string }>;
}

type Server = Served & { readonly database: string };

async function startApi(server: Server): Promise<Api> {
  const { store, baseUrl } = server.service;
  const resourceServer = (await store.resourceServers.find('demo-resource-server')) ?? assert.fail();
  await store.resourceServers.update(resourceServer.id, { accessTokenFormat: 'jwt' });
  await store.refreshRegistry();
  const { client } = await registerClient(server, { clientName: 'Web shop', expireDuration: 600 });
  const signing = await signingNode(server as never);
  const [algorithm = 'RS256'] = signing.signer.algorithms;
  const verifier = createTokenVerifier(apiOptions(server));
  const api: Api = {
    verifier,
    clientRecordId: client.id,
    signing,
    async issue(overrides = {}) {
      const creationDate = store.clock.now();
      const grant = make.grant({ clientRecordId: client.id, creationDate, ...overrides });
      await store.authorizationCodes.insert(
        { ...make.code(grant), expires: creationDate + 600 * second },
        grant,
      );
      const jti = make.grant({ creationDate }).id;
      const iat = Math.floor(creationDate / second);
      const claims = {
        iss: baseUrl,
        aud: 'demo-resource-server',
        sub: grant.owner.subject,
        client_id: client.clientId,
        scope: 'read',
        jti,
        iat,
        exp: iat + 600,
        grant_id: grant.id,
      };
      const token = await signing.signer.sign(claims, { algorithm, type: 'at+jwt' });
      return { token, grantId: grant.id, jti };
    },
    async [Symbol.asyncDispose]() {
      verifier.close();
    },
  };
  // Before the first list, token info decides.
  await until(async () => {
    const { token } = await api.issue();
    const info = await verifier.verify(token).catch(() => undefined);
    return info?.claims !== undefined;
  });
  return api;
}

/** Verifies the token until it is refused. */
async function refused({ verifier }: Api, token: string): Promise<void> {
  await until(async () => {
    try {
      await verifier.verify(token);
      return false;
    } catch (error) {
      assert.ok(error instanceof TokenRejected, String(error));
      return true;
    }
  });
}

/** Revokes a token in each way, and holds that the API refuses it, and no other token. */
async function refusesRevoked(server: Server, api: Api): Promise<void> {
  const { store } = server.service;
  const now = () => store.clock.now();
  const kept = await api.issue();
  await api.verifier.verify(kept.token);

  const [one, two, three, four] = [
    await api.issue(),
    await api.issue(),
    await api.issue(),
    await api.issue(),
  ];
  for (const { token } of [one, two, three, four]) await api.verifier.verify(token);
  await store.grants.revoke(one.grantId, now());
  await refused(api, one.token);
  await store.revocations.revokeToken({
    id: two.jti,
    clientRecordId: api.clientRecordId,
    expires: now() + 600 * second,
    revokedAt: now(),
  });
  await refused(api, two.token);
  const { owner } = make.grant();
  const end = { id: three.grantId, clientRecordId: api.clientRecordId, subject: owner.subject };
  await store.transact(({ grants }) => grants.end([end], now()));
  await refused(api, three.token);
  assert.ok((await api.verifier.verify(four.token)).claims);

  const account = buildAccount({ username: 'anna' });
  await store.accounts.create(account);
  const ofAnna = make.grant().owner;
  const principal = { ...ofAnna.principal, name: account.username };
  const five = await api.issue({
    owner: { ...ofAnna, principal, subject: 'anna', identityProvider: 'password' },
  });
  await api.verifier.verify(five.token);
  await store.accounts.delete(account.username, now());
  await refused(api, five.token);

  assert.ok((await api.verifier.verify(kept.token)).claims);
  await store.clients.revokeTokens(api.clientRecordId, now());
  await refused(api, kept.token);
  await refused(api, four.token);
}

describe('a JWT that is revoked is refused by an API that verifies JWTs itself', () => {
  it('in each way, with one server', async () => {
    await using server = await startServer({ 'signing.algorithms': 'EdDSA' });
    await using api = await startApi(server);
    await refusesRevoked(server, api);
  });

  it('in each way, whichever of two nodes serves the feed', async () => {
    await using cluster = await startNodes([0, 0], { 'signing.algorithms': 'EdDSA' });
    await using api = await startApi(cluster);
    await refusesRevoked(cluster, api);
  });

  it('when its key is compromised, and tokens of the next key are accepted', async () => {
    await using server = await startServer({ 'signing.algorithms': 'EdDSA' });
    await using api = await startApi(server);
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

  it('when its client is deleted', async () => {
    await using server = await startServer({ 'signing.algorithms': 'EdDSA' });
    await using api = await startApi(server);
    const { token } = await api.issue();
    await api.verifier.verify(token);
    await server.service.store.clients.delete(api.clientRecordId);
    await refused(api, token);
  });

  it('when the client revokes it (RFC 7009)', async () => {
    await using server = await startServer({ 'signing.algorithms': 'EdDSA' });
    await using api = await startApi(server);
    const { token, credentials } = await issued(server);
    assert.ok((await api.verifier.verify(token)).claims);
    assert.equal((await server.post('/oauth2/revoke', { token }, credentials)).status, 200);
    await refused(api, token);
  });

  it('also while the feed is cut off, because token info decides then', async () => {
    await using server = await startServer({ 'signing.algorithms': 'EdDSA' });
    await using api = await startApi(server);
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
});

/** An access token of a client that acts for itself, as the server issues it. */
async function issued(server: Served): Promise<{ token: string; credentials: string }> {
  const { credentials } = await registerClient(server, {
    clientName: 'Night job',
    allowedClientCredentials: true,
    expireDuration: 600,
  });
  const answer = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
  return { token: answer.json.access_token, credentials };
}

function apiOptions({ baseUrl }: Served) {
  return {
    tokenInfoUrl: `${baseUrl}/v1/tokeninfo`,
    key: 'demo-resource-server',
    secret: 'demo-resource-server-secret',
    warn: () => {},
  };
}
