import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { MachineSecret } from '@watchword/protocol';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { until } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { signingNode } from '@watchword/server-testkit/servers/signing-node';
import { machineSecret } from '@watchword/testkit';
import { assertError } from '../support/error-answers.ts';
import { ask, day, granted, listOf, make, setFormat, withJwts } from '../support/revocation-feed.ts';

/** The id of a token. */
const newId = () => `${crypto.randomUUID().slice(0, 14)}7${crypto.randomUUID().slice(15)}`;

describe('GET /oauth2/revocations', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  it('has no list for a resource server with opaque tokens', async () => {
    assertError(await ask(server), 404, 'not_found');
  });

  it('needs the key and the secret of a resource server', async () => {
    await setFormat(server, 'jwt');
    assertError(await server.get('/oauth2/revocations'), 401, 'invalid_client');
    assertError(await ask(server, { credentials: 'demo-resource-server:wrong' }), 401, 'invalid_client');
    assertError(
      await ask(server, { credentials: 'demo-service:demo-service-secret' }),
      401,
      'invalid_client',
    );
  });

  it('answers a signed list, and then 304 until something is revoked', async () => {
    await withJwts(server);
    const answer = await ask(server);
    assert.equal(answer.headers.get('content-type'), 'application/jwt');
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
    const { since, cursor, revoked } = await listOf(server, answer);
    assert.equal(since, undefined);
    assert.deepEqual(revoked, { grants: {}, clients: {}, tokens: {}, keys: {} });
    for (const wait of [undefined, '0', 'soon', '-1']) {
      const same = await ask(server, { since: cursor, ...(wait !== undefined && { wait }) });
      assert.equal(same.status, 304);
      assert.equal(same.headers.get('etag'), `"${cursor}"`);
      assert.equal(same.text, '');
    }
  });

  it('answers a signed list without entries in place of 304 to those who prefer a representation', async () => {
    await withJwts(server);
    let { cursor } = await listOf(server, await ask(server));
    for (const prefer of [
      'return=representation',
      'Return = "representation"; foo, wait=0',
      'wait=1, return=representation',
    ]) {
      const list = await listOf(server, await ask(server, { since: cursor, prefer }));
      assert.equal(list.since, cursor, prefer);
      assert.deepEqual(list.revoked, { grants: {}, clients: {}, tokens: {}, keys: {} });
      ({ cursor } = list);
    }
    for (const prefer of [
      'return=minimal',
      'return',
      'xreturn=representation',
      'return=minimal, return=representation',
    ]) {
      assert.equal((await ask(server, { since: cursor, prefer })).status, 304, prefer);
    }
  });

  it('lets a request wait, and answers it when something is revoked', async () => {
    const { clientRecordId } = await withJwts(server);
    const { cursor } = await listOf(server, await ask(server));
    const grant = await granted(server, clientRecordId);
    const waiting = ask(server, { since: cursor, wait: 30 });
    await until(async () =>
      (await server.get('/metrics')).text.includes('watchword_revocation_feed_waiting 1'),
    );
    await server.service.store.grants.revoke(grant, server.service.store.clock.now());
    assert.deepEqual(Object.keys((await listOf(server, await waiting)).revoked.grants), [grant]);
  });

  it('has each revocation of its own clients, whole and as a change, and none of another resource server', async () => {
    await using server = await startServer();
    const { store } = server.service;
    const { clientRecordId, clientId } = await withJwts(server);
    const other = await registerResourceServer(server, 'other');
    await setFormat(server, 'jwt', other.resourceServer.key);
    const foreign = await registerClient(server, { expireDuration: 600 }, other.resourceServer.key);
    const deleted = await registerClient(server, { clientName: 'Old shop', expireDuration: 600 });
    const signing = await signingNode(server);
    const { kid = '' } = (await signing.keySet()).keys[0] ?? {};
    const grant = await granted(server, clientRecordId);
    const foreignGrant = await granted(server, foreign.client.id);
    const { cursor } = await listOf(server, await ask(server));
    const now = store.clock.now();
    const [token, foreignToken] = [newId(), newId()];
    const revokedAt = now;
    await store.revocations.revokeToken({ id: token, clientRecordId, expires: now + 60_000, revokedAt });
    await store.revocations.revokeToken({
      id: foreignToken,
      clientRecordId: foreign.client.id,
      expires: now + 60_000,
      revokedAt,
    });
    await store.grants.revoke(grant, now);
    await store.grants.revoke(foreignGrant, now);
    await store.clients.revokeTokens(clientRecordId, now);
    await store.clients.delete(deleted.client.id);
    const key = signing.keys.find(kid) ?? assert.fail();
    await store.transact(({ signingKeys }) => signingKeys.update({ ...key, compromisedAt: now }));
    await store.refreshRegistry();

    const expected = {
      grants: { [grant]: Math.ceil(now / 1000) + day + 300 },
      clients: { [clientId]: Math.floor(now / 1000), [deleted.client.clientId]: Math.floor(now / 1000) },
      tokens: { [token]: Math.ceil((now + 60_000) / 1000) + 300 },
      keys: { [kid]: Math.ceil(now / 1000) + day + 300 },
    };
    const whole = await listOf(server, await ask(server));
    const changes = await listOf(server, await ask(server, { since: cursor, wait: 5 }));
    assert.equal(changes.since, cursor);
    for (const { revoked } of [whole, changes]) {
      for (const member of ['grants', 'clients', 'tokens', 'keys'] as const) {
        assert.deepEqual(
          Object.keys(revoked[member]).toSorted(),
          Object.keys(expected[member]).toSorted(),
          member,
        );
        for (const [id, time] of Object.entries(expected[member])) {
          assert.ok(
            Math.abs((revoked[member][id] ?? 0) - time) <= 2,
            `${member}: ${revoked[member][id]}, ${time}`,
          );
        }
      }
    }
    const ofOther = await listOf(
      server,
      await ask(server, { credentials: other.credentials }),
      other.resourceServer.key,
    );
    assert.deepEqual(Object.keys(ofOther.revoked.grants), [foreignGrant]);
    assert.deepEqual(Object.keys(ofOther.revoked.tokens), [foreignToken]);
    assert.deepEqual(ofOther.revoked.clients, {});
    assert.equal((await ask(server, { since: changes.cursor })).status, 304);
  });

  it('answers the whole list for a cursor that is unknown, from the future or too old', async () => {
    const { clientRecordId } = await withJwts(server);
    const grant = await granted(server, clientRecordId);
    const { store } = server.service;
    await store.grants.revoke(grant, store.clock.now());
    const { cursor } = await listOf(server, await ask(server));
    const digest = cursor.split('.')[1];
    const at = (milliseconds: number) => `${(store.clock.now() + milliseconds).toString(36)}.${digest}`;
    for (const since of ['*', 'unknown', '', `${cursor}x`, at(60_000), at(-600_000)]) {
      const list = await listOf(server, await ask(server, { since, wait: 30 }));
      assert.equal(list.since, undefined, since);
      assert.ok(grant in list.revoked.grants, since);
    }
  });

  it('does not list what no valid token can belong to', async () => {
    const { store } = server.service;
    const { clientRecordId } = await withJwts(server);
    const now = store.clock.now();
    const long = await granted(server, clientRecordId);
    const old = make.grant({ clientRecordId, creationDate: now - 2000 });
    await store.authorizationCodes.insert({ ...make.code(old), expires: now - 400_000 }, old);
    await store.grants.revoke(long, now - (day + 301) * 1000);
    await store.grants.revoke(old.id, now - 1000);
    const { revoked } = await listOf(server, await ask(server));
    for (const id of [long, old.id]) assert.ok(!(id in revoked.grants), id);
  });

  /** Another resource server with JWTs, and the cursor of its list. */
  async function following(name: string) {
    const { resourceServer, credentials } = await registerResourceServer(server, name);
    await setFormat(server, 'jwt', resourceServer.key);
    const { cursor } = await listOf(server, await ask(server, { credentials }), resourceServer.key);
    return { ...resourceServer, credentials, cursor };
  }

  /** Waits for a change, until it waits. */
  async function waiting({ credentials, cursor }: { credentials: string; cursor: string }, number = 1) {
    const answer = ask(server, { since: cursor, wait: 30, credentials });
    await until(async () =>
      (await server.get('/metrics')).text.includes(`watchword_revocation_feed_waiting ${number}`),
    );
    return { answer };
  }

  it('ends a wait with 404 when the resource server gets opaque tokens, and with 401 when it is deleted', async () => {
    const [opaque, deleted] = [await following('opaque'), await following('deleted')];
    const [one, other] = [await waiting(opaque, 1), await waiting(deleted, 2)];
    await setFormat(server, 'opaque', opaque.key);
    await server.service.store.resourceServers.delete(deleted.id);
    await server.service.store.refreshRegistry();
    assertError(await one.answer, 404, 'not_found');
    assertError(await other.answer, 401, 'invalid_client');
  });

  it('ends a wait with 401 when the secret is replaced, unless the old one is still valid', async () => {
    const one = await following('replaced');
    const { store } = server.service;
    const { secret } = (await store.resourceServers.find(one.key)) ?? assert.fail('no resource server');
    const { answer } = await waiting(one);
    const replace = async (next: MachineSecret) => {
      await store.resourceServers.replaceSecret(one.id, next);
      await store.refreshRegistry();
    };
    const overlap = { previousHash: secret.hash, previousValidUntil: store.clock.now() + 60_000 };
    await replace({ ...machineSecret('another'), ...overlap });
    assert.equal((await ask(server, { since: one.cursor, credentials: one.credentials })).status, 304);
    await replace(machineSecret('another'));
    assertError(await answer, 401, 'invalid_client');
  });

  it('ends the waits of a server that shuts down', async () => {
    const { answer } = await waiting(await following('left'));
    await server.service.close();
    assert.equal((await answer).status, 304);
  });
});
