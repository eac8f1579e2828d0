import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Client, maxCodeFailures } from '@watchword/protocol';
import { tokenFactory } from '../../builders/access-token.ts';
import { newClient } from '../../builders/client.ts';
import { grantFactory } from '../../builders/grant.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { newResourceServer } from '../../builders/resource-server.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { atOnce, inRounds, times } from '../rounds.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';
import { areFound, coded, redeemed, start } from './granted.ts';

const slugs = (name: string) => [name, ...times(50, (index) => `${name}${index + 2}`)];

export function raceRules(openStore: OpenStore): void {
  it(
    'accepts one of many concurrent registrations of one name by one owner',
    withStore(openStore, async ({ resourceServers }) => {
      const created = await Promise.all(
        times(20, () => resourceServers.create(newResourceServer({ name: 'API' }), slugs('api'))),
      );
      assert.equal(created.filter((server) => server !== undefined).length, 1);
      assert.equal((await resourceServers.list({ limit: 30 })).length, 1);
    }),
  );

  it(
    'gives clients of one name that are registered concurrently the ids x, x2, x3, …',
    withStore(openStore, async (store) => {
      const { id } = await addResourceServer(store, 'api');
      const created = await Promise.all(
        times(12, () => store.clients.create(newClient({ resourceServerId: id }), slugs('x'))),
      );
      assert.deepEqual(
        created.map((client) => client?.clientId).toSorted(),
        slugs('x').slice(0, 12).toSorted(),
      );
      assert.equal(new Set(created.map((client) => client?.id)).size, 12);
    }),
  );

  it(
    'leaves no client that is registered while its resource server is deleted',
    withStore(openStore, async (store) => {
      for (const round of times(5, String)) {
        const { id } = await addResourceServer(store, `api-${round}`);
        const register = () => store.clients.create(newClient({ resourceServerId: id }), slugs('x'));
        await Promise.all([register(), store.resourceServers.delete(id), register()]);
        assert.deepEqual(await store.clients.list({ limit: 10, resourceServerId: id }), []);
      }
    }),
  );

  it(
    'accepts one of many concurrent deletions of one client',
    withStore(openStore, async (store) => {
      const { id } = await addClient(store, 'x', await addResourceServer(store, 'api'));
      const deleted = await Promise.all(times(10, () => store.clients.delete(id)));
      assert.equal(deleted.filter(Boolean).length, 1);
    }),
  );

  it(
    'accepts one of many concurrent revocations of one token',
    withStore(openStore, async ({ accessTokens }) => {
      const token = tokenFactory()();
      await accessTokens.insert(token);
      const revoked = await Promise.all(times(20, () => accessTokens.revoke(token.id)));
      assert.equal(revoked.filter(Boolean).length, 1);
    }),
  );

  it(
    'finds every token that is inserted concurrently with registrations',
    withStore(openStore, async (store) => {
      const make = tokenFactory();
      const tokens = times(200, (index) => make({ clientRecordId: index, scopes: [`s${index}`] }));
      const server = await addResourceServer(store, 'api');
      const registering: Promise<Client | undefined>[] = times(5, () =>
        store.clients.create(newClient({ resourceServerId: server.id }), slugs('x')),
      );
      await Promise.all([...registering, ...tokens.map((token) => store.accessTokens.insert(token))]);
      const found = await Promise.all(tokens.map(({ id }) => store.accessTokens.find(id)));
      assert.deepEqual(
        found.map((token) => [token?.id, token?.clientRecordId, token?.scopes]),
        tokens.map((token) => [token.id, token.clientRecordId, token.scopes]),
      );
    }),
  );

  it(
    'shows a token as revoked to every reader as soon as its revocation resolves',
    withStore(openStore, async ({ accessTokens }) => {
      const make = tokenFactory();
      await Promise.all(
        times(50, async () => {
          const token = make();
          await accessTokens.insert(token);
          assert.notEqual(await accessTokens.find(token.id), undefined);
          await accessTokens.revoke(token.id);
          assert.equal(await accessTokens.find(token.id), undefined);
        }),
      );
    }),
  );
}

export function grantRaceRules(openStore: OpenStore): void {
  it(
    'accepts one of 50 concurrent redemptions of one code, and stores its tokens only',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      const issued = times(50, () => make.tokens(grant));
      const outcomes = await Promise.all(
        issued.map((tokens) => store.authorizationCodes.redeem(code.id, tokens, start)),
      );
      assert.equal(outcomes.filter(Boolean).length, 1);
      const expected = outcomes.flatMap((isRedeemed) => [isRedeemed, isRedeemed]);
      assert.deepEqual(await areFound(store, ...issued), expected);
    }),
  );

  it(
    'accepts one of 50 concurrent rotations of one refresh token, and stores its tokens only',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, refreshToken } = await redeemed(store, make);
      const issued = times(50, () => make.tokens(grant));
      const outcomes = await Promise.all(
        issued.map((tokens, index) =>
          store.refreshTokens.rotate(refreshToken.id, tokens, `answer ${index}`, start),
        ),
      );
      assert.equal(outcomes.filter(Boolean).length, 1);
      const expected = outcomes.flatMap((isRotated) => [isRotated, isRotated]);
      assert.deepEqual(await areFound(store, ...issued), expected);
      const rotation = (await store.refreshTokens.find(refreshToken.id))?.rotation;
      assert.equal(rotation?.sealedAnswer, `answer ${outcomes.indexOf(true)}`);
    }),
  );

  it(
    'redeems each of many codes once when each is redeemed twice concurrently, and failures affect no other write',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const token = tokenFactory();
      const flows = await Promise.all(times(40, () => coded(store, make)));
      const plainTokens = times(40, () => token());
      const issued = flows.map(({ grant }) => [make.tokens(grant), make.tokens(grant)] as const);
      const outcomes = await Promise.all(
        flows.map(async ({ code }, index) => {
          const [first, second] = issued[index] ?? assert.fail();
          const [one, two] = await Promise.all([
            store.authorizationCodes.redeem(code.id, first, start),
            store.authorizationCodes.redeem(code.id, second, start),
            store.accessTokens.insert(plainTokens[index] ?? assert.fail()),
          ]);
          return [one, one, two, two];
        }),
      );
      for (const [first, , second] of outcomes) assert.notEqual(first, second);
      assert.deepEqual(await areFound(store, ...issued.flat()), outcomes.flat());
      for (const { id } of plainTokens) assert.notEqual(await store.accessTokens.find(id), undefined);
    }),
  );

  it(
    'counts all concurrent failed attempts',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make);
      await Promise.all(times(maxCodeFailures, () => store.authorizationCodes.recordFailure(code.id)));
      assert.ok(!(await store.authorizationCodes.redeem(code.id, make.tokens(grant), start)));
    }),
  );

  it(
    'accepts one of many concurrent revocations of one grant',
    withStore(openStore, async (store) => {
      const { grant } = await redeemed(store, grantFactory());
      const revoked = await Promise.all(times(20, () => store.grants.revoke(grant.id, start)));
      assert.equal(revoked.filter(Boolean).length, 1);
    }),
  );

  it(
    'leaves no valid token when a code is redeemed while its grant is revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      await inRounds(async (isReversed) => {
        const { grant, code } = await coded(store, make);
        const issued = make.tokens(grant);
        await atOnce(
          isReversed,
          () => store.authorizationCodes.redeem(code.id, issued, start),
          () => store.grants.revoke(grant.id, start),
        );
        assert.deepEqual(await areFound(store, issued), [false, false]);
      });
    }),
  );

  it(
    'leaves no valid token when a refresh token is rotated while its grant is revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      await inRounds(async (isReversed) => {
        const first = await redeemed(store, make);
        const second = make.tokens(first.grant);
        await atOnce(
          isReversed,
          () => store.refreshTokens.rotate(first.refreshToken.id, second, 'sealed', start),
          () => store.grants.revoke(first.grant.id, start),
        );
        assert.deepEqual(await areFound(store, first, second), [false, false, false, false]);
      });
    }),
  );

  it(
    'leaves no valid token when a code is redeemed while its owner withdraws the consent',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      await inRounds(async (isReversed, round) => {
        const owner = buildResourceOwner(`emma ${round}`);
        const { grant, code } = await coded(store, make, { owner });
        const issued = make.tokens(grant);
        await atOnce(
          isReversed,
          () => store.authorizationCodes.redeem(code.id, issued, start),
          () => store.grants.withdraw(owner.subject, [{ clientRecordId: grant.clientRecordId }], start),
        );
        assert.deepEqual(await areFound(store, issued), [false, false]);
      });
    }),
  );

  it(
    'shows a grant as revoked to every reader as soon as its revocation resolves',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      await Promise.all(
        times(50, async () => {
          const flow = await redeemed(store, make);
          assert.deepEqual(await areFound(store, flow), [true, true]);
          await store.grants.revoke(flow.grant.id, start);
          assert.deepEqual(await areFound(store, flow), [false, false]);
        }),
      );
    }),
  );
}
