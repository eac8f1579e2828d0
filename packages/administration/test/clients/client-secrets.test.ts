import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { secretMatches, secretsOf } from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildPublicClient,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import { clientAdministration } from '../../src/clients/clients.ts';

const caller = buildAdministrator();
const nothing = { fields: {}, malformed: [] };

function administration() {
  const { store, clock, client, resourceServer } = protocolDependencies();
  const deps = { ...store, clock, random: seededRandom('secrets') };
  const admin = clientAdministration(deps);
  const address = { resourceServerId: resourceServer.id, id: client.id };
  const stored = async () => (await store.clients.findById(client.id))?.secret;
  return {
    ...{ store, clock, deps, admin, address, stored },
    add: (fields: { description?: string; expires?: number } = {}) =>
      admin.addSecret(caller, address, { ...nothing, fields }),
    change: (id: number, fields: { description?: string; expires?: number }) =>
      admin.changeSecret(caller, address, id, { ...nothing, fields }),
    remove: (id: number, isLastToo = false) => admin.removeSecret(caller, address, id, isLastToo),
    isValid: async (text: string) => secretMatches(await stored(), text, clock.now()),
    ids: async () => secretsOf(await stored()).map(({ id }) => id),
  };
}

describe('one more secret of a client', () => {
  it('is valid beside the one that it has, until that one is removed', async () => {
    const { add, remove, isValid, ids } = administration();
    const { secret, text } = await add({ description: 'new server' });
    assert.match(text, /^wws_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual([secret.id, secret.description, secret.expires], [2, 'new server', 0]);
    assert.deepEqual([await isValid(text), await isValid('client-secret')], [true, true]);
    await remove(1);
    assert.deepEqual([await isValid(text), await isValid('client-secret')], [true, false]);
    assert.deepEqual(await ids(), [2]);
  });

  it('is refused beside five that are valid, however often the request is repeated', async () => {
    const { add, change, clock, ids } = administration();
    const made = [await add(), await add(), await add(), await add()].map(({ text }) => text);
    assert.equal(new Set(made).size, 4);
    for (let again = 0; again < 2; again += 1) await assert.rejects(add(), protocolError('conflict'));
    assert.deepEqual(await ids(), [5, 4, 3, 2, 1]);
    await change(2, { expires: clock.now() + 1000 });
    await assert.rejects(add(), protocolError('conflict'));
    clock.advance(1000);
    await add();
    await assert.rejects(change(2, { expires: 0 }), protocolError('not_found'));
    assert.deepEqual(await ids(), [6, 5, 4, 3, 1]);
  });

  it('expires', async () => {
    const { add, change, clock, isValid } = administration();
    const { text } = await add({ expires: clock.now() + 1000 });
    assert.ok(await isValid(text));
    clock.advance(1000);
    assert.ok(!(await isValid(text)));
    await change(2, { expires: clock.now() + 1 });
    assert.ok(await isValid(text));
  });

  it('cannot have expired already, or a description that nobody could read', async () => {
    const { add, change, clock, ids } = administration();
    for (const fields of [
      { expires: clock.now() },
      { description: 'x'.repeat(256) },
      { description: '\u202e' },
    ]) {
      await assert.rejects(add(fields), protocolError('invalid_request'));
      await assert.rejects(change(1, fields), protocolError('invalid_request'));
    }
    assert.deepEqual(await ids(), [1]);
  });

  it('can be described after its end, and does not come back by that', async () => {
    const { add, change, clock, isValid } = administration();
    const { text } = await add({ expires: clock.now() + 1 });
    clock.advance(1);
    const { description, expires } = await change(2, { description: 'was on the old server' });
    assert.equal(description, 'was on the old server');
    assert.equal(expires, clock.now());
    assert.ok(!(await isValid(text)));
  });

  it('leaves room for a rotation with an overlap, or is removed before it', async () => {
    const { add, admin, address, remove, ids, isValid } = administration();
    for (let added = 0; added < 4; added += 1) await add();
    const rotate = (overlap: number) => admin.rotateSecret(caller, address, overlap);
    await assert.rejects(rotate(60), protocolError('conflict'));
    assert.ok(await isValid('client-secret'));
    await remove(3);
    const { secret = '' } = await rotate(60);
    assert.deepEqual(await ids(), [6, 5, 4, 2, 1]);
    assert.ok((await isValid(secret)) && (await isValid('client-secret')));
    await rotate(0);
    assert.deepEqual(await ids(), [7]);
  });

  it('ends with a rotation, as all do', async () => {
    const { add, admin, address, isValid } = administration();
    const { text } = await add();
    const { secret = '' } = await admin.rotateSecret(caller, address, 0);
    const valid = [await isValid(secret), await isValid(text), await isValid('client-secret')];
    assert.deepEqual(valid, [true, false, false]);
  });
});

describe('the last valid secret of a client', () => {
  it('is removed only by whoever says so', async () => {
    const { add, remove, clock, stored } = administration();
    await assert.rejects(remove(1), protocolError('conflict'));
    await add({ expires: clock.now() + 1 });
    clock.advance(1);
    await assert.rejects(remove(1), protocolError('conflict'));
    await remove(2);
    await remove(1, true);
    assert.equal(await stored(), undefined);
    const { secret } = await add();
    assert.equal(secret.id, 1);
  });
});

describe('the secrets of a client', () => {
  it('are those of its owner and of administrators alone', async () => {
    const { admin, address, ids } = administration();
    const finn = buildCaller('finn');
    for (const attempt of [
      admin.addSecret(finn, address, nothing),
      admin.changeSecret(finn, address, 1, nothing),
      admin.removeSecret(finn, address, 1, true),
    ])
      await assert.rejects(attempt, protocolError('not_found'));
    assert.deepEqual(await ids(), [1]);
  });

  it('are found at their own client alone', async () => {
    const { store, admin, address, remove, change } = administration();
    store.putClient(buildClient({ id: 7, clientId: 'other' }));
    await admin.addSecret(caller, { ...address, id: 7 }, nothing);
    for (const attempt of [remove(2, true), change(2, { description: 'x' }), remove(0, true)])
      await assert.rejects(attempt, protocolError('not_found'));
    assert.equal(secretsOf((await store.clients.findById(7))?.secret).length, 2);
  });

  it('are none of a public client, and none of one with keys', async () => {
    const { store, admin, address } = administration();
    store.putClient(buildPublicClient({ id: 8 }));
    store.putClient(buildClient({ id: 9, clientId: 'keys', tokenEndpointAuthMethod: 'private_key_jwt' }));
    for (const id of [8, 9])
      await assert.rejects(
        admin.addSecret(caller, { ...address, id }, nothing),
        protocolError('invalid_request'),
      );
  });

  it('of a client that a configuration manages change with its file alone', async () => {
    const { store, admin, address } = administration();
    store.putClient(buildClient({ managedBy: 'team' }));
    for (const attempt of [
      admin.addSecret(caller, address, nothing),
      admin.removeSecret(caller, address, 1, true),
    ])
      await assert.rejects(attempt, protocolError('managed_record'));
  });

  it('are in the audit log with who changed them, and never themselves', async () => {
    const { store, add, change, remove, clock } = administration();
    const { text } = await add({ description: 'new' });
    await change(1, { expires: clock.now() + 5 });
    await remove(1);
    const events = await store.auditEvents.list({ limit: 9 });
    const noted = events.map(({ action, before, after, actor }) => ({
      action,
      before,
      after,
      by: actor.name,
    }));
    const first = { secretId: 1, description: '', expires: 0 };
    const expiring = { ...first, expires: clock.now() + 5 };
    const by = caller.identity.name;
    const inOrder = noted.toSorted((a, b) => (a.action < b.action ? -1 : 1));
    assert.deepEqual(inOrder, [
      { action: 'addSecret', before: undefined, after: { secretId: 2, description: 'new', expires: 0 }, by },
      { action: 'changeSecret', before: first, after: expiring, by },
      { action: 'removeSecret', before: expiring, after: undefined, by },
    ]);
    const hash = secretsOf((await store.clients.findById(1))?.secret)[0]?.hash ?? assert.fail();
    for (const shown of [text, Buffer.from(hash).toString('hex'), Buffer.from(hash).toString('base64url')])
      assert.ok(!JSON.stringify(events).includes(shown));
  });
});
