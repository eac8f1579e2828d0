import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type LoginSession, logoutDeliveryRetention, type SessionClient } from '@watchword/protocol';
import { sessionFactory } from '../../builders/login-session.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { selectorFactory } from '../../builders/selector.ts';
import { emma, start } from '../grants/granted.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';

type ClientFactory = (session: Pick<LoginSession, 'id'>, overrides?: Partial<SessionClient>) => SessionClient;

function clientFactory(): ClientFactory {
  const selector = selectorFactory('clients of sessions');
  return ({ id: sessionId }, overrides = {}) => ({
    id: selector(start).id,
    sessionId,
    clientRecordId: 1,
    sid: `sid of ${sessionId}`,
    subject: 'sübject',
    expires: start + 9000,
    ...overrides,
  });
}

/** Ends sessions in each of the ways that a store has. */
const ways: Readonly<Record<string, (store: StoreUnderTest, session: LoginSession) => Promise<unknown>>> = {
  'its deletion': ({ loginSessions }, { id }) => loginSessions.delete(id, { now: start + 5 }),
  'the end of this session': ({ transact }, { id }) =>
    transact(({ issuedTokens }) => issuedTokens.endSession(id, start + 5)),
  'the end of all sessions of its owner': ({ transact }) =>
    transact(({ issuedTokens }) => issuedTokens.endSessions(emma, start + 5)),
  'the end of its identity provider': ({ identityProviderUse }) =>
    identityProviderUse.end(emma.identityProvider, start + 5),
};

export function sessionClientRules(openStore: OpenStore): void {
  for (const [way, end] of Object.entries(ways)) {
    it(
      `makes deliveries of the clients of a session by ${way}, and reports it`,
      withStore(openStore, async (store) => {
        const { loginSessions, sessionClients, logoutDeliveries } = store;
        const make = sessionFactory();
        const client = clientFactory();
        const [session, other] = [make(), make({ owner: buildResourceOwner('emma', 'elsewhere') })];
        for (const each of [session, other]) await loginSessions.insert(each);
        const own = [client(session), client(session, { clientRecordId: 2, sid: 'x' })];
        for (const each of [...own, client(other)]) await sessionClients.insert(each);
        let reports = 0;
        logoutDeliveries.onDue(() => {
          reports += 1;
        });
        assert.deepEqual(await logoutDeliveries.listDue(start + 9, 9), []);
        await end(store, session);
        assert.ok(reports > 0);
        const delivery = {
          endedAt: start + 5,
          expires: start + 5 + logoutDeliveryRetention,
          attempts: 0,
          nextAttempt: start + 5,
          failure: undefined,
        };
        assert.deepEqual(await logoutDeliveries.listDue(start + 4, 9), []);
        assert.deepEqual(
          (await logoutDeliveries.listDue(start + 5, 9)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
          own.map((each) => ({ ...each, ...delivery })),
        );
        assert.deepEqual(await sessionClients.list(session.id), []);
        assert.equal((await sessionClients.list(other.id)).length, 1);
      }),
    );
  }

  it(
    'stores a client once for a session and sid, and finds it until the session ends',
    withStore(openStore, async ({ loginSessions, sessionClients, logoutDeliveries }) => {
      const session = sessionFactory()();
      const client = clientFactory();
      await loginSessions.insert(session);
      const [first, again] = [client(session), client(session)];
      await Promise.all([sessionClients.insert(first), sessionClients.insert(first)]);
      await sessionClients.insert(again);
      assert.deepEqual(await sessionClients.list(session.id), [first]);
      await loginSessions.delete(session.id, { now: start });
      await sessionClients.insert(again);
      assert.equal((await logoutDeliveries.listDue(start, 9)).length, 1);
    }),
  );

  it(
    'keeps the clients of a session that goes on, and moves them to another session',
    withStore(openStore, async ({ loginSessions, sessionClients, logoutDeliveries }) => {
      const make = sessionFactory();
      const client = clientFactory();
      const [before, after] = [make(), make()];
      for (const each of [before, after]) await loginSessions.insert(each);
      const moved = [client(before), client(before, { clientRecordId: 2 })];
      for (const each of moved) await sessionClients.insert(each);
      assert.ok(await loginSessions.delete(before.id, { now: start, goesOn: true }));
      await sessionClients.move(before.id, after.id);
      assert.deepEqual(await logoutDeliveries.listDue(start + 9, 9), []);
      assert.deepEqual(await sessionClients.list(before.id), []);
      assert.deepEqual(
        (await sessionClients.list(after.id)).toSorted((a, b) => a.clientRecordId - b.clientRecordId),
        moved.map((each) => ({ ...each, sessionId: after.id })),
      );
    }),
  );

  it(
    'gives an attempt of a delivery to one of many that claim it',
    withStore(openStore, async (store) => {
      const { logoutDeliveries } = store;
      const [delivery] = await deliveries(store, 1);
      assert.ok(delivery);
      const claims = await Promise.all(
        Array.from({ length: 10 }, () => logoutDeliveries.claim(delivery, start + 100)),
      );
      assert.equal(claims.filter(Boolean).length, 1);
      assert.deepEqual(await logoutDeliveries.listDue(start + 99, 9), []);
      assert.deepEqual(await logoutDeliveries.listDue(start + 100, 9), [
        { ...delivery, nextAttempt: start + 100 },
      ]);
    }),
  );

  it(
    'stores how an attempt ended, and removes a delivery that is done',
    withStore(openStore, async (store) => {
      const { logoutDeliveries } = store;
      const [failed, done] = await deliveries(store, 2);
      assert.ok(failed && done);
      const change = { attempts: 3, nextAttempt: undefined, failure: 'the réceiver answered 400' };
      await logoutDeliveries.update(failed, change);
      await logoutDeliveries.remove(done);
      assert.deepEqual(await logoutDeliveries.find(failed.id), { ...failed, ...change });
      assert.equal(await logoutDeliveries.find(done.id), undefined);
      assert.deepEqual(await logoutDeliveries.listDue(Number.MAX_SAFE_INTEGER, 9), []);
      assert.ok(!(await logoutDeliveries.claim(done, start)));
    }),
  );

  it(
    'makes a delivery due again, as a new one, and reports it',
    withStore(openStore, async (store) => {
      const { logoutDeliveries } = store;
      const [failed, done] = await deliveries(store, 2);
      assert.ok(failed && done);
      const reports: string[] = [];
      logoutDeliveries.onDue((by) => reports.push(by));
      await logoutDeliveries.update(failed, { attempts: 3, nextAttempt: undefined, failure: 'x' });
      await logoutDeliveries.remove(done);
      assert.ok(await logoutDeliveries.retry(failed, start + 7));
      assert.ok(!(await logoutDeliveries.retry(done, start + 7)));
      assert.deepEqual(await logoutDeliveries.listDue(start + 7, 9), [{ ...failed, nextAttempt: start + 7 }]);
      assert.deepEqual(reports, ['retry']);
    }),
  );

  it(
    'lists deliveries page by page, newest first, of all clients or of one, all or those that have failed for good',
    withStore(openStore, async (store) => {
      const { logoutDeliveries } = store;
      const all = (await deliveries(store, 4)).toSorted((a, b) => (a.id < b.id ? 1 : -1));
      const [newest, , failed] = all;
      assert.ok(newest && failed);
      await logoutDeliveries.update(failed, { attempts: 1, nextAttempt: undefined, failure: 'x' });
      const ids = async (query: object) =>
        (await logoutDeliveries.list({ limit: 9, ...query })).map(({ id }) => id);
      const every = all.map(({ id }) => id);
      assert.deepEqual(await ids({}), every);
      assert.deepEqual(await ids({ limit: 1 }), [newest.id]);
      assert.deepEqual(await ids({ before: newest.id }), every.slice(1));
      assert.deepEqual(await ids({ failed: true }), [failed.id]);
      assert.deepEqual(
        await ids({ failed: false }),
        every.filter((id) => id !== failed.id),
      );
      const { clientRecordId } = newest;
      assert.deepEqual(
        await ids({ clientRecordId }),
        all.filter((each) => each.clientRecordId === clientRecordId).map(({ id }) => id),
      );
    }),
  );
}

/** Deliveries of one session, to two clients. */
async function deliveries(
  { loginSessions, sessionClients, logoutDeliveries }: StoreUnderTest,
  count: number,
) {
  const session = sessionFactory()();
  const client = clientFactory();
  await loginSessions.insert(session);
  for (let index = 0; index < count; index += 1) {
    await sessionClients.insert(client(session, { clientRecordId: index % 2, sid: `${index}` }));
  }
  await loginSessions.delete(session.id, { now: start });
  return logoutDeliveries.listDue(start, count);
}
