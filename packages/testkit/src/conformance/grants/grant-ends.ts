import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  changeDelay,
  coarsestTimeUnit,
  creationDateFor,
  type EndOfPart,
  type Grant,
  isRevokedWithClient,
} from '@watchword/protocol';
import { grantFactory } from '../../builders/grant.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { atOnce, inRounds } from '../rounds.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';
import { areFound, coded, consented, redeemed, start } from './granted.ts';

function endable({ id, clientRecordId, owner }: Grant) {
  return { id, clientRecordId, subject: owner.subject };
}

// One after the other, each twice where there are shards, and a store refuses who waits for seconds.
const endsAtOnce = 8;

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
    'ends grants and consents at one of their resource servers, and lists that for this one alone',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const scopes = ['\\', '5\\\\https://a.example', '55\\', 'read', '5\\write', '55\\write'];
      const ended = await redeemed(store, make, { scopes });
      const elsewhere = await redeemed(store, make, { scopes: ['55\\', '55\\write'] });
      const alone = await redeemed(store, make, { clientRecordId: 2, scopes: ['5\\', '5\\write'] });
      const key = await consented(store, ended.grant, ['\\', '5\\', 'read', '5\\write']);
      const forgotten = await consented(store, alone.grant, ['5\\', '5\\write']);
      const { subject } = ended.grant.owner;
      const end = (part: Partial<EndOfPart>) =>
        store.transact(({ grants }) =>
          grants.endParts(
            [{ subjects: [subject], clientRecordId: 1, resourceServerIds: [5, 6], ...part }],
            start + 7,
          ),
        );
      assert.deepEqual(await end({ since: start + 9 }), { grants: 0, consents: 1 });
      assert.deepEqual(await end({}), { grants: 1, consents: 0 });
      assert.deepEqual(await end({}), { grants: 0, consents: 0 });
      assert.deepEqual(await end({ clientRecordId: 2, grantId: alone.grant.id }), { grants: 1, consents: 1 });
      const found = await Promise.all(
        [ended, elsewhere, alone].map(({ grant }) => store.grants.find(grant.id)),
      );
      assert.deepEqual(
        found.map((grant) => grant?.scopes),
        [['\\', '55\\', 'read', '55\\write', '-5\\'], elsewhere.grant.scopes, ['0\\', '-5\\']],
      );
      assert.deepEqual((await store.consents.find(key))?.scopes, ['\\', 'read']);
      assert.equal(await store.consents.find(forgotten), undefined);
      // The tokens stay, with what they give elsewhere.
      assert.ok(!(await areFound(store, ended, elsewhere, alone)).includes(false));
      const revoked = async () =>
        (await store.revocations.listGrants({ from: start, limit: 10 })).map(({ id, at, revokedAt }) => [
          ...[id, at, revokedAt],
        ]);
      const ofBoth = [ended, alone].map(({ grant }) => [grant.id, [5], start + 7]);
      assert.deepEqual(await revoked(), ofBoth.toSorted());
      await store.grants.revoke(ended.grant.id, start + 8);
      assert.deepEqual(await revoked(), [
        [alone.grant.id, [5], start + 7],
        [ended.grant.id, undefined, start + 8],
      ]);
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
      }, endsAtOnce);
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
      }, endsAtOnce);
    }),
  );
}

export function endedClientRules(openStore: OpenStore): void {
  it(
    'gives a client that has the clientId of a deleted one no tokens of that one',
    withStore(openStore, async (store, clock) => {
      const server = await addResourceServer(store, 'api');
      const first = await addClient(store, 'x', server);
      assert.equal(first.tokensValidFrom, 0);
      await store.clients.delete(first.id);
      const second = await addClient(store, 'x', server);
      assert.equal(second.tokensValidFrom, clock.now() + changeDelay);
      assert.equal((await addClient(store, 'y', server)).tokensValidFrom, 0);
      await store.clients.delete(second.id);
      const later = clock.now() + 9999;
      assert.equal((await addClient(store, 'x', server, { tokensValidFrom: later })).tokensValidFrom, later);
    }),
  );

  it(
    'stores the time at which the tokens of a client were revoked, on that client only',
    withStore(openStore, async (store) => {
      const server = await addResourceServer(store, 'api');
      const { id } = await addClient(store, 'x', server);
      await addClient(store, 'y', server);
      assert.ok(await store.clients.revokeTokens(id, 1000));
      assert.equal((await store.clients.find('x'))?.tokensValidFrom, 1000);
      assert.equal((await store.clients.find('y'))?.tokensValidFrom, 0);
    }),
  );

  it(
    'revokes what was issued since the last revocation, which has a date after it, also when the clock was set back',
    withStore(openStore, async (store) => {
      const { id } = await addClient(store, 'x', await addResourceServer(store, 'api'));
      const find = async () => (await store.clients.find('x')) ?? assert.fail();
      await store.clients.revokeTokens(id, 10_400);
      for (const time of [10_401, 10_402, 9000]) {
        const client = await find();
        const issued = [1, coarsestTimeUnit].map((unit) => creationDateFor(client, time, unit));
        await store.clients.revokeTokens(id, time);
        const revoked = await find();
        for (const creationDate of issued) assert.ok(isRevokedWithClient(revoked, { creationDate }));
      }
      await store.clients.revokeTokens(id, 20_500);
      assert.equal((await find()).tokensValidFrom, 20_500);
    }),
  );

  it(
    'gives a client no token of the deleted client of its name that was issued right after a revocation',
    withStore(openStore, async (store, clock) => {
      for (const recordOf of ['client', 'resourceServer'] as const) {
        const server = await addResourceServer(store, recordOf);
        const { id } = await addClient(store, 'x', server, { tokensValidFrom: clock.now() + 1500 });
        const client = (await store.clients.find('x')) ?? assert.fail();
        const creationDate = creationDateFor(client, clock.now(), coarsestTimeUnit);
        if (recordOf === 'client') await store.clients.delete(id);
        else await store.resourceServers.delete(server.id);
        const listed = (await store.revocations.listClients(0)).filter(
          (each) => each.resourceServerId === server.id,
        );
        assert.ok(listed.every(({ revokedAt }) => revokedAt >= creationDate) && listed.length === 1);
        const next = await addClient(store, 'x', await addResourceServer(store, `${recordOf} of the next`));
        assert.ok(isRevokedWithClient(next, { creationDate }));
        await store.clients.delete(next.id);
      }
    }),
  );
}
