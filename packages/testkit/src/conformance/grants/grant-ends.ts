import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Grant } from '@watchword/protocol';
import { grantFactory } from '../../builders/grant.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { atOnce, inRounds } from '../rounds.ts';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';
import { areFound, coded, consented, redeemed, start } from './granted.ts';

function endable({ id, clientRecordId, owner }: Grant) {
  return { id, clientRecordId, subject: owner.subject };
}

/** The rules for grants that administrators and record owners end. */
export function grantEndRules(openStore: OpenStore): void {
  it(
    'ends grants with their tokens and the consents of each owner for each client, and nothing else',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const finn = buildResourceOwner('finn');
      const ended = [
        await redeemed(store, make),
        await redeemed(store, make, { owner: finn, clientRecordId: 2 }),
      ];
      const kept = [
        await redeemed(store, make),
        await redeemed(store, make, { clientRecordId: 2 }),
        await redeemed(store, make, { owner: finn }),
      ];
      const forgotten = await Promise.all(ended.map(({ grant }) => consented(store, grant)));
      const remembered = await Promise.all(kept.slice(1).map(({ grant }) => consented(store, grant)));
      const grants = ended.map(({ grant }) => endable(grant));
      assert.deepEqual(await store.transact((stores) => stores.grants.end(grants, start)), {
        grants: 2,
        consents: 2,
      });
      assert.ok(!(await areFound(store, ...ended)).includes(true));
      assert.ok(!(await areFound(store, ...kept)).includes(false));
      for (const key of forgotten) assert.equal(await store.consents.find(key), undefined);
      for (const key of remembered) assert.deepEqual((await store.consents.find(key))?.scopes, ['read']);
      assert.deepEqual(await store.transact((stores) => stores.grants.end(grants, start)), {
        grants: 0,
        consents: 0,
      });
    }),
  );

  it(
    'revokes grants with their tokens, and still remembers what their owners consented to',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [revoked, kept] = [await redeemed(store, make), await redeemed(store, make)];
      const key = await consented(store, revoked.grant);
      const revoke = (ids: readonly string[]) => store.transact(({ grants }) => grants.revoke(ids, start));
      assert.equal(await revoke([]), 0);
      assert.equal(await revoke([revoked.grant.id]), 1);
      assert.equal(await revoke([revoked.grant.id]), 0);
      assert.deepEqual(await areFound(store, revoked, kept), [false, false, true, true]);
      assert.deepEqual((await store.consents.find(key))?.scopes, ['read']);
    }),
  );

  it(
    'leaves no valid token and no consent when a refresh token is rotated while its grant is ended',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      await inRounds(async (isReversed, round) => {
        const owner = buildResourceOwner(`emma ${round}`);
        const first = await redeemed(store, make, { owner });
        const second = make.tokens(first.grant);
        const key = await consented(store, first.grant);
        await atOnce(
          isReversed,
          () => store.refreshTokens.rotate(first.refreshToken.id, second, 'sealed', start),
          () => store.transact(({ grants }) => grants.end([endable(first.grant)], start)),
        );
        assert.deepEqual(await areFound(store, first, second), [false, false, false, false]);
        assert.equal(await store.consents.find(key), undefined);
      });
    }),
  );

  it(
    'forgets a consent that is given while its grant is ended',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      await inRounds(async (isReversed, round) => {
        const owner = buildResourceOwner(`emma ${round}`);
        const { grant } = await coded(store, make, { owner });
        await atOnce(
          isReversed,
          () => consented(store, grant),
          () => store.transact(({ grants }) => grants.end([endable(grant)], start)),
        );
        assert.deepEqual(
          (await store.grantList.find(grant.id, start)).filter(({ type }) => type === 'consent'),
          [],
        );
      });
    }),
  );
}
