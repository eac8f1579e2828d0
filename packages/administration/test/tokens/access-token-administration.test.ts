import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  accessTokenIssuer,
  administrationKey,
  KeyRing,
  namesOf,
  type OAuthError,
  type Profile,
  profileChecks,
} from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildClientCaller,
  buildResourceServer,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import { type Caller, commandLineCaller } from '../../src/callers/caller.ts';
import { accessTokenAdministration } from '../../src/tokens/access-tokens.ts';
import { isAccessTokenId, isJwtAddress } from '../../src/tokens/jwts.ts';
import { accessTokenTag } from '../../src/tokens/own-token.ts';

const emma = buildCaller('emma');
const root = buildAdministrator();

function deps() {
  const base = protocolDependencies();
  const { store, clock, instruments, accessTokenFormats } = base;
  const client = store.putClient(buildClient({ expireDuration: 600, scopes: ['read', 'write'] }));
  const random = seededRandom('tokens');
  const parts = {
    ...store,
    accessTokenFormats,
    clock,
    instruments,
    random,
    registered: store,
    openSealer: () => KeyRing.open({ ...store, clock, random }),
    sessionIdleLifetime: 1000,
  };
  const admin = accessTokenAdministration(parts);
  const request = { clientId: client.clientId, scopes: undefined, expires: undefined };
  const create = async (caller: Caller, overrides: object = {}) =>
    (await admin.create(caller, { ...request, ...overrides })).token;
  return { ...base, parts, client, admin, request, create };
}

/** The lists of tokens, and the ids of the tokens that were read for them. */
function listing() {
  const base = deps();
  const { store } = base;
  const read: string[] = [];
  const accessTokens: typeof store.accessTokens = {
    ...store.accessTokens,
    async scan(scan) {
      const found = await store.accessTokens.scan(scan);
      read.push(...found.map(({ id }) => id));
      return found;
    },
  };
  const admin = accessTokenAdministration({ ...base.parts, accessTokens });
  const list = async (caller: Caller, filter: object = {}) =>
    (await admin.list(caller, filter, { limit: 9 })).items.map(({ id }) => id);
  return { ...base, list, read };
}

async function violations(work: Promise<unknown>): Promise<readonly string[]> {
  try {
    await work;
  } catch (error) {
    protocolError('invalid_request')(error);
    return ((error as OAuthError).violations ?? []).map((violation) => violation.split(':')[0] ?? '');
  }
  return [];
}

describe('issuing a token by administration', () => {
  it('has the caller as its resource owner: a user by a grant, a client or a tool without one', async () => {
    const { create, store, issuedBy } = deps();
    const { owner, authentication } = (await create(emma)).grant ?? {};
    assert.deepEqual({ owner, authentication }, emma.login);
    const robot = store.putClient(buildClient({ id: 7, clientId: 'robot' }));
    store.putResourceServer(buildResourceServer({ owner: 'robot', ownerAuthority: 'client:7' }));
    assert.equal((await create(buildClientCaller(robot))).grant, undefined);
    assert.equal((await create(commandLineCaller('ops'))).grant, undefined);
    assert.deepEqual(issuedBy, ['administration', 'administration', 'administration']);
  });

  it('reports every violation at once, and names no client of others', async () => {
    const { admin, request, store } = deps();
    const wrong = { ...request, scopes: ['read', 'admin', '"'], expires: -1 };
    assert.deepEqual(await violations(admin.create(emma, wrong)), ['scopes', 'scopes', 'expires']);
    assert.deepEqual(await violations(admin.create(buildCaller('finn'), request)), ['clientId']);
    assert.deepEqual(await violations(admin.create(emma, { ...request, clientId: 'unknown' })), ['clientId']);
    store.putClient(buildClient({ id: 8, clientId: 'orphan', resourceServerId: 99 }));
    assert.deepEqual(await violations(admin.create(emma, { ...request, clientId: 'orphan' })), ['clientId']);
    const malformed = [{ field: 'scopes', problem: 'expected a list' }];
    assert.deepEqual(await violations(admin.create(emma, { ...request, expires: 1.5 }, malformed)), [
      'scopes',
      'expires',
    ]);
  });

  it('gives nobody an unbound token of a client whose tokens are bound to its keys', async () => {
    const { admin, request, store, client } = deps();
    for (const field of ['dpopBoundAccessTokens', 'tlsClientCertificateBoundAccessTokens']) {
      store.putClient({ ...client, [field]: true });
      for (const caller of [emma, root])
        assert.deepEqual(await violations(admin.create(caller, request)), ['clientId'], field);
    }
    const { parts } = deps();
    const strict = (profile: Profile) =>
      accessTokenAdministration({ ...parts, profile: profileChecks(profile) }).create(emma, request);
    assert.deepEqual(await violations(strict('fapi-2.0')), ['clientId']);
    assert.deepEqual(await violations(strict('mcp')), []);
  });

  it('gives an unbound token under FAPI 2.0 only of a client that does nothing but administer', async () => {
    const { parts, store, client, request } = deps();
    const ofSystem = { ownerAuthority: 'system', owner: 'watchword' };
    store.putResourceServer(
      buildResourceServer({ id: client.resourceServerId, key: administrationKey, ...ofSystem }),
    );
    const admin = accessTokenAdministration({ ...parts, profile: profileChecks('fapi-2.0') });
    assert.deepEqual(await violations(admin.create(root, request)), []);
    store.putClient({ ...client, otherResourceServers: [{ resourceServerId: 2, scopes: ['stock'] }] });
    assert.deepEqual(await violations(admin.create(root, request)), ['clientId']);
  });

  it('gives it the lifetime of the client, and no longer unless an administrator asks', async () => {
    const { create, clock, admin, request } = deps();
    const end = clock.now() + 600_000;
    assert.equal((await create(emma)).expires, end);
    assert.equal((await create(emma, { expires: end })).expires, end);
    for (const expires of [0, end + 1]) {
      assert.deepEqual(await violations(admin.create(emma, { ...request, expires })), ['expires']);
      assert.equal((await create(root, { expires })).expires, expires);
    }
  });

  it('is valid when it is issued, also directly after all tokens of the client were revoked', async () => {
    const { create, store, client, clock, admin } = deps();
    await store.clients.revokeTokens(client.id, clock.now());
    const { id } = await create(emma);
    assert.equal((await admin.find(emma, id)).id, id);
  });
});

describe('a token that is signed while its client changes', () => {
  /** Makes the change between the two transactions of an issue: while the token is signed. */
  async function issueDuring(change: (test: ReturnType<typeof deps>) => unknown) {
    const test = deps();
    const { store, client, accessTokenFormats } = test;
    const { random, clock, instruments } = test;
    const issue = accessTokenAdministration({
      ...store,
      accessTokenFormats: {
        ...accessTokenFormats,
        of(resourceServer) {
          const format = accessTokenFormats.of(resourceServer);
          return {
            ...format,
            async write(content) {
              await change(test);
              return format.write(content);
            },
          };
        },
      },
      clock,
      instruments,
      random,
      registered: store,
      openSealer: () => KeyRing.open({ ...store, clock, random }),
      sessionIdleLifetime: 1000,
    });
    const request = { clientId: client.clientId, scopes: ['read'], expires: undefined };
    const created = issue.create(emma, request);
    return { ...test, created };
  }

  it('is not stored when the client or its resource server has another revision, or the client another id', async () => {
    for (const change of [
      ({ store, client }) => store.putClient({ ...client, revision: client.revision + 1 }),
      ({ store, resourceServer }) =>
        store.putResourceServer({ ...resourceServer, revision: resourceServer.revision + 1 }),
      async ({ store, client }) => {
        await store.clients.delete(client.id);
        store.putClient({ ...client, id: client.id + 1 });
      },
    ] as ((test: ReturnType<typeof deps>) => unknown)[]) {
      const { store, created } = await issueDuring(change);
      await assert.rejects(created, protocolError('temporarily_unavailable'));
      assert.deepEqual([...store.tokens.keys()], []);
      assert.deepEqual(await store.auditEvents.list({ limit: 10 }), []);
    }
  });

  it('is stored when nothing that concerns it has changed', async () => {
    const { store, created } = await issueDuring(({ store, client }) =>
      store.putClient({ ...client, id: 99, clientId: 'other', revision: 7 }),
    );
    const { token } = await created;
    assert.deepEqual([...store.tokens.keys()], [token.id]);
  });
});

describe('changing a token by administration', () => {
  const to = (change: object) => ({ apply: (current: object) => ({ ...current, ...change }) as never });

  it('narrows its scopes and brings its end forward or back within what its client may have', async () => {
    const { create, admin, clock } = deps();
    const { id, creationDate } = await create(emma);
    const changed = await admin.update(
      emma,
      id,
      to({ scopes: ['write', 'write'], expires: clock.now() + 1 }),
    );
    assert.deepEqual([changed.scopes, changed.expires], [['write'], clock.now() + 1]);
    assert.deepEqual(await violations(admin.update(emma, id, to({ scopes: ['read'] }))), ['scopes']);
    const end = creationDate + 600_000;
    clock.advance(1000);
    assert.deepEqual(await violations(admin.update(emma, id, to({ expires: end + 1 }))), ['expires']);
    assert.equal((await admin.update(emma, id, to({ expires: end }))).expires, end);
    assert.equal((await admin.update(root, id, to({ expires: 0 }))).expires, 0);
    // What it is already, it may stay.
    assert.deepEqual((await admin.update(emma, id, to({ scopes: [] }))).scopes, []);
  });

  it('is done only in the state that the condition names, and so is revoking it', async () => {
    const { create, admin, store } = deps();
    const token = await create(emma);
    const isOther = (tag: string) => tag !== accessTokenTag(token);
    const isSame = (tag: string) => tag === accessTokenTag(token);
    const narrowed = to({ scopes: ['read'] });
    for (const work of [
      admin.update(emma, token.id, { ...narrowed, condition: isOther }),
      admin.revoke(emma, token.id, isOther),
    ]) {
      await assert.rejects(work, protocolError('precondition_failed'));
    }
    assert.equal((await admin.update(emma, token.id, { ...narrowed, condition: isSame })).id, token.id);
    await assert.rejects(admin.revoke(emma, token.id, isSame), protocolError('precondition_failed'));
    assert.deepEqual([...store.tokens.keys()], [token.id]);
  });

  it('never prolongs a token for the administration interface, for any caller', async () => {
    const { store, create, admin } = deps();
    store.putResourceServer(buildResourceServer({ owner: 'watchword', ownerAuthority: 'system' }));
    const { id, expires } = await create(root);
    for (const later of [0, expires + 1]) {
      assert.deepEqual(await violations(admin.update(root, id, to({ expires: later }))), ['expires']);
      assert.deepEqual(
        await violations(admin.create(root, { clientId: 'test-client', scopes: undefined, expires: later })),
        ['expires'],
      );
    }
  });

  it('gives none for the administration interface that outlives the token of the caller', async () => {
    const { store, create, admin, clock, client } = deps();
    store.putResourceServer(buildResourceServer({ owner: 'watchword', ownerAuthority: 'system' }));
    const own = await create(root);
    const short: Caller = { ...root, access: { tokenId: own.id, scopes: own.scopes, expires: own.expires } };
    clock.advance(1000);
    store.putResourceServer(buildResourceServer({ owner: 'watchword' }));
    assert.equal((await create(short)).expires, clock.now() + 600_000);
    store.putResourceServer(buildResourceServer({ owner: 'watchword', ownerAuthority: 'system' }));
    for (const expireDuration of [600, 0]) {
      store.putClient({ ...client, expireDuration });
      const { id, expires } = await create(short);
      assert.equal(expires, own.expires);
      const later = own.expires + 1;
      const request = { clientId: client.clientId, scopes: undefined, expires: later };
      assert.deepEqual(await violations(admin.create(short, request)), ['expires']);
      assert.deepEqual(await violations(admin.update(short, id, to({ expires: later }))), ['expires']);
    }
  });

  it('gives the scopes of the caller for the administration interface, and those of the client elsewhere', async () => {
    const { store, create } = deps();
    const own = await create(root);
    const reader: Caller = { ...root, access: { tokenId: own.id, scopes: ['read'], expires: 0 } };
    assert.deepEqual((await create(reader)).scopes, ['read', 'write']);
    store.putResourceServer(buildResourceServer({ owner: 'watchword', ownerAuthority: 'system' }));
    assert.deepEqual((await create(reader)).scopes, ['read']);
  });

  it('leaves out a scope that the client has lost', async () => {
    const { create, admin, store, client } = deps();
    const { id } = await create(emma);
    store.putClient({ ...client, scopes: ['write'] });
    assert.deepEqual((await admin.find(emma, id)).scopes, ['write']);
    assert.deepEqual(await violations(admin.update(emma, id, to({ scopes: ['read', 'write'] }))), ['scopes']);
  });
});

describe('a JWT that is administered', () => {
  it('is found by its text or by the id that this has given it, and revoked once', async () => {
    const { admin, request, store, clock } = deps();
    store.putResourceServer(buildResourceServer({ accessTokenFormat: 'jwt' }));
    const { token, value } = await admin.create(emma, request);
    const address = token.address ?? assert.fail('it has the id of a row');
    assert.match(address, /^[0-9a-f-]{36}\.[\w-]+\.[\w-]+$/);
    assert.ok(isAccessTokenId(address) && isJwtAddress(address) && isAccessTokenId(token.id));
    for (const text of [`${address}.x`, `${address}\n`, `x${address}`, token.id.slice(1)]) {
      assert.equal(isAccessTokenId(text), false, text);
    }
    const found = await admin.find(emma, address);
    const { id: foundId, format, scopes, expires, grant } = await admin.lookUp(emma, value);
    assert.deepEqual(
      [foundId, format, scopes, expires],
      [token.id, 'jwt', ['read', 'write'], clock.now() + 600_000],
    );
    assert.deepEqual([found.id, found.grant?.id, grant?.id], [token.id, token.grant?.id, token.grant?.id]);
    assert.deepEqual(found.scopes, ['read', 'write']);
    const { token: scopeless } = await admin.create(emma, { ...request, scopes: [] });
    assert.deepEqual((await admin.find(emma, scopeless.address ?? '')).scopes, []);
    const another = await admin.create(emma, request);
    const mixed = `${another.token.id}.${address.slice(address.indexOf('.') + 1)}`;
    for (const attempt of [
      admin.find(buildCaller('finn'), address),
      admin.find(emma, mixed),
      admin.find(emma, `${token.id}.made.up`),
      admin.find(emma, token.id),
    ]) {
      await assert.rejects(attempt, protocolError('token_not_found'));
    }
    await assert.rejects(
      admin.update(emma, address, { apply: () => ({ scopes: [] }) }),
      protocolError('conflict'),
    );
    await admin.revoke(emma, address);
    await assert.rejects(admin.revoke(emma, address), protocolError('token_not_found'));
    await assert.rejects(admin.find(emma, address), protocolError('token_not_found'));
    await assert.rejects(admin.lookUp(emma, value), protocolError('token_not_found'));
    assert.equal((await admin.find(emma, another.token.address ?? '')).id, another.token.id);
  });

  it('of a client that acts for itself has no grant, and the scopes that it was given', async () => {
    const { admin, request, store, client } = deps();
    store.putResourceServer(
      buildResourceServer({
        accessTokenFormat: 'jwt',
        owner: client.clientId,
        ownerAuthority: `client:${client.id}`,
      }),
    );
    const itself = buildClientCaller(client);
    const { token } = await admin.create(itself, { ...request, scopes: [] });
    const { grant, scopes } = await admin.find(itself, token.address ?? '');
    assert.deepEqual([grant, scopes], [undefined, []]);
    await admin.revoke(itself, token.address ?? '');
    await assert.rejects(admin.find(itself, token.address ?? ''), protocolError('token_not_found'));
  });
});

describe('a JWT of another person', () => {
  it('is as if it were not there, also for a change that no JWT takes', async () => {
    const { admin, create, store } = deps();
    store.putResourceServer(buildResourceServer({ accessTokenFormat: 'jwt' }));
    const token = await create(emma);
    const { address = '' } = token;
    const nothing = { apply: () => ({}) };
    const isOther = (tag: string) => tag !== accessTokenTag(token);
    await assert.rejects(admin.revoke(emma, address, isOther), protocolError('precondition_failed'));
    await assert.rejects(admin.update(emma, address, nothing), protocolError('conflict'));
    for (const work of [
      admin.update(buildCaller('finn'), address, nothing),
      admin.revoke(buildCaller('finn'), address),
    ]) {
      await assert.rejects(work, protocolError('token_not_found'));
    }
  });
});

describe('an opaque token that is administered', () => {
  it('has no address but its id', async () => {
    assert.equal((await deps().create(emma)).address, undefined);
  });

  it('is found by its text and by its id, and revoked once', async () => {
    const { admin, request } = deps();
    const { token, value } = await admin.create(emma, request);
    const { id, format, address } = await admin.lookUp(emma, value);
    assert.deepEqual([id, format, address], [token.id, 'opaque', undefined]);
    await admin.revoke(emma, id);
    for (const attempt of [admin.revoke(emma, id), admin.find(emma, id), admin.lookUp(emma, value)]) {
      await assert.rejects(attempt, protocolError('token_not_found'));
    }
  });
});

describe('the list of tokens', () => {
  it('has those that are asked for, by client, owner, expiry and text, and none that ended with its client', async () => {
    const { admin, client, clock, create, store } = deps();
    const other = store.putClient(
      buildClient({ id: 12, clientId: 'other', clientName: 'Night job', expireDuration: 60 }),
    );
    const ofEmma = await create(emma);
    const ofRoot = await create(root, { clientId: other.clientId });
    const ids = async (filter: object, caller: Caller = root) =>
      (await admin.list(caller, filter, { limit: 9 })).items.map(({ id }) => id).toSorted();
    const both = [ofEmma.id, ofRoot.id].toSorted();
    for (const [filter, expected] of [
      [{}, both],
      [{ clientId: other.clientId }, [ofRoot.id]],
      [{ clientId: 'unknown' }, []],
      [{ resourceOwnerId: 'emma' }, [ofEmma.id]],
      [{ resourceOwnerId: 'emma', clientId: other.clientId }, []],
      [{ q: 'NIGHT' }, [ofRoot.id]],
      [{ q: 'emma' }, [ofEmma.id]],
      [{ expired: false }, both],
      [{ expired: true }, []],
    ] as const) {
      assert.deepEqual(await ids(filter), expected, JSON.stringify(filter));
    }
    for (const filter of [{ clientId: other.clientId }, { resourceOwnerId: 'root' }, { expired: true }]) {
      assert.deepEqual(await ids(filter, emma), [], JSON.stringify(filter));
    }
    clock.advance(60_000);
    assert.deepEqual(await ids({ expired: true }), [ofRoot.id]);
    store.putClient({ ...client, tokensValidFrom: clock.now() });
    assert.deepEqual(await ids({ expired: false }), []);
    await assert.rejects(admin.find(emma, ofEmma.id), protocolError('token_not_found'));
  });

  it('has for a client the tokens of its own clients only', async () => {
    const { admin, client, issueAccessToken, store } = deps();
    store.putResourceServer(
      buildResourceServer({
        id: 2,
        key: 'own',
        name: 'Own',
        owner: client.clientId,
        ownerAuthority: `client:${client.id}`,
      }),
    );
    const own = store.putClient(buildClient({ id: 12, clientId: 'own', resourceServerId: 2 }));
    const foreign = store.putClient(buildClient({ id: 13, clientId: 'foreign' }));
    for (const each of [own, foreign, client])
      await issueAccessToken({ client: each, scopes: ['read'], confirmation: undefined });
    const listed = async (clientId?: string) =>
      (await admin.list(buildClientCaller(client), { clientId }, { limit: 9 })).items.map(
        (token) => token.client.clientId,
      );
    assert.deepEqual(
      [await listed(), await listed('own'), await listed('foreign'), await listed('unknown')],
      [['test-client'], ['own'], [], []],
    );
  });
});

describe('whose a token is', () => {
  it('is decided by the subject, and tokens of others are as if they were not there', async () => {
    const { create, admin } = deps();
    const { id } = await create(emma);
    const login = emma.login && { ...emma.login, owner: { ...emma.login.owner, subject: 'another emma' } };
    for (const caller of [
      { ...emma, login },
      buildCaller('Emma'),
      buildCaller('emma', 'idp'),
      buildCaller('emma '),
      buildClientCaller(),
    ]) {
      for (const attempt of [
        admin.find(caller, id),
        admin.revoke(caller, id),
        admin.update(caller, id, { apply: (current) => current }),
      ]) {
        await assert.rejects(attempt, protocolError('token_not_found'));
      }
      assert.deepEqual((await admin.list(caller, {}, { limit: 9 })).items, []);
      assert.deepEqual((await admin.list(caller, { resourceOwnerId: 'emma' }, { limit: 9 })).items, []);
    }
    assert.equal((await admin.find(root, id)).id, id);
  });

  it('decides what is read for a list: nothing of others, however much they have', async () => {
    const { create, store, list, read } = listing();
    const { id } = await create(emma);
    await create(root);
    assert.deepEqual(await list(emma), [id]);
    assert.deepEqual(read, [id]);
    read.length = 0;
    assert.deepEqual(await list(buildCaller('nobody')), []);
    const robot = buildClientCaller(store.putClient(buildClient({ id: 7, clientId: 'robot' })));
    assert.deepEqual(await list(robot, { clientId: 'test-client' }), []);
    assert.deepEqual(read, []);
  });

  it('of a client that acts for itself is the client, for which another one of that name is a stranger', async () => {
    const { admin, issueAccessToken, client } = deps();
    const { accessToken } = await issueAccessToken({ client, scopes: ['read'], confirmation: undefined });
    const itself = buildClientCaller(client);
    assert.equal((await admin.find(itself, accessToken.id)).id, accessToken.id);
    assert.equal((await admin.list(itself, {}, { limit: 9 })).items.length, 1);
    const namesake = buildClientCaller({ ...client, id: 99 });
    await assert.rejects(admin.find(namesake, accessToken.id), protocolError('token_not_found'));
    assert.deepEqual((await admin.list(namesake, {}, { limit: 9 })).items, []);
  });

  it('leaves the tokens that people granted to a client to the people', async () => {
    const { create, admin, client, store } = deps();
    store.putResourceServer(
      buildResourceServer({ owner: client.clientId, ownerAuthority: `client:${client.id}` }),
    );
    const { id } = await create(root);
    const itself = buildClientCaller(client);
    await assert.rejects(admin.find(itself, id), protocolError('token_not_found'));
    assert.deepEqual((await admin.list(itself, { clientId: client.clientId }, { limit: 9 })).items, []);
  });
});

describe('a token with which a client acts for itself at resource servers of several owners', () => {
  const [finn, gina] = [buildCaller('finn'), buildCaller('gina')];
  const confirmation = { jkt: 'thumbprint' };

  async function shared(accessTokenFormat: 'opaque' | 'jwt') {
    const made = deps();
    const { store, client } = made;
    store.putResourceServer(buildResourceServer({ owner: 'emma', accessTokenFormat }));
    const of = (id: number, owner: string) =>
      store.putResourceServer(
        buildResourceServer({ id, key: `of ${owner}`, owner, scopes: ['stock'], accessTokenFormat }),
      );
    for (const server of [of(2, 'finn'), of(3, 'gina')]) assert.ok(server);
    const otherResourceServers = [2, 3].map((resourceServerId) => ({ resourceServerId, scopes: ['stock'] }));
    const using = store.putClient({ ...client, otherResourceServers });
    const scopes =
      accessTokenFormat === 'jwt'
        ? ['\\', '2\\', 'read', '2\\stock']
        : ['\\', '2\\', '3\\', 'read', '2\\stock', '3\\stock'];
    const issue = accessTokenIssuer({ ...made, accessTokens: store.accessTokens, registry: store.registry });
    const { accessTokenValue } = await issue({ client: using, scopes, confirmation });
    return { ...made, value: accessTokenValue, using };
  }

  it('is shown to each owner as far as it is theirs, and to nobody else', async () => {
    const { admin, value, using } = await shared('opaque');
    const seen = async (caller: Caller) => {
      const { id, scopes, part } = await admin.lookUp(caller, value);
      const { items } = await admin.list(caller, { clientId: using.clientId }, { limit: 9 });
      assert.deepEqual(
        items.map((item) => [item.id, item.scopes, item.part]),
        [[id, scopes, part]],
      );
      return [namesOf(scopes), part];
    };
    assert.deepEqual(await seen(finn), [['stock'], [2]]);
    assert.deepEqual(await seen(gina), [['stock'], [3]]);
    for (const caller of [emma, root]) assert.deepEqual(await seen(caller), [['read', 'stock'], undefined]);
    await assert.rejects(admin.lookUp(buildCaller('paula'), value), protocolError('token_not_found'));
    const { items } = await admin.list(buildCaller('paula'), { clientId: using.clientId }, { limit: 9 });
    assert.deepEqual(items, []);
  });

  it('ends there alone by its owner, who can change nothing of it, and at all when nothing is left', async () => {
    const { admin, value, store } = await shared('opaque');
    const { id } = await admin.lookUp(finn, value);
    const change = admin.update(finn, id, { apply: () => ({ scopes: [] }) });
    await assert.rejects(change, protocolError('conflict'));
    await admin.revoke(finn, id);
    await assert.rejects(admin.revoke(finn, id), protocolError('token_not_found'));
    assert.deepEqual((await store.accessTokens.find(id))?.scopes, ['\\', '3\\', 'read', '3\\stock']);
    assert.deepEqual(namesOf((await admin.find(gina, id)).scopes), ['stock']);
    await admin.revoke(emma, id);
    await assert.rejects(admin.find(gina, id), protocolError('token_not_found'));
  });

  it('is the same as a JWT, of which nothing is stored', async () => {
    const { admin, value, store } = await shared('jwt');
    const { address = '', id } = await admin.lookUp(finn, value);
    await admin.revoke(finn, address);
    assert.deepEqual(await store.revocations.findToken(id), { at: [2] });
    for (const attempt of [
      () => admin.find(finn, address),
      () => admin.lookUp(finn, value),
      () => admin.revoke(finn, address),
    ]) {
      await assert.rejects(attempt(), protocolError('token_not_found'));
    }
    const left = await admin.lookUp(emma, value);
    assert.deepEqual(namesOf(left.scopes), ['read']);
    await admin.revoke(emma, left.address ?? '');
    await assert.rejects(admin.lookUp(emma, value), protocolError('token_not_found'));
  });

  it('names the key to which it is bound, by its text, its id and in the list', async () => {
    for (const format of ['opaque', 'jwt'] as const) {
      const { admin, value, using } = await shared(format);
      const found = await admin.lookUp(emma, value);
      const again = await admin.find(emma, found.address ?? found.id);
      const { items } = await admin.list(emma, { clientId: using.clientId }, { limit: 9 });
      for (const token of [found, again, ...items])
        assert.deepEqual(token.confirmation, confirmation, format);
      assert.equal(items.length, format === 'jwt' ? 0 : 1);
    }
  });
});
