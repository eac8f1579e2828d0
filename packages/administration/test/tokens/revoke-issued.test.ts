import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditEvent, type Client, identityOf, KeyRing } from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildResourceOwner,
  buildResourceServer,
  grantFactory,
  protocolDependencies,
  protocolError,
  seededRandom,
  tokenFactory,
} from '@watchword/testkit';
import { accessTokenAdministration } from '../../src/tokens/access-tokens.ts';

const root = buildAdministrator();
const emma = buildCaller('emma');
const paula = buildResourceOwner('paula');
const nothing = { grants: 0, accessTokens: 0, clients: [], remaining: [] };

/** An API of emma with opaque tokens, and one of finn with JWTs. */
function deps() {
  const { store, clock, accessTokenFormats, instruments } = protocolDependencies();
  store.putResourceServer(buildResourceServer({ id: 1, owner: 'emma' }));
  store.putResourceServer(
    buildResourceServer({ id: 2, key: 'jwt-api', owner: 'finn', accessTokenFormat: 'jwt' }),
  );
  const put = (id: number, clientId: string, overrides: Partial<Client> = {}) =>
    store.putClient(buildClient({ id, clientId, expireDuration: 600, useRefreshTokens: true, ...overrides }));
  const clients = {
    app: put(1, 'app', { redirectUris: ['https://app.example/cb'] }),
    job: put(2, 'job'),
    jwtJob: put(3, 'jwt-job', { resourceServerId: 2 }),
    jwtApp: put(4, 'jwt-app', { resourceServerId: 2, redirectUris: ['https://app.example/cb'] }),
  };
  const audited: AuditEvent[] = [];
  const random = seededRandom('issued');
  const admin = accessTokenAdministration({
    ...store,
    accessTokenFormats,
    clock,
    instruments,
    random,
    registered: store,
    openSealer: () => KeyRing.open({ ...store, clock, random }),
    sessionIdleLifetime: 1000,
    audited: (event) => audited.push(event),
  });
  const make = grantFactory();
  const token = tokenFactory();
  /** A grant with its tokens, as the code flow leaves it. */
  const grant = async ({ id: clientRecordId }: Client, owner = paula) => {
    const made = make.grant({ clientRecordId, owner, creationDate: clock.now() });
    const code = make.code(made);
    const tokens = make.tokens(made);
    await store.authorizationCodes.insert(code, made);
    await store.authorizationCodes.redeem(code.id, tokens, clock.now());
    return { ...tokens, grant: made };
  };
  /** A token with which the client acts for itself. */
  const own = async ({ id: clientRecordId }: Client) => {
    const issued = token({ clientRecordId, creationDate: clock.now() });
    await store.accessTokens.insert(issued);
    return issued;
  };
  /** The same for resource servers of others too. */
  const ownAt = async (client: Client, scopes: readonly string[]) => {
    const issued = token({ clientRecordId: client.id, creationDate: clock.now(), scopes });
    await store.accessTokens.insert(issued);
    return async () => (await store.accessTokens.find(issued.id))?.scopes;
  };
  const areFound = (...issued: readonly { readonly id: string }[]) =>
    Promise.all(issued.map(async ({ id }) => (await store.accessTokens.find(id)) !== undefined));
  return { store, clock, clients, admin, audited, make, put, grant, own, ownAt, areFound };
}

describe('a revocation of what was issued since a time', () => {
  it('ends each grant under which a token was issued since, with its older tokens, and remembers the consent', async () => {
    const { admin, areFound, clients, clock, grant, make, store, audited } = deps();
    const [unused, refreshed] = [await grant(clients.app), await grant(clients.app)];
    const key = {
      ...{ owner: identityOf(paula), subject: paula.subject },
      clientRecordId: 1,
      redirectUri: 'https://a',
    };
    await store.consents.save({ key, scopes: ['read'], savedAt: clock.now() }, refreshed.grant.id);
    clock.advance(1000);
    const since = clock.now();
    const next = make.tokens(refreshed.grant, since);
    await store.refreshTokens.rotate(refreshed.refreshToken.id, next, 'sealed', since);
    const fresh = await grant(clients.app, buildResourceOwner('quinn'));
    const selection = { clientId: 'app', since };
    assert.deepEqual(await admin.revokeIssued(root, selection), { ...nothing, grants: 2 });
    assert.deepEqual(
      await areFound(unused.accessToken, refreshed.accessToken, next.accessToken, fresh.accessToken),
      [true, false, false, false],
    );
    assert.deepEqual((await store.consents.find(key))?.scopes, ['read']);
    assert.deepEqual(
      audited.map(({ action, recordName, before }) => [action, recordName, before]),
      [['revokeGrants', 'app', { grants: 2, clientId: 'app', issuedSince: since }]],
    );
    assert.deepEqual(await admin.revokeIssued(root, selection), nothing);
  });

  it('revokes the stored tokens with which clients act for themselves, and no older one', async () => {
    const { admin, areFound, clients, clock, own, audited } = deps();
    const older = await own(clients.job);
    clock.advance(1);
    const since = clock.now();
    const newer = [await own(clients.job), await own(clients.app)];
    for (let count = 0; count < 501; count += 1) await own(clients.job);
    const revoked = await admin.revokeIssued(emma, { resourceServerId: 1, since });
    assert.deepEqual(revoked, { ...nothing, accessTokens: 503 });
    assert.deepEqual(await areFound(older, ...newer), [true, false, false]);
    const counts = audited.map(({ recordName, before }) => [recordName, before?.accessTokens]);
    assert.deepEqual(counts, [
      ['app', 1],
      ['job', 500],
      ['job', 2],
    ]);
  });

  it('of one client revokes its own tokens, and of one person the grants alone', async () => {
    const { admin, areFound, clients, grant, own, audited } = deps();
    const [job, app] = [await own(clients.job), await own(clients.app)];
    const granted = (await grant(clients.app)).accessToken;
    const ofJob = { clientId: 'job', since: 0 };
    assert.deepEqual(await admin.revokeIssued(emma, ofJob), { ...nothing, accessTokens: 1 });
    assert.deepEqual(
      await admin.revokeIssued(emma, { ...ofJob, clientId: 'none', resourceServerId: 1 }),
      nothing,
    );
    assert.deepEqual(await areFound(job, app, granted), [false, true, true]);
    const ofPaula = { subject: paula.subject, since: 0 };
    assert.deepEqual(await admin.revokeIssued(root, ofPaula), { ...nothing, grants: 1 });
    const atApi = { ...ofPaula, resourceServerId: 1 };
    assert.deepEqual(await admin.revokeIssued(root, atApi), nothing);
    assert.deepEqual(await areFound(app, granted), [true, false]);
    assert.deepEqual(
      audited.map(({ recordName, before }) => [recordName, before]),
      [
        ['job', { accessTokens: 1, issuedSince: 0 }],
        ['paula', { grants: 1, issuedSince: 0 }],
      ],
    );
  });

  it('reads no page with older tokens alone', async () => {
    const { admin, clients, clock, own, store } = deps();
    for (let count = 0; count < 501; count += 1) await own(clients.job);
    clock.advance(1);
    const since = clock.now();
    await own(clients.job);
    const scans: number[] = [];
    const { scan } = store.accessTokens;
    store.accessTokens.scan = async (asked) => {
      const page = await scan(asked);
      scans.push(page.length);
      return page;
    };
    const revoked = { ...nothing, accessTokens: 1 };
    assert.deepEqual(await admin.revokeIssued(emma, { clientId: 'job', since }), revoked);
    assert.deepEqual(scans, [500]);
    const rest = { ...nothing, accessTokens: 501 };
    assert.deepEqual(await admin.revokeIssued(emma, { clientId: 'job', since: 0 }), rest);
    assert.deepEqual(scans, [500, 500, 1]);
  });

  it('revokes all tokens of a client that gets JWTs for itself alone, and names one that acts for users too', async () => {
    const { admin, clients, clock, grant, areFound, store } = deps();
    const kept = await grant(clients.jwtApp);
    const page = { id: 5, clientId: 'jwt-page', resourceServerId: 2, allowedClientCredentials: false };
    store.putClient(buildClient(page));
    clock.advance(1000);
    const revoked = await admin.revokeIssued(root, { resourceServerId: 2, since: clock.now() });
    assert.deepEqual(revoked, { ...nothing, clients: ['jwt-job'], remaining: ['jwt-app'] });
    assert.equal((await store.clients.find('jwt-job'))?.tokensValidFrom, clock.now());
    assert.equal((await store.clients.find('jwt-app'))?.tokensValidFrom, 0);
    assert.deepEqual(await areFound(kept.accessToken), [true]);
    assert.deepEqual(await admin.revokeIssued(root, { subject: paula.subject, since: clock.now() }), nothing);
  });

  it('changes nothing of another record owner, and needs a person, a client or a resource server', async () => {
    const { admin, areFound, clients, grant, own, audited } = deps();
    const issued = [(await grant(clients.app)).accessToken, await own(clients.job)];
    const finn = buildCaller('finn');
    for (const named of [
      { resourceServerId: 1 },
      { clientId: 'job' },
      { subject: paula.subject },
      { clientId: 'none' },
    ])
      assert.deepEqual(await admin.revokeIssued(finn, { ...named, since: 0 }), nothing);
    await assert.rejects(admin.revokeIssued(root, { since: 0 }), protocolError('invalid_request'));
    assert.deepEqual(
      await admin.revokeIssued(root, { clientId: 'app', resourceServerId: 2, since: 0 }),
      nothing,
    );
    assert.deepEqual([await areFound(...issued), audited], [[true, true], []]);
  });
});

describe('a client that acts for itself at resource servers of several owners', () => {
  const finn = buildCaller('finn');
  const both = ['\\', '2\\', 'read', '2\\read'];

  async function shared() {
    const made = deps();
    const { put, ownAt, store } = made;
    store.putResourceServer(buildResourceServer({ id: 3, key: 'third', owner: 'gina' }));
    const otherResourceServers = [2, 3].map((resourceServerId) => ({ resourceServerId, scopes: ['read'] }));
    const client = put(5, 'sync', { otherResourceServers, allowedClientCredentials: true });
    const tokens = [
      await ownAt(client, both),
      await ownAt(client, ['read']),
      await ownAt(client, ['2\\', '2\\read']),
      await ownAt(client, ['3\\', '2\\\\https://two.example', '3\\read', '2\\read']),
    ];
    return { ...made, left: () => Promise.all(tokens.map((scopes) => scopes())) };
  }

  it('loses what its tokens give there by the owner of one, and nothing else', async () => {
    for (const [caller, selection] of [
      [finn, { clientId: 'sync' }],
      [finn, { clientId: 'sync', resourceServerId: 2 }],
      [finn, { resourceServerId: 2 }],
      [root, { resourceServerId: 2 }],
    ] as const) {
      const { admin, left, audited } = await shared();
      const what = JSON.stringify(selection);
      const revoked = await admin.revokeIssued(caller, { ...selection, since: 0 });
      // Those that it gets as JWTs for that resource server alone end with their time.
      const remaining = revoked.remaining.filter((id) => id === 'sync');
      assert.deepEqual([revoked.accessTokens, remaining], [3, ['sync']], what);
      assert.deepEqual(revoked.clients.includes('sync'), false);
      assert.deepEqual(await left(), [['\\', 'read'], ['read'], undefined, ['3\\', '3\\read']], what);
      assert.deepEqual(
        audited
          .filter(({ before }) => before?.clientId === 'sync')
          .map(({ action, before }) => [action, before]),
        [['revokeTokens', { accessTokens: 3, issuedSince: 0, clientId: 'sync' }]],
        what,
      );
    }
  });

  it('loses all by its own owner, and nothing by others', async () => {
    const { admin, left } = await shared();
    for (const [caller, selection] of [
      [buildCaller('paula'), { clientId: 'sync' }],
      [finn, { clientId: 'sync', resourceServerId: 3 }],
      [finn, { clientId: 'sync', resourceServerId: 1 }],
      [finn, { clientId: 'job', resourceServerId: 1 }],
    ] as const) {
      assert.deepEqual(await admin.revokeIssued(caller, { ...selection, since: 0 }), nothing);
    }
    assert.equal((await left()).filter(Boolean).length, 4);
    assert.equal((await admin.revokeIssued(emma, { clientId: 'sync', since: 0 })).accessTokens, 4);
    assert.deepEqual(await left(), [undefined, undefined, undefined, undefined]);
  });
});
