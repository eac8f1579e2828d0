import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fold } from '@watchword/protocol';
import { auditEventFactory, buildAccount, newClient, newResourceServer } from '@watchword/testkit';
import fc from 'fast-check';
import { testDatabase } from './support/test-database.ts';

const isAscii = (text: string) => /^[ -~]*$/.test(text);
const text = fc.string({ unit: fc.constantFrom(...'aAbB%_!\'ßÉéﬁ"\\'), minLength: 1, maxLength: 4 });
const names = [...new Set(fc.sample(text, { numRuns: 300, seed: 1 }))];
const wanted = [...new Set(fc.sample(text, { numRuns: 60, seed: 2 }).map(fold))];

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

  it('leaves out exactly the ASCII events without its text, and no other event', async () => {
    await using database = await testDatabase();
    const { auditEvents } = await database.openServer();
    const make = auditEventFactory();
    const rest = { actor: { identityProvider: '', name: '' }, clientId: undefined };
    await auditEvents.append(names.map((recordName) => make({ recordName, ...rest })));
    for (const searched of wanted) {
      const found = await auditEvents.list({ mayContain: searched, limit: 1000 });
      const expected = names.filter((name) => !isAscii(name) || name.toLowerCase().includes(searched));
      assert.deepEqual(found.map(({ recordName }) => recordName).toSorted(), expected.toSorted(), searched);
    }
  });

  it('finds a record by what it says now, also when an older release has changed it or the purge has not seen it', async () => {
    await using database = await testDatabase();
    const { accounts, clients, resourceServers, purge, transact } = await database.openServer();
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
    ];
    assert.deepEqual(
      [await found('ä'), await found('ö')],
      [
        [1, 1, 1],
        [0, 0, 0],
      ],
    );
    // As a release writes that does not know the texts.
    await database.sql("update account set display_name = 'Öta', revision = revision + 1");
    await database.sql("update client set client_name = 'App Ö', revision = revision + 1");
    await database.sql("update resource_server set server_name = 'Api Ö', revision = revision + 1");
    assert.deepEqual(await found('ö'), [1, 1, 1]);
    const options = { expiredBefore: 0, deletedBefore: 0, batchSize: 2 };
    assert.equal((await purge(options)).searchTexts, 3);
    assert.deepEqual(
      [await found('ä'), await found('ö')],
      [
        [0, 0, 0],
        [1, 1, 1],
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
