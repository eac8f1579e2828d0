import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SigningKeyChanges } from '@watchword/protocol';
import { buildAdministrator, buildSigningKey, protocolDependencies, seededRandom } from '@watchword/testkit';
import { systemCaller } from '../../src/callers/caller.ts';
import { changeSigningKeys } from '../../src/keys/signing-keys.ts';

const root = buildAdministrator();
const key = buildSigningKey('a', { publishedAt: 1, signsFrom: 2 });

function server() {
  const { clock, store } = protocolDependencies();
  const deps = { ...store, clock, random: seededRandom('keys') };
  const change = (changes: SigningKeyChanges, caller = root) =>
    changeSigningKeys(caller, deps, () => changes);
  const logged = async () =>
    (await store.auditEvents.list({ limit: 9 }))
      .map(({ action, recordName, before, after }) => ({ action, recordName, before, after }))
      .toSorted((a, b) => (a.action < b.action ? -1 : 1));
  return { change, logged, store };
}

describe('a change of signing keys', () => {
  it('by an administrator is logged with what it changes, without the keys themselves', async () => {
    const { change, logged, store } = server();
    assert.deepEqual(await change({ inserted: key }), { inserted: key });
    await change({ updated: [{ ...key, retiredAt: 5 }] });
    await change({ removed: [{ ...key, retiredAt: 5 }] });
    assert.deepEqual(await store.signingKeys.list(), []);
    const state = { algorithm: 'ES256', publishedAt: 1, signsFrom: 2, compromisedAt: undefined };
    assert.deepEqual(await logged(), [
      { action: 'create', recordName: 'a', before: undefined, after: { ...state, retiredAt: undefined } },
      { action: 'delete', recordName: 'a', before: { ...state, retiredAt: 5 }, after: undefined },
      { action: 'update', recordName: 'a', before: { retiredAt: undefined }, after: { retiredAt: 5 } },
    ]);
  });

  it('by the server itself is not in the audit log', async () => {
    const { change, logged, store } = server();
    await change({ inserted: key }, systemCaller);
    assert.deepEqual(await store.signingKeys.list(), [key]);
    assert.deepEqual(await logged(), []);
  });

  it('inserts no second key of one kid, and is not logged then', async () => {
    const { change, logged, store } = server();
    await change({ inserted: key }, systemCaller);
    assert.equal(await change({ inserted: { ...key, signsFrom: 9 } }), undefined);
    assert.deepEqual([await store.signingKeys.list(), await logged()], [[key], []]);
  });
});
