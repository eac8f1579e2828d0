import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type OAuthError,
  openClientsKey,
  type SectorDocument,
  type SectorIdentifiers,
} from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import { clientAdministration } from '../../src/clients/clients.ts';
import { purgeUnusedClients } from '../../src/clients/unused-clients.ts';
import { initialTokenAdministration } from '../../src/self-registration/initial-tokens.ts';
import { selfRegistrationOf } from '../../src/self-registration/self-registration.ts';

const root = buildAdministrator();
const source = '192.0.2.1';
const tool = {
  redirect_uris: ['https://tool.example/cb'],
  client_name: 'Tool',
  grant_types: ['authorization_code', 'refresh_token'],
};
const bearer = (token: string) => ({ authorization: `Bearer ${token}`, source });
const hour = 3_600_000;
const day = 24 * hour;

function registrations(needsToken = false, sectorIdentifiers?: SectorIdentifiers) {
  const { store, clock, attempts } = protocolDependencies();
  const deps = { ...store, clock, random: seededRandom('registration'), attempts };
  const algorithms = () => ['RS256'] as const;
  return {
    store,
    clock,
    deps,
    tokens: initialTokenAdministration(deps),
    ...selfRegistrationOf({
      ...deps,
      needsToken,
      algorithms,
      ...(sectorIdentifiers && { sectorIdentifiers }),
    }),
  };
}

describe('a client that registers itself', () => {
  it('gets a name that nobody has chosen, no trust, and digests of what it is told once', async () => {
    const { register, store } = registrations();
    const {
      client,
      secret = assert.fail(),
      token,
      registration,
    } = await register(tool, { authorization: undefined, source });
    assert.match(client.clientId, /^registered\.[\w-]{22}$/);
    assert.deepEqual([client.trusted, client.skipConsent, client.keepsUserData], [false, false, false]);
    const stored = JSON.stringify([await store.clients.findById(client.id), registration]);
    for (const text of [secret, token]) assert.ok(!stored.includes(text));
    const home = await store.resourceServers.find(openClientsKey);
    assert.equal(client.resourceServerId, home?.id);
    const [event] = await store.auditEvents.list({ limit: 10, kind: 'changes' });
    assert.deepEqual([event?.action, event?.recordName, event?.source], ['create', client.clientId, source]);
    assert.ok(!JSON.stringify(event).includes(token));
  });

  it('has the pairwise subjects of a sector whose document lists its redirect URIs, also after a change', async () => {
    const documents = new Map<string, SectorDocument>([
      ['https://sector.example/list', { redirectUris: tool.redirect_uris }],
      ['https://sector.example/other', { redirectUris: ['https://other.example/cb'] }],
      ['https://10.0.0.1/', { problem: 'has a host without a public address' }],
    ]);
    const read = async (uri: string) => documents.get(uri) ?? { problem: 'answered with status 404' };
    const { register, update } = registrations(false, { read });
    const anyone = { authorization: undefined, source };
    const listed = {
      ...tool,
      subject_type: 'pairwise',
      sector_identifier_uri: 'https://sector.example/list',
    };
    const { client, token } = await register(listed, anyone);
    assert.deepEqual(
      [client.subjectType, client.sectorIdentifierUri],
      ['pairwise', listed.sector_identifier_uri],
    );
    for (const [uri, problem] of [
      ['https://sector.example/other', /^sector_identifier_uri: has a document that does not list/],
      ['https://10.0.0.1/', /^sector_identifier_uri: has a host without a public address/],
      ['http://sector.example/list', /^sector_identifier_uri: /],
    ] as const) {
      const wrong = { ...listed, sector_identifier_uri: uri };
      const changed = { ...wrong, client_id: client.clientId };
      for (const asked of [
        () => register(wrong, anyone),
        () => update(client.clientId, changed, bearer(token)),
      ]) {
        await assert.rejects(asked, (error: OAuthError) => {
          assert.equal(error.kind, 'invalid_client_metadata');
          assert.match(error.violations?.[0] ?? '', problem);
          return true;
        });
      }
    }
    const hosts = {
      ...tool,
      redirect_uris: ['https://a.example/', 'https://b.example/'],
      subject_type: 'pairwise',
    };
    await assert.rejects(register(hosts, anyone), protocolError('invalid_client_metadata'));
  });

  it('reads, changes and deletes itself alone, with its token alone', async () => {
    const { register, read, update, delete: remove, store } = registrations();
    const anyone = { authorization: undefined, source };
    const own = await register(tool, anyone);
    const other = await register(tool, anyone);
    const { clientId } = own.client;
    for (const request of [
      bearer(other.token),
      bearer(own.secret ?? ''),
      bearer('wwg_x'),
      bearer(`${own.token}x`),
    ]) {
      const document = { ...tool, client_id: clientId };
      for (const ask of [
        read(clientId, request),
        update(clientId, document, request),
        remove(clientId, request),
      ])
        await assert.rejects(ask, protocolError('invalid_token'));
    }
    await assert.rejects(read(clientId, anyone), protocolError('missing_token'));
    await assert.rejects(read('registered.unknown', bearer(own.token)), protocolError('invalid_token'));
    const found = await read(clientId, bearer(own.token));
    assert.deepEqual([found.client.id, found.token, found.secret], [own.client.id, own.token, undefined]);
    await remove(clientId, bearer(own.token));
    assert.equal(await store.clients.find(clientId), undefined);
    await assert.rejects(read(clientId, bearer(own.token)), protocolError('invalid_token'));
    assert.equal((await read(other.client.clientId, bearer(other.token))).client.id, other.client.id);
  });

  it('replaces the whole of its registration, keeps its secret, and loses the trust of administrators', async () => {
    const { register, update, store, deps } = registrations();
    const { client, secret, token } = await register(tool, { authorization: undefined, source });
    await clientAdministration(deps).confirm(root, client);
    const redirect_uris = ['https://new.example/cb'];
    const document = { client_id: client.clientId, client_secret: secret, redirect_uris };
    const updated = await update(client.clientId, document, bearer(token));
    assert.deepEqual(updated.client.redirectUris, redirect_uris);
    assert.deepEqual([updated.client.clientName, updated.client.useRefreshTokens], ['new.example', false]);
    const stored = await store.clients.findById(client.id);
    assert.deepEqual([stored?.secret, stored?.trusted], [client.secret, false]);
    const events = await store.auditEvents.list({ limit: 9, kind: 'changes' });
    const own = events.filter(({ clientId }) => clientId === client.clientId);
    assert.deepEqual(
      own.map(({ action }) => action),
      ['update'],
    );
  });

  it('cannot become one that needs no secret, choose its secret, or take the client_id of another one', async () => {
    const { register, update } = registrations();
    const anyone = { authorization: undefined, source };
    const { client, token } = await register(tool, anyone);
    const open = await register({ ...tool, token_endpoint_auth_method: 'none' }, anyone);
    for (const [of, change] of [
      [{ client, token }, { token_endpoint_auth_method: 'none' }],
      [open, { token_endpoint_auth_method: 'client_secret_basic' }],
      [{ client, token }, { client_secret: 'chosen' }],
      [{ client, token }, { client_secret: ['x'] }],
      [open, { client_secret: '' }],
      [{ client, token }, { client_id: open.client.clientId }],
      [{ client, token }, { client_id: undefined }],
      [{ client, token }, { client_id: [client.clientId] }],
    ] as const) {
      const kept = { token_endpoint_auth_method: of.client.tokenEndpointAuthMethod };
      const document = { ...tool, ...kept, client_id: of.client.clientId, ...change };
      const changing = update(of.client.clientId, document, bearer(of.token));
      await assert.rejects(changing, protocolError('invalid_client_metadata'), JSON.stringify(change));
    }
    const post = { ...tool, client_id: client.clientId, token_endpoint_auth_method: 'client_secret_post' };
    const { client: changed } = await update(client.clientId, post, bearer(token));
    assert.equal(changed.tokenEndpointAuthMethod, 'client_secret_post');
  });

  it('takes the place of the oldest that was never used where too many are unused, and is refused while all are new', async () => {
    const { register, store, clock } = registrations();
    const anyone = { authorization: undefined, source };
    const made = async () => (await register(tool, anyone)).registration;
    const [used, first, second] = [await made(), await made(), await made()];
    await store.transact(async ({ clientRegistrations }) => {
      for (let at = 3; at < 10_000; at += 1)
        await clientRegistrations.create({ ...first, clientRecordId: 1_000_000 + at });
    });
    await assert.rejects(register(tool, anyone), protocolError('temporarily_unavailable'));
    clock.advance(hour + 1);
    // No run of the purge has noted it yet.
    const issued = { hour: Math.floor(clock.now() / hour), grantType: 'authorization_code', tokens: 1 };
    await store.statistics.addIssued([{ ...issued, clientRecordId: used.clientRecordId }]);
    const left = () =>
      Promise.all(
        [used, first, second].map(
          async ({ clientRecordId: id }) =>
            (await store.clients.findById(id)) !== undefined &&
            (await store.clientRegistrations.find(id)) !== undefined,
        ),
      );
    await made();
    assert.deepEqual(await left(), [true, false, true]);
    // It has the place of the one that turned out to be used.
    await made();
    assert.deepEqual(await left(), [true, false, true]);
    await made();
    assert.deepEqual(await left(), [true, false, false]);
    const events = await store.auditEvents.list({ kind: 'changes', limit: 20 });
    const deleted = events.filter(({ action }) => action === 'delete').map(({ recordId }) => recordId);
    assert.deepEqual(
      deleted.toSorted(),
      [first, second].map((each) => String(each.clientRecordId)).toSorted(),
    );
  });

  it('needs an initial access token where the operator wants one, as long as the token is valid', async () => {
    const { register, tokens, clock, store } = registrations(true);
    await assert.rejects(
      register(tool, { authorization: undefined, source }),
      protocolError('missing_token'),
    );
    const make = async (lifetime: number, maxClients: number) =>
      tokens.create(root, { note: 'CI', lifetime, maxClients }, []);
    const [limited, short, ended] = [await make(0, 1), await make(60, 0), await make(0, 0)];
    const { registration } = await register(tool, bearer(limited.value));
    assert.equal(registration.initialTokenId, limited.token.id);
    await assert.rejects(register(tool, bearer(limited.value)), protocolError('invalid_token'));
    await register(tool, bearer(short.value));
    clock.advance(60_001);
    await assert.rejects(register(tool, bearer(short.value)), protocolError('invalid_token'));
    await tokens.end(root, ended.token.id);
    await assert.rejects(register(tool, bearer(ended.value)), protocolError('invalid_token'));
    await assert.rejects(tokens.end(root, ended.token.id), protocolError('not_found'));
    assert.equal((await store.initialTokens.list({ limit: 9 })).length, 2);
  });

  it('is let in by administrators alone', async () => {
    const { tokens } = registrations(true);
    const emma = buildCaller('emma');
    const given = { note: '', lifetime: 0, maxClients: 0 };
    await assert.rejects(async () => tokens.create(emma, given, []), protocolError('access_denied'));
    await assert.rejects(async () => tokens.list(emma, { limit: 1 }), protocolError('access_denied'));
    await assert.rejects(async () => tokens.end(emma, 'x'), protocolError('access_denied'));
  });
});

describe('the purge of clients that registered themselves', () => {
  const lifetimes = { document: 0, neverUsed: 7 * 86_400, unused: 90 * 86_400 };

  it('deletes those that never got a token, and those that get none any more', async () => {
    const { register, store, clock, deps } = registrations();
    const { signal } = new AbortController();
    const made = async () => (await register(tool, { authorization: undefined, source })).client.id;
    const [never, once, always] = [await made(), await made(), await made()];
    const use = (clientRecordId: number) =>
      store.statistics.addIssued([
        { clientRecordId, hour: Math.floor(clock.now() / hour), grantType: 'authorization_code', tokens: 1 },
      ]);
    const left = async () =>
      (await store.clients.findByIds([never, once, always])).map(({ id }) => id).toSorted((a, b) => a - b);
    await use(once);
    const purge = () => purgeUnusedClients(deps, lifetimes, signal);
    clock.advance(7 * day);
    assert.deepEqual([await purge(), await left()], [0, [never, once, always]]);
    await use(always);
    clock.advance(1);
    assert.deepEqual([await purge(), await left()], [1, [once, always]]);
    // Uses that are no longer counted are known from the runs before.
    for (let days = 0; days < 90; days += 10) {
      await use(always);
      clock.advance(10 * day);
      await purge();
    }
    assert.deepEqual(await left(), [always]);
    const idle = { usedBefore: Number.MAX_SAFE_INTEGER, after: 0, limit: 9 };
    const kept = await store.clientRegistrations.listIdle(idle);
    assert.deepEqual(
      kept.map(({ clientRecordId }) => clientRecordId),
      [always],
    );
  });

  it('forgets what was kept of clients that were deleted, and keeps all where there is no limit', async () => {
    const { register, store, clock, deps } = registrations();
    const { client } = await register(tool, { authorization: undefined, source });
    const { client: stays } = await register(tool, { authorization: undefined, source });
    await clientAdministration(deps).delete(root, client);
    clock.advance(1000 * day);
    const unlimited = { document: 0, neverUsed: 0, unused: 0 };
    await purgeUnusedClients(deps, unlimited, new AbortController().signal);
    assert.equal(await store.clientRegistrations.find(client.id), undefined);
    assert.ok(await store.clientRegistrations.find(stays.id));
    assert.ok(await store.clients.findById(stays.id));
  });
});
