import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AdministrativeRight } from '@watchword/protocol';
import { type OpenStore, withStore } from '../store-under-test.ts';

const ada = { identityProvider: 'password', name: 'ada' };
const right = (clientRecordId: number, name: string, giver = ada): AdministrativeRight => ({
  clientRecordId,
  right: name,
  giver,
  creationDate: 7,
});
const accounts = right(3, 'accounts:write');
const audit = right(3, 'audit:read', { ...ada, name: 'bob' });
const keys = right(12, 'keys:read', { ...ada, identityProvider: 'saml' });

export function rightRules(openStore: OpenStore): void {
  it(
    'gives a right once: the first giver stays',
    withStore(openStore, async (store) => {
      const given = await store.transact(async ({ rights }) => [
        await rights.give(keys),
        await rights.give(audit),
        await rights.give(accounts),
        await rights.give({ ...accounts, giver: audit.giver }),
      ]);
      assert.deepEqual(given, [true, true, true, false]);
      assert.deepEqual(await store.rights.list(), [accounts, audit, keys]);
      assert.deepEqual(await store.rights.list(3), [accounts, audit]);
      assert.deepEqual(await store.rights.list(4), []);
      for (const [giver, isGiver] of [
        [keys.giver, true],
        [{ ...keys.giver, name: 'bob' }, false],
        [{ ...ada, identityProvider: 'other' }, false],
      ] as const)
        assert.equal(await store.rights.isGiver(giver), isGiver, JSON.stringify(giver));
    }),
  );

  it(
    'ends those of a client, a giver or an identity provider and no others, and none in a transaction that fails',
    withStore(openStore, async (store) => {
      const all = [accounts, audit, keys];
      const give = () =>
        store.transact(async ({ rights }) => {
          for (const each of all) await rights.give(each);
        });
      await give();
      const failure = new Error('stop');
      const failing = store.transact(async ({ rights }) => {
        assert.deepEqual(await rights.end({ clientRecordId: 3 }), [accounts, audit]);
        assert.deepEqual(await rights.list(), [keys]);
        throw failure;
      });
      await assert.rejects(failing, failure);
      assert.deepEqual(await store.rights.list(), all);
      for (const [selection, ended] of [
        [{ clientRecordId: 3, right: 'audit:read' }, [audit]],
        [{ clientRecordId: 3, right: 'audit:write' }, []],
        [{ giver: ada }, [accounts]],
        [{ identityProvider: 'saml' }, [keys]],
      ] as const) {
        assert.deepEqual(await store.transact(({ rights }) => rights.end(selection)), ended);
        const left = all.filter((each) => !(ended as readonly AdministrativeRight[]).includes(each));
        assert.deepEqual(await store.rights.list(), left);
        await give();
      }
    }),
  );
}
