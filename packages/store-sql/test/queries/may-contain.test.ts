import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditEvent, fold, type GrantEntry, type SkippedEntry } from '@watchword/protocol';
import {
  auditEventFactory,
  buildAccount,
  buildResourceOwner,
  grantFactory,
  newClient,
  newResourceServer,
  rounds,
  sessionFactory,
  tokenFactory,
} from '@watchword/testkit';
import fc from 'fast-check';
import { sharedDatabase } from '../support/shared-database.ts';

const testDatabase = sharedDatabase();

const isAscii = (text: string) => /^[ -~]*$/.test(text);
const text = fc.string({ unit: fc.constantFrom(...'aAbB%_!\'ßÉéﬁ"\\'), minLength: 1, maxLength: 4 });
const names = [...new Set(fc.sample(text, { numRuns: rounds(100, 300), seed: 1 }))];
const wanted = [...new Set(fc.sample(text, { numRuns: rounds(20, 60), seed: 2 }).map(fold))];

const rest = { actor: { identityProvider: '', name: '' }, clientId: undefined, clientName: undefined };

interface Named {
  readonly id: string;
  readonly names: readonly string[];
}

function newest(rows: readonly Named[], text: string): string[] {
  const found = rows.filter(({ names: of }) => of.some((name) => name.includes(text)));
  return found
    .map(({ id }) => id)
    .toSorted()
    .toReversed();
}

/** The ids of all pages. */
async function pages<Row extends { readonly id: string }>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): Promise<string[]> {
  const found: Row[] = [];
  for (let page = await read(undefined); page.length > 0; page = await read(found.at(-1)))
    found.push(...page);
  return found.map(({ id }) => id);
}

describe('a search in SQL', () => {
  it('finds exactly the accounts that have the text in the form of searches', async () => {
    await using database = await testDatabase();
    const { accounts, transact } = await database.openServer();
    await transact(async (stores) => {
      for (const name of names) {
        await stores.accounts.create(buildAccount({ username: name, displayName: '', groups: [] }));
      }
    });
    for (const searched of wanted) {
      const found = await accounts.list({ mayContain: searched, limit: 1000 });
      const expected = names.filter((name) => fold(name).includes(searched));
      assert.deepEqual(found.map(({ username }) => username).toSorted(), expected.toSorted(), searched);
    }
  });

  it('finds exactly the changes that have the text in the form of searches', async () => {
    await using database = await testDatabase();
    const { auditEvents } = await database.openServer();
    const make = auditEventFactory();
    await auditEvents.append(names.map((recordName) => make({ recordName, ...rest })));
    for (const searched of wanted) {
      const found = await auditEvents.list({ mayContain: searched, limit: 1000 });
      const expected = names.filter((name) => fold(name).includes(searched));
      assert.deepEqual(found.map(({ recordName }) => recordName).toSorted(), expected.toSorted(), searched);
    }
  });

  it('leaves out exactly the ASCII events of logins without its text in a name, and no other event', async () => {
    await using database = await testDatabase();
    const { auditEvents, loginSessions } = await database.openServer();
    const make = auditEventFactory();
    const session = sessionFactory();
    const of = { action: 'login', recordType: 'loginSession' } as const;
    const insert = (event: Partial<AuditEvent>) =>
      loginSessions.insert(session(), make({ ...of, ...rest, recordName: '', owner: rest.actor, ...event }));
    await Promise.all(
      names.flatMap((name) => [
        insert({ recordName: name }),
        insert({ recordName: name, owner: { identityProvider: '', name } }),
        insert({ recordName: name, clientId: name }),
        insert({ owner: { identityProvider: '', name } }),
        insert({ clientId: name }),
        insert({ clientId: '', clientName: name }),
      ]),
    );
    const nameOf = ({ recordName, owner, clientId = '', clientName = '' }: AuditEvent) =>
      recordName || owner.name || clientId || clientName;
    for (const searched of wanted) {
      const found = await auditEvents.list({ mayContain: searched, limit: 10_000 });
      const expected = names.filter((name) => !isAscii(name) || name.toLowerCase().includes(searched));
      const each = expected.flatMap((name) => Array.from({ length: 6 }, () => name));
      assert.deepEqual(found.map(nameOf).toSorted(), each.toSorted(), searched);
    }
  });

  it('finds a text that is too long for an index', async () => {
    await using database = await testDatabase();
    const { accounts, clients, resourceServers, auditEvents, transact } = await database.openServer();
    const long = `${'long '.repeat(1000)}end`;
    await transact(async (stores) => {
      await stores.accounts.create(buildAccount({ username: 'emma', displayName: long }));
      const server = await stores.resourceServers.create(newResourceServer({ description: long }), ['api']);
      const resourceServerId = server?.id ?? 0;
      await stores.clients.create(newClient({ description: long, resourceServerId }), ['app']);
      await stores.auditEvents.append([auditEventFactory()({ recordName: long })]);
    });
    for (const [mayContain, count] of [
      ['long end', 1],
      ['end long', 0],
    ] as const) {
      const query = { mayContain, limit: 9 };
      for (const store of [accounts, clients, resourceServers, auditEvents]) {
        assert.equal((await store.list(query)).length, count);
      }
    }
  });

  it('finds tokens and grants by client and owner, the newest first, be they few or many', async () => {
    await using database = await testDatabase();
    const { accessTokens, grants, grantList, clients, transact } = await database.openServer();
    await transact(async (stores) => {
      for (const clientName of ['busy', 'rare', ...Array.from({ length: 501 }, (_, n) => `many ${n}`)]) {
        await stores.clients.create(newClient({ clientName, resourceServerId: 1 }), [clientName]);
      }
    });
    const [token, grant] = [tokenFactory(), grantFactory()];
    const tokens: Named[] = [];
    const granted: Named[] = [];
    const writes = (await clients.list({ limit: 1000 })).flatMap(({ clientName, id: clientRecordId }) =>
      Array.from({ length: clientName === 'busy' ? 2110 : 1 }, async () => {
        // Every second token is that of a client itself.
        if (tokens.length % 2 === 0) {
          const stored = token({ clientRecordId });
          tokens.push({ id: stored.id, names: [clientName] });
          return accessTokens.insert(stored);
        }
        const owner = {
          ...buildResourceOwner(),
          name: `${clientName === 'rare' ? 'rare' : 'owner'} ${tokens.length}`,
        };
        const of = grant.grant({ clientRecordId, owner });
        const stored = token({ clientRecordId, grantId: of.id });
        const names = [clientName, owner.name];
        tokens.push({ id: stored.id, names });
        granted.push({ id: of.id, names });
        return grants.insert(of, stored);
      }),
    );
    await Promise.all(writes);
    for (const mayContain of ['busy', 'rare', 'many', 'owner', 'y', 'nobody']) {
      const all = { of: 'all', mayContain, limit: 400 } as const;
      const ofTokens = await pages((last) => accessTokens.scan({ ...all, ...(last && { before: last }) }));
      const ofGrants = await pages<GrantEntry | SkippedEntry>((last) =>
        grantList.search({ ...all, ...(last && { before: last }) }, async () => true, 0),
      );
      assert.deepEqual(
        [ofTokens, ofGrants],
        [newest(tokens, mayContain), newest(granted, mayContain)],
        mayContain,
      );
    }
  });

  it('finds logins by user, client and record, the newest first, be they few or many, old or new', async () => {
    await using database = await testDatabase();
    const { auditEvents, loginSessions } = await database.openServer();
    const [make, session] = [auditEventFactory(), sessionFactory()];
    const of = { ...rest, action: 'login', recordType: 'loginSession' } as const;
    const events = Array.from({ length: 1500 }, (_, n) => {
      const name = n < 3 ? `rare ${n}` : n < 900 ? `many ${n}` : n % 7 === 0 ? `some ${n}` : `user ${n}`;
      const clientId = n % 1000 === 1 ? `app ${n}` : n === 5 ? undefined : 'pages';
      // The client had another name before.
      const clientName = clientId && (n < 8 ? 'former pages' : 'present pages');
      const recordName = n % 900 === 4 ? `record ${n}` : name;
      return make({ ...of, owner: { identityProvider: '', name }, clientId, clientName, recordName });
    });
    await Promise.all(events.map((event) => loginSessions.insert(session(), event)));
    const named = events.map(({ id, owner, clientId = '', clientName = '', recordName }) => ({
      id,
      names: [owner.name, clientId, clientName, recordName],
    }));
    const searched = ['rare', 'many', 'some', 'user', 'app', 'pages', 'former', 'record', 'a', 'nobody'];
    for (const mayContain of searched) {
      const found = await pages((last) =>
        auditEvents.list({ mayContain, limit: 90, ...(last && { before: last.id }) }),
      );
      assert.deepEqual(found, newest(named, mayContain), mayContain);
    }
  });

  it('finds a record by what it says now, also when an older release has changed it or the purge has not seen it', async () => {
    await using database = await testDatabase();
    const { accounts, clients, resourceServers, auditEvents, purge, transact } = await database.openServer();
    const id = await transact(async (stores) => {
      await stores.accounts.create(buildAccount({ username: 'emma', displayName: 'Äta', groups: [] }));
      const server = await stores.resourceServers.create(newResourceServer({ name: 'Api Ä' }), ['api']);
      await stores.clients.create(newClient({ clientName: 'App Ä', resourceServerId: server?.id ?? 0 }), [
        'app',
      ]);
      return server?.id ?? 0;
    });
    const found = async (mayContain: string) => [
      (await accounts.list({ mayContain, limit: 9 })).length,
      (await clients.list({ mayContain, limit: 9, resourceServerId: id })).length,
      (await resourceServers.list({ mayContain, limit: 9 })).length,
      (await auditEvents.list({ mayContain, limit: 9 })).length,
    ];
    await auditEvents.append([auditEventFactory()({ recordName: 'Ä' })]);
    assert.deepEqual(
      [await found('ä'), await found('ö')],
      [
        [1, 1, 1, 1],
        [0, 0, 0, 0],
      ],
    );
    // As a release writes that does not know the texts.
    await database.sql("update account set display_name = 'Öta', revision = revision + 1");
    await database.sql("update client set client_name = 'App Ö', revision = revision + 1");
    await database.sql("update resource_server set server_name = 'Api Ö', revision = revision + 1");
    await database.sql('update audit_event set search_text = null');
    assert.deepEqual(await found('ö'), [1, 1, 1, 1]);
    const options = { expiredBefore: 0, deletedBefore: 0, batchSize: 2 };
    assert.equal((await purge(options)).searchTexts, 4);
    assert.deepEqual(
      [await found('ä'), await found('ö')],
      [
        [0, 0, 0, 1],
        [1, 1, 1, 0],
      ],
    );
    assert.equal((await purge(options)).searchTexts, 0);
    await clients.replaceSecret(1, {
      hash: new Uint8Array(32),
      previousHash: undefined,
      previousValidUntil: 0,
    });
    await clients.loseScopes(id, ['read']);
    assert.equal((await purge(options)).searchTexts, 0);
  });
});
