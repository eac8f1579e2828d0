import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AuditEvent,
  type Client,
  type EndedGrants,
  type Grant,
  identityOf,
  openClientsKey,
  systemIdentityProvider,
} from '@watchword/protocol';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildClientCaller,
  buildResourceOwner,
  buildResourceServer,
  grantFactory,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import type { Caller } from '../../src/callers/caller.ts';
import type { OwnerLimits } from '../../src/changes/owner-limits.ts';
import type { GrantSelection, ListedGrant } from '../../src/grants/grant-administration.ts';
import { grantRecord } from '../../src/grants/grant-record.ts';
import { grantAdministration } from '../../src/grants/grants.ts';

const emma = buildCaller('emma');
const finn = buildCaller('finn');
const root = buildAdministrator();
const person = buildResourceOwner('paula');
const other = buildResourceOwner('quinn', 'https://idp.example');

/** A resource server of emma with two clients, and one of finn with one client. */
function deps(ownerLimits?: OwnerLimits) {
  const { store, clock } = protocolDependencies();
  store.putResourceServer(buildResourceServer({ id: 1, owner: 'emma' }));
  store.putResourceServer(buildResourceServer({ id: 2, key: 'other-api', owner: 'finn' }));
  const clients = [
    { id: 1, clientId: 'app', clientName: 'App', resourceServerId: 1 },
    { id: 2, clientId: 'job', clientName: 'Job', resourceServerId: 1 },
    { id: 3, clientId: 'shop', clientName: 'Shop', resourceServerId: 2 },
  ].map((client) =>
    store.putClient(buildClient({ ...client, scopes: ['read', 'write'], useRefreshTokens: true })),
  );
  const audited: AuditEvent[] = [];
  const random = seededRandom('grants');
  const reads: string[] = [];
  const grantList: typeof store.grantList = {
    ...store.grantList,
    scan(scan, now) {
      reads.push(`scan ${scan.of}`);
      return store.grantList.scan(scan, now);
    },
    search(scan, isWanted, now) {
      reads.push(`search ${scan.of}`);
      return store.grantList.search(
        scan,
        async (entry) => {
          const isRead = await isWanted(entry);
          if (isRead) reads.push(`${entry.name} ${entry.clientRecordId}`);
          return isRead;
        },
        now,
      );
    },
  };
  const admin = grantAdministration({
    ...store,
    grantList,
    clock,
    random,
    registered: store,
    ...(ownerLimits && { ownerLimits }),
    audited: (event) => audited.push(event),
  });
  const make = grantFactory();
  /** A grant with its tokens, as the code flow leaves it. */
  const grant = async (clientRecordId: number, owner = person, scopes = ['read']): Promise<Grant> => {
    clock.advance(1);
    const made = make.grant({ clientRecordId, owner, scopes, creationDate: clock.now() });
    const code = make.code(made);
    await store.authorizationCodes.insert(code, made);
    await store.authorizationCodes.redeem(code.id, make.tokens(made), clock.now());
    return made;
  };
  const remember = async ({ id, clientRecordId, owner, scopes }: Grant, redirectUri = 'https://a') => {
    const key = {
      owner: identityOf(owner),
      subject: owner.subject,
      clientRecordId,
      redirectUri,
    };
    await store.consents.save({ key, scopes, savedAt: clock.now() }, id);
    return key;
  };
  const list = async (caller: Caller, filter: object = {}, limit = 100): Promise<readonly ListedGrant[]> => {
    const found: ListedGrant[] = [];
    let after: Parameters<typeof admin.list>[2]['after'];
    do {
      const page = await admin.list(caller, filter, { limit, after });
      found.push(...page.items);
      after = page.next;
    } while (after !== undefined);
    return found;
  };
  const ids = async (...args: Parameters<typeof list>) => (await list(...args)).map(({ id }) => id);
  return { store, clock, clients, audited, admin, grant, reads, remember, list, ids };
}

const day = 24 * 3_600_000;

describe('grants at a resource server that is not that of the client', () => {
  /** Emma's app has access at her API, at Finn's, and to the profile of the user. */
  async function shared() {
    const made = deps();
    const entries = [{ resourceServerId: 2, scopes: ['read'] }];
    const app = made.store.putClient({
      ...made.clients[0],
      otherResourceServers: entries,
      redirectUris: ['https://app.example/cb'],
    } as Client);
    const scopes = ['\\', '2\\', 'write', 'openid', '2\\read'];
    const both = await made.grant(1, person, scopes);
    const hers = await made.grant(1, person, ['write']);
    const his = await made.grant(3);
    return { ...made, app, both, hers, his };
  }
  const seen = ({ scopes, others, part, lastUsed, accessTokens, resourceServer }: ListedGrant) => ({
    ...{ scopes, part, at: resourceServer.id, others: others.map((other) => other.resourceServer.id) },
    ...{ lastUsed, accessTokens },
  });

  it('are shown to its owner as far as they are his, and to the owner of the client as a whole', async () => {
    const { list, both, hers, his, admin, clock } = await shared();
    clock.advance(5000);
    const [, ofApp] = await list(finn);
    assert.deepEqual(await list(finn).then((all) => all.map(({ id }) => id)), [his.id, both.id]);
    assert.deepEqual(ofApp && seen(ofApp), {
      ...{ scopes: ['read'], part: [2], at: 2, others: [], lastUsed: both.creationDate, accessTokens: 0 },
    });
    for (const filter of [
      { resourceServerId: 2 },
      { clientId: 'app' },
      { q: 'app' },
      { subject: person.subject },
      { resourceOwnerId: person.principal.name },
    ]) {
      const found = await list(finn, filter);
      const what = JSON.stringify(filter);
      assert.ok(
        found.some(({ id }) => id === both.id),
        what,
      );
      assert.ok(
        found.every(({ id }) => id !== hers.id),
        what,
      );
    }
    assert.deepEqual(await list(finn, { resourceServerId: 1 }), []);
    assert.equal((await admin.find(finn, both.id)).part?.[0], 2);
    await assert.rejects(admin.find(finn, hers.id), protocolError('not_found'));
    for (const caller of [emma, root]) {
      const [whole] = (await list(caller)).filter(({ id }) => id === both.id);
      assert.deepEqual(
        [whole?.part, whole?.scopes, whole?.others.length],
        [undefined, ['write', 'openid'], 1],
      );
    }
    const atHis = await list(root, { resourceServerId: 2 });
    assert.deepEqual(
      atHis.map(({ id, part }) => [id, part]),
      [
        [his.id, undefined],
        [both.id, undefined],
      ],
    );
  });

  it('end for its owner there alone, one by one or all, and the rest of the grant stays', async () => {
    for (const end of [
      ({ admin, both }) => admin.end(finn, both.id),
      ({ admin }) => admin.endAll(finn, { clientId: 'app' }),
      ({ admin }) => admin.endAll(finn, { resourceServerId: 2 }),
      ({ admin }) => admin.endAll(root, { resourceServerId: 2 }),
      ({ admin }) => admin.endAll(finn, { subject: person.subject }),
    ] as readonly ((made: Awaited<ReturnType<typeof shared>>) => Promise<EndedGrants>)[]) {
      const made = await shared();
      const { store, list, both, hers, audited } = made;
      await end(made);
      assert.deepEqual((await store.grants.find(both.id))?.scopes, ['\\', 'write', 'openid', '-2\\']);
      assert.ok(await store.grants.find(hers.id));
      assert.deepEqual(await list(finn, { clientId: 'app' }), []);
      const [left] = (await list(emma)).filter(({ id }) => id === both.id);
      assert.deepEqual([left?.scopes, left?.others], [['write', 'openid'], []]);
      assert.ok(audited.length > 0);
      const told = JSON.stringify(audited.map(({ before }) => before));
      assert.doesNotMatch(told, /openid|"write"/);
    }
  });

  it('are as their last consent says, with what an earlier grant still gives, when a consent is saved again without the resource server', async () => {
    const { list, store, remember, both, hers, admin } = await shared();
    const consented = await remember({ ...both, scopes: ['\\', '2\\', 'write', '2\\read'] });
    const seenBy = async (caller: Caller) =>
      (await list(caller, { clientId: 'app' })).map(({ id, scopes, consentedScopes, others }) => [
        ...[id, scopes, consentedScopes],
        others.map((other) => [other.resourceServer.id, other.scopes, other.consentedScopes]),
      ]);
    assert.deepEqual(await seenBy(finn), [[both.id, ['read'], ['read'], []]]);
    const again = { key: consented, scopes: ['\\', 'write'], savedAt: 5, replaces: both.id };
    assert.ok(await store.consents.save(again, hers.id));
    assert.deepEqual(await seenBy(finn), [[both.id, ['read'], [], []]]);
    assert.deepEqual(await seenBy(emma), [
      [hers.id, ['write'], ['write'], []],
      [both.id, ['write', 'openid'], ['write'], [[2, ['read'], []]]],
    ]);
    await admin.endAll(finn, { clientId: 'app' });
    assert.deepEqual(await seenBy(finn), []);
    assert.deepEqual((await store.consents.find(consented))?.scopes, ['\\', 'write']);
  });

  it('are those of clients without a resource server too, while it is open to everyone', async () => {
    const { store, grant, list, admin } = deps();
    store.putResourceServer(
      buildResourceServer({
        id: 9,
        key: openClientsKey,
        owner: 'system',
        ownerAuthority: systemIdentityProvider,
      }),
    );
    const open = { openToClients: 'everyone', openScopes: ['read'] } as const;
    store.putResourceServer(buildResourceServer({ id: 2, key: 'other-api', owner: 'finn', ...open }));
    store.putClient(
      buildClient({ id: 8, clientId: 'https://tool.example/c', resourceServerId: 9, scopes: [] }),
    );
    const made = await grant(8, person, ['2\\', '2\\read', 'profile']);
    for (const filter of [{}, { resourceServerId: 2 }, { clientId: 'https://tool.example/c' }]) {
      assert.deepEqual(
        (await list(finn, filter)).map(({ id, scopes }) => [id, scopes]),
        [[made.id, ['read']]],
      );
      assert.deepEqual(await list(emma, filter), []);
    }
    await admin.end(finn, made.id);
    assert.deepEqual(await list(finn), []);
  });
});

describe('listing grants', () => {
  it('shows administrators all, and record owners those of the clients of their resource servers', async () => {
    const { grant, ids } = deps();
    const [app, job, shop] = [await grant(1), await grant(2), await grant(3, other)];
    assert.deepEqual(await ids(root), [shop.id, job.id, app.id]);
    assert.deepEqual(await ids(emma), [job.id, app.id]);
    assert.deepEqual(await ids(finn), [shop.id]);
    assert.deepEqual(await ids(buildCaller('paula')), []);
    for (const limit of [1, 2]) assert.deepEqual(await ids(emma, {}, limit), [job.id, app.id]);
  });

  it('shows a client that acts for itself those of its own resource servers, and none that it was granted', async () => {
    const { store, grant, ids, clients } = deps();
    await grant(1);
    const robot = buildClientCaller(store.putClient(buildClient({ id: 7, clientId: 'robot' })));
    assert.deepEqual(await ids(buildClientCaller(clients[0])), []);
    store.putResourceServer(
      buildResourceServer({ id: 3, key: 'own', owner: 'robot', ownerAuthority: 'client:7' }),
    );
    store.putClient(buildClient({ id: 4, clientId: 'fourth', resourceServerId: 3 }));
    const own = await grant(4);
    assert.deepEqual(await ids(robot), [own.id]);
  });

  it('finds them by person, client, resource server, time and text, all of which must fit', async () => {
    const { grant, ids } = deps();
    const [app, job, shop] = [await grant(1), await grant(2, other), await grant(3, other)];
    for (const [filter, expected] of [
      [{ subject: other.subject }, [shop, job]],
      [{ subject: 'unknown' }, []],
      [{ resourceOwnerId: 'quinn' }, [shop, job]],
      [{ resourceOwnerId: 'Quinn' }, []],
      [{ clientId: 'app' }, [app]],
      [{ clientId: 'unknown' }, []],
      [{ resourceServerId: 1 }, [job, app]],
      [{ resourceServerId: 0 }, []],
      [{ q: 'QUI' }, [shop, job]],
      [{ q: 'sho' }, [shop]],
      [{ subject: other.subject, clientId: 'job' }, [job]],
      [{ subject: other.subject, clientId: 'app' }, []],
      [{ resourceOwnerId: 'quinn', resourceServerId: 2 }, [shop]],
      [{ clientId: 'app', resourceServerId: 2 }, []],
      [{ clientId: 'app', resourceOwnerId: 'quinn' }, []],
      [{ clientId: 'app', resourceOwnerId: 'paula' }, [app]],
      [{ subject: person.subject, resourceOwnerId: 'quinn' }, []],
      [{ subject: other.subject, resourceServerId: 1 }, [job]],
      [{ since: job.creationDate }, [shop, job]],
      [{ since: job.creationDate + 1 }, [shop]],
      [{ subject: other.subject, since: shop.creationDate }, [shop]],
      [{ usedSince: job.creationDate }, [shop, job]],
      [{ usedSince: job.creationDate + 1 }, [shop]],
    ] as const) {
      const found = await ids(root, filter);
      assert.deepEqual(
        found,
        expected.map(({ id }) => id),
        JSON.stringify(filter),
      );
    }
    assert.deepEqual(await ids(emma, { subject: other.subject }), [job.id]);
    assert.deepEqual(await ids(emma, { clientId: 'shop' }), []);
    assert.deepEqual(await ids(emma, { resourceServerId: 2 }), []);
  });

  it('reads them by the narrowest index, and of a person whom others share nothing but those of the own clients', async () => {
    const { grant, ids, reads } = deps();
    for (const id of [1, 3]) await grant(id);
    await grant(1, other);
    const { subject, principal } = person;
    for (const [caller, filter, expected] of [
      [root, {}, ['scan all']],
      [root, { subject, clientId: 'app' }, ['scan subject']],
      [root, { clientId: 'app', resourceServerId: 1 }, ['scan client']],
      [root, { clientId: 'app', resourceOwnerId: principal.name }, ['scan client']],
      [root, { resourceOwnerId: principal.name, resourceServerId: 1 }, ['scan owner']],
      [root, { resourceServerId: 1 }, ['scan resourceServer']],
      [root, { q: 'quinn' }, ['search all', 'quinn 1']],
      [emma, {}, ['scan resourceServer']],
      [emma, { clientId: 'app' }, ['scan client']],
      [emma, { subject }, ['search subject', 'paula 1']],
      [emma, { resourceOwnerId: principal.name }, ['search owner', 'paula 1']],
      [finn, { subject }, ['search subject', 'paula 3']],
      [finn, { clientId: 'app' }, []],
      [finn, { clientId: 'unknown' }, []],
      [finn, { resourceServerId: 1 }, []],
      [finn, { resourceServerId: 99 }, []],
    ] as const) {
      reads.length = 0;
      await ids(caller, filter);
      assert.deepEqual(reads, expected, `${caller.principal.name} ${JSON.stringify(filter)}`);
    }
  });

  it('shows those of each resource server of the caller, however many there are', async () => {
    const { grant, ids, store } = deps();
    for (let id = 1000; id < 2000; id += 1) {
      store.putResourceServer(
        buildResourceServer({ id, key: `api-${id}`, name: `API ${id}`, owner: 'emma' }),
      );
    }
    store.putClient(buildClient({ id: 4, clientId: 'last', resourceServerId: 1999 }));
    const [first, last] = [await grant(1), await grant(4)];
    assert.deepEqual(await ids(emma), [first.id, last.id]);
  });

  it('leaves out those of a client that is gone, also when they are searched', async () => {
    const { grant, ids, store, admin } = deps();
    const { id } = await grant(3);
    store.putClient(buildClient({ id: 3, clientId: 'shop', resourceServerId: 99 }));
    for (const filter of [{}, { q: 'paula' }, { subject: person.subject }]) {
      for (const caller of [root, finn]) assert.deepEqual(await ids(caller, filter), []);
    }
    await store.clients.delete(3);
    assert.deepEqual(await ids(root, { q: 'paula' }), []);
    await assert.rejects(admin.find(root, id), protocolError('not_found'));
  });

  it('shows administrators the principal, and record owners the name alone', async () => {
    const { grant, list } = deps();
    await grant(1);
    const { name, identityProvider } = identityOf(person);
    const owner = { name, identityProvider, subject: person.subject };
    assert.deepEqual((await list(root))[0]?.owner, { ...owner, principal: person.principal });
    const [own = assert.fail()] = await list(emma);
    assert.deepEqual(own.owner, owner);
    const [all = assert.fail()] = await list(root);
    const record = {
      id: all.id,
      resourceOwnerId: name,
      resourceOwnerAuthority: identityProvider,
      subject: person.subject,
      clientId: 'app',
      clientName: 'App',
      resourceServerId: 1,
      resourceServerName: all.resourceServer.name,
      scopes: ['read'],
      consentedScopes: [],
      otherResourceServers: [],
      part: false,
      creationDate: all.creationDate,
      lastUsed: all.creationDate,
      refreshToken: true,
      accessTokens: 1,
    };
    assert.deepEqual(grantRecord(own), record);
    assert.deepEqual(grantRecord(all), { ...record, principal: person.principal });
    assert.equal(grantRecord({ ...own, lastUsed: undefined }).lastUsed, null);
  });

  it('shows the scopes that the client still has', async () => {
    const { store, clients, grant, remember, list } = deps();
    await remember(await grant(1, person, ['read', 'write']));
    store.putClient({ ...clients[0], scopes: ['write'] } as never);
    const [listed] = await list(root);
    assert.deepEqual([listed?.scopes, listed?.consentedScopes], [['write'], ['write']]);
  });

  it('shows what a client got and keeps at other resource servers, as long as it can use them', async () => {
    const { store, clients, grant, remember, list } = deps();
    const other = store.putResourceServer(buildResourceServer({ id: 50, key: 'other', name: 'Other' }));
    const shared = { ...clients[0], otherResourceServers: [{ resourceServerId: 50, scopes: ['read'] }] };
    store.putClient(shared as never);
    await remember(await grant(1, person, ['\\', '50\\', 'read', '50\\read', '50\\write']));
    const [listed = assert.fail()] = await list(root);
    assert.deepEqual([listed.scopes, listed.consentedScopes], [['read'], ['read']]);
    assert.deepEqual(grantRecord(listed).otherResourceServers, [
      {
        resourceServerId: other.id,
        resourceServerName: 'Other',
        scopes: ['read'],
        consentedScopes: ['read'],
      },
    ]);
    store.putClient(clients[0] as never);
    assert.deepEqual((await list(root))[0]?.others, []);
  });

  it('shows a grant while its refresh token is valid, without an active access token', async () => {
    const { clock, store, clients, grant, list } = deps();
    const made = await grant(1);
    const uses = async () =>
      (await list(root)).map(({ hasRefreshToken, accessTokens }) => [hasRefreshToken, accessTokens]);
    assert.deepEqual(await uses(), [[true, 1]]);
    clock.advance(3_600_000);
    assert.deepEqual(await uses(), [[true, 0]]);
    store.putClient({ ...clients[0], useRefreshTokens: false } as never);
    assert.deepEqual(await uses(), [[false, 0]]);
    assert.equal((await list(root))[0]?.lastUsed, made.creationDate);
    clock.advance(3_600_000);
    assert.deepEqual(await uses(), []);
  });

  it('shows a remembered consent alone once its grant has ended', async () => {
    const { clock, grant, remember, list, admin } = deps();
    const first = await grant(1);
    await remember(first);
    assert.equal((await list(root)).length, 1);
    clock.advance(day);
    const [alone, ...others] = await list(root);
    assert.deepEqual(others, []);
    assert.equal(alone?.id, first.id);
    assert.deepEqual([alone?.scopes, alone?.consentedScopes, alone?.lastUsed], [[], ['read'], undefined]);
    assert.deepEqual(await admin.find(emma, first.id), (await list(emma))[0]);
    assert.deepEqual([alone?.hasRefreshToken, alone?.accessTokens], [false, 0]);
    assert.deepEqual(await list(root, { usedSince: 1 }), []);
    const next = await grant(1);
    const [active, ...more] = await list(root);
    assert.deepEqual([active?.id, active?.consentedScopes], [next.id, ['read']]);
    assert.deepEqual(more, [alone]);
  });

  it('shows the consents of a person for a client once, also if they are for several redirect URIs', async () => {
    const { clock, grant, remember, ids } = deps();
    const [first, second] = [await grant(1), await grant(1)];
    await remember(first);
    await remember(second, 'https://b');
    clock.advance(day);
    assert.deepEqual(await ids(root), [second.id]);
  });

  it('shows no refresh token of a grant that has none', async () => {
    const { store, clock, list } = deps();
    const make = grantFactory();
    const made = make.grant({
      clientRecordId: 1,
      owner: person,
      scopes: ['read'],
      creationDate: clock.now(),
    });
    await store.authorizationCodes.insert(make.code(made), made);
    assert.equal((await list(root))[0]?.hasRefreshToken, false);
  });

  it('shows no remembered consent that covers no scope', async () => {
    const { store, clock, clients, grant, remember, list } = deps();
    await remember(await grant(1, person, []));
    await remember(await grant(2, person, ['write']));
    store.putClient({ ...clients[1], scopes: ['read'] } as never);
    clock.advance(day);
    assert.deepEqual(await list(root), []);
  });

  it('shows no grant from before all tokens of its client were revoked, and the consent that is still remembered', async () => {
    const { store, clock, clients, grant, remember, list } = deps();
    const made = await grant(1);
    await grant(2);
    await remember(made);
    for (const { id } of clients) await store.clients.revokeTokens(id, clock.now());
    assert.deepEqual(
      (await list(root)).map(({ id, scopes, consentedScopes }) => [id, scopes, consentedScopes]),
      [[made.id, [], ['read']]],
    );
  });
});

describe('ending grants', () => {
  it('revokes a grant and forgets the consent of its person for the client', async () => {
    const { store, admin, grant, remember, ids, audited } = deps();
    const [made, kept] = [await grant(1), await grant(2)];
    const key = await remember(made);
    assert.deepEqual(await admin.end(emma, made.id), { grants: 1, consents: 1 });
    assert.equal(await store.consents.find(key), undefined);
    assert.deepEqual(await ids(root), [kept.id]);
    await assert.rejects(admin.end(emma, made.id), protocolError('not_found'));
    const [event] = audited;
    assert.deepEqual(
      [
        event?.action,
        event?.recordType,
        event?.recordId,
        event?.recordName,
        event?.actor.name,
        event?.owner.name,
      ],
      ['delete', 'grant', made.id, 'app', 'emma', 'paula'],
    );
    assert.ok(!JSON.stringify(event).includes('attributes'));
  });

  it('finds and ends no grant of a client of another owner', async () => {
    const { admin, grant, ids, audited } = deps();
    const made = await grant(1);
    for (const caller of [finn, buildCaller('paula'), buildCaller('emma', 'https://idp.example')]) {
      await assert.rejects(admin.find(caller, made.id), protocolError('not_found'));
      await assert.rejects(admin.end(caller, made.id), protocolError('not_found'));
      for (const selection of [{ subject: person.subject }, { clientId: 'app' }, { resourceServerId: 1 }]) {
        assert.deepEqual(await admin.endAll(caller, selection), { grants: 0, consents: 0 });
      }
    }
    assert.deepEqual(await ids(root), [made.id]);
    assert.deepEqual(audited, []);
  });

  it('ends all of a person, of a client or of a resource server, within what the caller can see', async () => {
    for (const [caller, selection, left, of] of [
      [root, { subject: person.subject }, ['quinn app', 'quinn shop'], 'resourceOwner paula'],
      [emma, { subject: person.subject }, ['quinn app', 'paula shop', 'quinn shop'], 'resourceOwner paula'],
      [emma, { clientId: 'app' }, ['paula job', 'paula shop', 'quinn shop'], 'client app'],
      [emma, { resourceServerId: 1 }, ['paula shop', 'quinn shop'], 'resourceServer test-api'],
      [
        root,
        { clientId: 'app', subject: other.subject },
        ['paula app', 'paula job', 'paula shop', 'quinn shop'],
        'resourceOwner quinn',
      ],
    ] as const) {
      const { admin, grant, list, audited } = deps();
      for (const [client, owner] of [
        [1, person],
        [1, other],
        [2, person],
        [3, person],
        [3, other],
      ] as const) {
        await grant(client, owner);
      }
      const ended = await admin.endAll(caller, selection);
      const names = (await list(root)).map(({ owner, client }) => `${owner.name} ${client.clientId}`);
      assert.deepEqual(names.toSorted(), left.toSorted(), JSON.stringify(selection));
      assert.equal(ended.grants, 5 - left.length);
      assert.deepEqual(
        audited.map(({ action, recordType, recordName, before }) => [
          action,
          `${recordType} ${recordName}`,
          before,
        ]),
        [
          [
            'revokeGrants',
            of,
            {
              grants: ended.grants,
              consents: 0,
              ...('clientId' in selection && { clientId: selection.clientId }),
            },
          ],
        ],
      );
    }
  });

  it('ends more grants than one batch has, consents that are remembered alone too', async () => {
    const { admin, grant, remember, clock, ids, audited } = deps();
    for (let count = 0; count < 3; count += 1) {
      await remember(await grant(1, buildResourceOwner(`old ${count}`)));
    }
    clock.advance(day);
    for (let count = 0; count < 501; count += 1) await grant(1, buildResourceOwner(`person ${count}`));
    assert.deepEqual(await admin.endAll(emma, { clientId: 'app' }), { grants: 501, consents: 3 });
    assert.deepEqual(await ids(root), []);
    assert.deepEqual(
      audited.map(({ before }) => before),
      [
        { grants: 500, consents: 0, clientId: 'app' },
        { grants: 1, consents: 3, clientId: 'app' },
      ],
    );
  });

  it('ends those since a time, and says so in the audit log', async () => {
    const { admin, grant, ids, audited } = deps();
    const [old, made] = [await grant(1), await grant(1, other)];
    const since = made.creationDate;
    assert.deepEqual(await admin.endAll(emma, { clientId: 'app', since }), { grants: 1, consents: 0 });
    assert.deepEqual(await ids(root), [old.id]);
    assert.deepEqual(
      audited.map(({ before }) => before),
      [{ grants: 1, consents: 0, clientId: 'app', since }],
    );
  });

  it('costs an owner one change for a request, in however many batches, and nothing where there is no grant', async () => {
    const limit = { records: 0, changesPerMinute: 1 };
    const { admin, grant } = deps({ person: limit, client: limit });
    for (let count = 0; count < 501; count += 1) await grant(1, buildResourceOwner(`person ${count}`));
    assert.equal((await admin.endAll(emma, { clientId: 'job' })).grants, 0);
    assert.equal((await admin.endAll(emma, { clientId: 'app' })).grants, 501);
    await grant(2);
    await assert.rejects(admin.endAll(emma, { clientId: 'job' }), protocolError('too_many_changes'));
  });

  it('rejects a request to end everything', async () => {
    const { admin, grant, ids } = deps();
    await grant(1);
    for (const selection of [{}, { subject: undefined }, { q: 'paula' } as GrantSelection]) {
      await assert.rejects(admin.endAll(root, selection), protocolError('invalid_request'));
    }
    assert.equal((await ids(root)).length, 1);
  });
});
