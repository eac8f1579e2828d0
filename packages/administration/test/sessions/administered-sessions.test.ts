import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SnapshotStores } from '@watchword/protocol';
import {
  buildAdministrator,
  buildAuthenticationEvent,
  buildCaller,
  buildClient,
  buildResourceOwner,
  buildResourceServer,
  grantFactory,
  protocolDependencies,
  protocolError,
  seededRandom,
  sessionFactory,
} from '@watchword/testkit';
import type { Caller } from '../../src/callers/caller.ts';
import { identityProviderAdministration } from '../../src/identity-providers/identity-providers.ts';
import { type LoginSessionFilter, loginSessionAdministration } from '../../src/sessions/login-sessions.ts';
import { logoutDeliveryAdministration } from '../../src/sessions/logout-deliveries.ts';
import { keptCounts } from '../../src/statistics/kept-counts.ts';

const root = buildAdministrator();
const emma = buildCaller('emma');
const make = sessionFactory();

function server() {
  const deps = protocolDependencies();
  return { ...deps, parts: { ...deps.store, clock: deps.clock, random: seededRandom('sessions') } };
}

describe('the login sessions that an administrator sees', () => {
  it('are the valid ones, of all users or of one, until they are idle, over or ended', async () => {
    const { clock, parts, store } = server();
    const admin = loginSessionAdministration({ ...parts, sessionIdleLifetime: 100 });
    const now = clock.now();
    const [idle, over, mine, other] = [
      make({ lastUsed: now - 100_000 }),
      make({ expires: now }),
      make({ lastUsed: now - 99_999, expires: now + 1 }),
      make({ owner: buildResourceOwner('noah'), lastUsed: now, expires: now + 1 }),
    ];
    for (const session of [idle, over, mine, other]) await store.loginSessions.insert(session);
    const ids = async (name?: string) => {
      const owner = name === undefined ? undefined : { identityProvider: 'password', name };
      return new Set((await admin.list(root, { owner }, { limit: 9 })).items.map(({ id }) => id));
    };
    assert.deepEqual(await ids(), new Set([mine.id, other.id]));
    assert.deepEqual(await ids('noah'), new Set([other.id]));
    for (const { id } of [idle, over]) await assert.rejects(admin.end(root, id), protocolError('not_found'));
    await admin.end(root, mine.id);
    await assert.rejects(admin.end(root, mine.id), protocolError('not_found'));
    assert.deepEqual(await ids(), new Set([other.id]));
    await assert.rejects(admin.list(emma, {}, { limit: 9 }), protocolError('access_denied'));
    await assert.rejects(admin.end(emma, other.id), protocolError('access_denied'));
    const [event] = await store.auditEvents.list({ limit: 1 });
    assert.deepEqual([event?.action, event?.recordId, event?.recordName], ['delete', mine.id, 'emma']);
  });

  it('are read page by page, each once', async () => {
    const { clock, parts, store } = server();
    const admin = loginSessionAdministration({ ...parts, sessionIdleLifetime: 100 });
    const sessions = [1, 2, 3].map(() => make({ lastUsed: clock.now(), expires: clock.now() + 1 }));
    for (const session of sessions) await store.loginSessions.insert(session);
    const read: string[] = [];
    let after: string | undefined;
    do {
      const page = await admin.list(root, {}, { limit: 1, after });
      read.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined && read.length < 9);
    assert.deepEqual(read.toSorted(), sessions.map(({ id }) => id).toSorted());
  });
});

describe('a list of login sessions', () => {
  it('is narrowed by a client that was granted access in them, and by the time of the login', async () => {
    const { clock, parts, store } = server();
    const admin = loginSessionAdministration({ ...parts, sessionIdleLifetime: 1000 });
    const { clientId, id: clientRecordId } = store.putClient(buildClient());
    const grants = grantFactory();
    const start = clock.now();
    const login = async (creationDate: number) => {
      const session = make({ creationDate, lastUsed: start + 9, expires: start + 99_999 });
      await store.loginSessions.insert(session);
      return session;
    };
    const [plain, early, late] = [await login(start), await login(start + 1), await login(start + 2)];
    for (const { id: sessionId } of [early, late]) {
      const grant = grants.grant({ clientRecordId, authentication: buildAuthenticationEvent({ sessionId }) });
      await store.authorizationCodes.insert(grants.code(grant), grant);
    }
    const ids = async (filter: LoginSessionFilter, limit = 9) =>
      new Set((await admin.list(root, filter, { limit })).items.map(({ id }) => id));
    assert.deepEqual(await ids({ clientId }), new Set([early.id, late.id]));
    assert.deepEqual(await ids({ since: start + 2 }), new Set([late.id]));
    assert.deepEqual(await ids({ clientId, since: start + 2 }), new Set([late.id]));
    assert.deepEqual(await ids({ clientId: 'unknown' }), new Set());
    assert.ok((await ids({})).has(plain.id));
  });
});

describe('the identity providers that are in use', () => {
  it('are listed by name for administrators, a page at a time, and end with all that their users have', async () => {
    const { identityProviders, parts, store } = server();
    const admin = identityProviderAdministration({ ...parts, identityProviders });
    identityProviders.gone.add('b');
    for (const identityProvider of ['a', 'b', 'c']) {
      await store.loginSessions.insert(make({ owner: buildResourceOwner('emma', identityProvider) }));
    }
    const names = async (configured?: boolean, caller: Caller = root) => {
      const found: string[] = [];
      let after: string | undefined;
      do {
        const page = await admin.list(caller, { configured }, { limit: 1, after });
        found.push(...page.items.map(({ identityProvider }) => identityProvider));
        after = page.next;
      } while (after !== undefined && found.length < 9);
      return found;
    };
    assert.deepEqual(
      [await names(), await names(true), await names(false)],
      [['a', 'b', 'c'], ['a', 'c'], ['b']],
    );
    assert.deepEqual(await names(undefined, emma), []);
    for (const [caller, name] of [
      [root, 'd'],
      [emma, 'b'],
    ] as const) {
      await assert.rejects(admin.end(caller, name), protocolError('not_found'));
    }
    assert.equal((await admin.end(root, 'b')).loginSessions, 1);
    assert.deepEqual(await names(), ['a', 'c']);
  });
});

describe('the end of an identity provider', () => {
  it('is logged before it happens, and looks again behind every change that had begun', async () => {
    const { identityProviders, parts, store, client } = server();
    await store.loginSessions.insert(make({ owner: buildResourceOwner('emma', 'b') }));
    const steps: string[] = [];
    const giver = { identityProvider: 'b', name: 'emma' };
    const given = { clientRecordId: client.id, right: 'audit:read', giver, creationDate: 0 };
    const ended = [
      { loginSessions: 1, grants: 2, consents: 3 },
      { loginSessions: 10, grants: 20, consents: 30 },
    ].values();
    const admin = identityProviderAdministration({
      ...parts,
      identityProviders,
      transact: async (work) => {
        steps.push('transaction');
        return store.transact(work);
      },
      identityProviderUse: {
        ...store.identityProviderUse,
        async end() {
          steps.push('end');
          // By an administrator whose access has not ended yet.
          await store.transact(({ rights }) => rights.give(given));
          return ended.next().value ?? assert.fail('a third time');
        },
      },
    });
    assert.deepEqual(await admin.end(root, 'b'), { loginSessions: 11, grants: 22, consents: 33 });
    assert.deepEqual(steps, ['transaction', 'end', 'transaction', 'end', 'transaction']);
    assert.deepEqual(await store.rights.list(), []);
    const events = await store.auditEvents.list({ limit: 9 });
    const event = events.find(({ recordType }) => recordType === 'identityProvider');
    assert.deepEqual(
      [event?.action, event?.recordName, event?.before?.loginSessions],
      ['revokeTokens', 'b', 1],
    );
  });
});

describe('the logouts that clients have not accepted', () => {
  it('are seen and tried again by administrators and by the owner of the client', async () => {
    const { clock, parts, store, client } = server();
    store.putResourceServer(
      buildResourceServer({ id: 2, key: 'other', name: 'Other', owner: 'finn', ownerAuthority: 'password' }),
    );
    const other = store.putClient(buildClient({ id: 20, clientId: 'other', resourceServerId: 2 }));
    const admin = logoutDeliveryAdministration({ ...parts, registered: store });
    for (const clientRecordId of [client.id, other.id, 99]) {
      const session = make();
      await store.loginSessions.insert(session);
      const { id, expires } = session;
      await store.sessionClients.insert({
        id,
        sessionId: id,
        clientRecordId,
        sid: 's',
        subject: 's',
        expires,
      });
      await store.loginSessions.delete(id, { now: clock.now() });
    }
    const listed = async (caller: Caller, filter: { clientId?: string; failed?: boolean } = {}) =>
      (await admin.list(caller, filter, { limit: 9 })).items;
    const names = async (caller: Caller, filter?: { clientId?: string; failed?: boolean }) =>
      (await listed(caller, filter)).map((delivery) => delivery.client.clientId).toSorted();
    assert.deepEqual(await names(root), ['other', 'test-client']);
    assert.deepEqual(await names(emma), ['test-client']);
    assert.deepEqual(await names(root, { clientId: 'other' }), ['other']);
    assert.deepEqual(await names(emma, { clientId: 'other' }), []);
    assert.deepEqual(await names(root, { clientId: 'unknown' }), []);
    assert.deepEqual(await names(root, { failed: true }), []);
    const [ofOther] = await listed(root, { clientId: 'other' });
    const [own] = await listed(emma);
    assert.ok(ofOther !== undefined && own !== undefined);
    await assert.rejects(admin.retry(emma, ofOther.id), protocolError('not_found'));
    await assert.rejects(admin.retry(root, 'unknown'), protocolError('not_found'));
    await store.logoutDeliveries.update(own, { attempts: 9, nextAttempt: undefined, failure: 'why' });
    assert.deepEqual(await names(emma, { failed: true }), ['test-client']);
    await admin.retry(emma, own.id);
    assert.deepEqual(await names(emma, { failed: true }), []);
    assert.equal((await listed(emma))[0]?.attempts, 0);
  });
});

describe('the counts of a client', () => {
  it('are read again when they are too old or could not be read, and those of ten thousand clients are kept', async () => {
    const { client, clock } = server();
    let reads = 0;
    let failure: Error | undefined;
    const countOf = async () => {
      reads += 1;
      if (failure !== undefined) throw failure;
      return { tokens: 1, grants: 2, read: 3 };
    };
    const stores = { statistics: { countOf } } as unknown as Pick<SnapshotStores, 'statistics'>;
    const counts = keptCounts(clock);
    const read = async (id = client.id) => (await counts({ ...client, id }, stores, 1000)).read;
    assert.deepEqual([await read(), await read(), reads], [3, 0, 1]);
    clock.advance(999);
    assert.equal(await read(), 0);
    clock.advance(1);
    assert.equal(await read(), 3);
    failure = new Error('the database does not answer');
    await assert.rejects(read(500), /does not answer/);
    failure = undefined;
    assert.equal(await read(500), 3);
    for (let id = 1000; id < 10_998; id += 1) await read(id);
    assert.equal(await read(), 0);
    await read(20_000);
    assert.equal(await read(), 3);
  });
});
