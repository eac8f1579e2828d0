import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { codeOf } from '@watchword/server-testkit/processes/guide';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { databaseFor } from '@watchword/server-testkit/servers/engine';
import { copyDemo, startServer } from '@watchword/server-testkit/servers/server';
import { openStore } from '@watchword/store-sql';
import { FakeClock, variants } from '@watchword/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { boundedFile } from '../../src/command/bounded-file.ts';
import { progressOn } from '../../src/import/command-parts.ts';

const guide = codeOf('migration.md').find(({ language }) => language === 'json')?.code ?? '';
const secret = '0c7c9c3e-1c5b-4f0e-8a57-6a8fb3a9d0c2';

interface Server {
  [field: string]: unknown;
  clients: Record<string, unknown>[];
}

/** The document of the guide, changed. */
function changed(change: (server: Server, all: Server[]) => void): string {
  const { resourceServers } = JSON.parse(guide);
  change(resourceServers[0], resourceServers);
  return JSON.stringify({ resourceServers });
}

/** The document of the guide, with this format of access tokens and these fields of its clients. */
function ofFormat(accessTokenFormat: string, fields: object): string {
  return changed((server) => {
    Object.assign(server, { accessTokenFormat });
    for (const client of server.clients) Object.assign(client, fields);
  });
}

/** A database with the demo records, and the command on it. */
async function demoDatabase() {
  const directory = await temporaryDirectory();
  const database = directory.file('demo.db');
  await copyDemo(database);
  const run = (...args: string[]) => watchword([...args, '--database', database]);
  return {
    database,
    directory,
    run,
    /** Imports a text from standard input. */
    import: (stdin: string, ...args: string[]) =>
      watchword(['import', '-', '--database', database, ...args], { stdin }),
    /** The revisions of the imported records. */
    async revisions() {
      const store = await openStore({ database: await databaseFor(database), clock: new FakeClock() });
      const { resourceServers, clients } = store;
      const found = [
        await resourceServers.find('b2f9d1c4-6f0e-4f8e-9d59-5f3f2f7f0a11'),
        await clients.find('course-app'),
      ];
      await store.close();
      return found.map((record) => record?.revision);
    },
    json: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

describe('watchword import', () => {
  it('creates the records of the guide, which keep key, clientId and secret, trusted, and writes audit events', async () => {
    await using demo = await demoDatabase();
    const { code, stdout, stderr } = await demo.import(guide);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stdout.split('\n'), [
      'created       resource server b2f9d1c4-6f0e-4f8e-9d59-5f3f2f7f0a11',
      'created       client course-app',
      'created       client course-page',
      'Records: 3 created, 0 changed, 0 unchanged.',
      '',
    ]);
    await using server = await startServer({ database: demo.database });
    const form = { grant_type: 'client_credentials' };
    const issued = await server.post(
      '/oauth2/token',
      form,
      'course-app:f4a5d0a2-93a6-4b53-8a0b-2f4c0c9f5d77',
    );
    assert.equal(issued.json.scope, 'read');
    const { access_token } = issued.json;
    const asked = { access_token };
    const info = await server.post('/v1/tokeninfo', asked, `b2f9d1c4-6f0e-4f8e-9d59-5f3f2f7f0a11:${secret}`);
    assert.equal(info.json.audience, 'Course App');
    const { auditEvents, clients, resourceServers } = server.service.store;
    const [app, page] = [await clients.find('course-app'), await clients.find('course-page')];
    assert.deepEqual([app?.trusted, app?.confidential, app?.attributes], [true, true, { theme: 'blue' }]);
    // With the implicit grant it is public.
    assert.deepEqual([page?.trusted, page?.confidential], [true, false]);
    const api = await resourceServers.find('b2f9d1c4-6f0e-4f8e-9d59-5f3f2f7f0a11');
    assert.deepEqual([api?.owner, api?.ownerAuthority], ['emma', 'password']);
    const names = ['b2f9d1c4-6f0e-4f8e-9d59-5f3f2f7f0a11', 'course-app', 'course-page'];
    const events = (await auditEvents.list({ limit: 100 })).filter(({ recordName }) =>
      names.includes(recordName),
    );
    assert.deepEqual(events.map(({ recordName }) => recordName).toSorted(), names);
    assert.ok(events.every(({ action, owner }) => action === 'create' && owner.name === 'emma'));
    assert.ok(!JSON.stringify(events).includes(secret));
  });

  it('changes nothing in a dry run, and reports the same records', async () => {
    await using demo = await demoDatabase();
    const { code, stdout } = await demo.import(guide, '--dry-run');
    assert.equal(code, 0);
    assert.match(stdout, /^would create {2}client course-app$/m);
    assert.match(stdout, /^Dry run: nothing was changed\.$/m);
    const { code: missing } = await demo.run('client', 'show', 'course-app');
    assert.equal(missing, 1);
  });

  it('of many records shows how far it is: at a terminal in one line, else in a line for a thousand records', () => {
    const shown = (isTTY: boolean, of: number) => {
      let text = '';
      const show = progressOn({ write: (words) => (text += words), isTTY }, of);
      for (let done = 1; done <= of; done += 1) show?.(done);
      return text;
    };
    assert.deepEqual([shown(false, 999), shown(true, 999)], ['', '']);
    assert.equal(shown(false, 1001), '1000 of 1001 records\n1001 of 1001 records\n');
    const counts = Array.from({ length: 10 }, (_, index) => (index + 1) * 100);
    const lines = [...counts, 1001].map((done) => `\r\u001b[K${done} of 1001 records`);
    assert.equal(shown(true, 1001), `${lines.join('')}\n`);
  });

  it('changes nothing the second time, not even a revision, and later the fields of a record that are new, which it names', async () => {
    await using demo = await demoDatabase();
    await demo.import(guide);
    const before = await demo.revisions();
    const report = JSON.parse((await demo.import(guide, '--json')).stdout);
    assert.equal(report.isStored, true);
    assert.deepEqual(
      report.records.map(({ outcome }: { outcome: string }) => outcome),
      ['unchanged', 'unchanged', 'unchanged'],
    );
    assert.deepEqual(await demo.revisions(), before);
    const edited = changed(({ clients }) =>
      Object.assign(clients[0] ?? {}, { description: 'New', expireDuration: 60 }),
    );
    const dry = await demo.import(edited, '--dry-run');
    assert.match(dry.stdout, /^would change {2}client course-app: description; expireDuration$/m);
    const { stdout } = await demo.import(edited);
    assert.match(stdout, /^changed {7}client course-app: description; expireDuration$/m);
    assert.match(stdout, /^Records: 0 created, 1 changed, 2 unchanged\.$/m);
    assert.equal((await demo.json('client', 'show', 'course-app')).expireDuration, 60);
  });

  it('changes a resource server to JWTs together with its clients, which are checked as they are afterwards', async () => {
    await using demo = await demoDatabase();
    const opaque = ofFormat('opaque', { expireDuration: 0, subjectType: 'pairwise' });
    assert.equal((await demo.import(opaque)).code, 0);
    const uncorrected = changed((server) =>
      Object.assign(server, { accessTokenFormat: 'jwt', clients: server.clients.slice(1) }),
    );
    const refused = await demo.import(uncorrected);
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /^refused .*: the client course-app has the expireDuration 0.*pairwise/m);
    assert.equal((await demo.json('client', 'show', 'course-app')).expireDuration, 0);
    const corrected = await demo.import(ofFormat('jwt', { expireDuration: 60, subjectType: 'public' }));
    assert.equal(corrected.code, 0, corrected.stdout);
    assert.match(corrected.stdout, /^changed .*resource server .*: accessTokenFormat$/m);
    assert.match(corrected.stdout, /^changed .*client course-app: .*expireDuration/m);
    assert.equal((await demo.import(opaque)).code, 0);
  });

  it('reads scopes with descriptions, as the administration interface does', async () => {
    await using demo = await demoDatabase();
    const described = changed((server) => {
      server.scopes = ['read', { name: 'write', description: 'Change your courses' }];
    });
    assert.equal((await demo.import(described)).code, 0);
    assert.match((await demo.import(described)).stdout, /0 created, 0 changed, 3 unchanged/);
    await using server = await startServer({ database: demo.database });
    const found = await server.service.store.resourceServers.find('b2f9d1c4-6f0e-4f8e-9d59-5f3f2f7f0a11');
    assert.match(JSON.stringify(found?.scopeDescriptions), /Change your courses/);
  });

  it('rejects everything when one record breaks a rule, and names each reason without a secret', async () => {
    await using demo = await demoDatabase();
    for (const [change, reasons] of variants(3, rejections)) {
      const { code, stdout } = await demo.import(changed(change));
      assert.equal(code, 1, stdout);
      for (const reason of reasons) assert.match(stdout, reason);
      assert.match(stdout, /^Nothing was changed, because \d of \d records are refused\.$/m);
      assert.doesNotMatch(stdout, /^(?:created|changed)/m);
      assert.ok(!stdout.includes(secret));
    }
    const keys = (await demo.json('resource-server', 'list')).map(({ key }: { key: string }) => key);
    assert.deepEqual(keys, ['demo-resource-server']);
  });

  it('rejects another secret or another owner of a record that exists', async () => {
    await using demo = await demoDatabase();
    const hostile = { clientId: '$(id)', secret: 'the first secret of the client' };
    await demo.import(changed(({ clients }) => clients.push({ ...clients[0], ...hostile })));
    const edited = changed((server) => {
      Object.assign(server, { owner: 'other' });
      Object.assign(server.clients[0] ?? {}, { secret: 'another secret of the client' });
    });
    const { code, stdout } = await demo.import(edited);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^refused .* b2f9\S+: owner: is another one here; change it with "watchword resource-server update/m,
    );
    const kept = changed(({ clients }) => {
      const secret = 'another secret of the client';
      clients.push({ ...clients[0], ...hostile, secret });
      Object.assign(clients[0] ?? {}, { secret });
    });
    const { stdout: refused } = await demo.import(kept);
    assert.match(refused, /^refused .*course-app: secret: is another one here; rotate it/m);
    assert.match(refused, /rotate it with "watchword client rotate-secret '\$\(id\)'"$/m);
  });

  it('reads a file, and rejects what is no import without showing it', async () => {
    await using demo = await demoDatabase();
    const { directory, run } = demo;
    const file = directory.file('records.json');
    await writeFile(file, guide);
    assert.equal((await run('import', file)).code, 0);
    for (const [text, problem] of [
      ['{"resourceServers": [secret]}', /expected JSON in UTF-8/],
      ['[]', /the file: expected an object, got an empty list/],
      ['{"resourceServers": "secret"}', /resourceServers: expected a list of resource servers, got a text/],
      [
        '{"resourceServers": [{"clients": [{"clientId": 7}]}]}',
        /resourceServers\.0\.key: expected a text, got nothing/,
      ],
      [
        '{"resourceServers": [{"key": "a", "clients": [{"clientId": "b", "otherResourceServers": [{"key": "c"}]}]}]}',
        /otherResourceServers\.0\.scopes: expected key and scopes, or resourceServerId and scopes/,
      ],
      ['{"resourceServers": [], "secret": 1}', /expected an object with resourceServers and nothing else/],
    ] as const) {
      const { code, stderr } = await demo.import(text);
      assert.equal(code, 2);
      assert.match(stderr, problem);
      assert.doesNotMatch(stderr.replaceAll(/\.secret|secret: /g, ''), /\[secret\]|"secret"/);
    }
    await truncate(file, 64 * 1024 * 1024 + 1);
    assert.match((await run('import', file)).stderr, /expected at most 67108864 bytes/);
    const piped = { stdin: Readable.from([Buffer.alloc(2), Buffer.alloc(2)]) };
    await assert.rejects(
      boundedFile('-', piped, { bytes: 3, advice: 'divide it' }),
      /input: expected at most 3 bytes; d/,
    );
    assert.match((await run('import', directory.file('none'))).stderr, /cannot be read: ENOENT/);
    assert.match((await run('import')).stderr, /expected the name of a file, or - for standard input/);
  });

  it('prints a JSON Schema that accepts the file of the guide and rejects wrong values', async () => {
    const { stdout } = await watchword(['import', '--schema']);
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(stdout));
    assert.ok(validate(JSON.parse(guide)), JSON.stringify(validate.errors));
    assert.ok(!validate(JSON.parse(changed((server) => delete server.key))));
    assert.ok(!validate(JSON.parse(changed((server) => Object.assign(server, { key: 1 })))));
    assert.ok(!validate(JSON.parse(changed((server) => Object.assign(server, { secret: 1 })))));
    assert.ok(
      !validate(JSON.parse(changed(({ clients }) => Object.assign(clients[0] ?? {}, { clientId: 1 })))),
    );
    assert.ok(!validate(JSON.parse(changed((server) => Object.assign(server, { scopes: 'read' })))));
    assert.ok(!validate(JSON.parse(changed(({ clients }) => delete clients[0]?.clientName))));
    const using = (entry: object) =>
      changed(({ clients }) => Object.assign(clients[0] ?? {}, { otherResourceServers: [entry] }));
    assert.ok(
      validate(JSON.parse(using({ key: 'orders', scopes: ['read'] }))),
      JSON.stringify(validate.errors),
    );
    assert.ok(!validate(JSON.parse(using({ key: 'orders', resourceServerId: 1, scopes: [] }))));
  });
});

type Rejection = readonly [change: (server: Server, all: Server[]) => void, reasons: readonly RegExp[]];

const rejections: readonly Rejection[] = [
  [
    (server) => Object.assign(server, { contactEmail: 'x', unknown: 1, secret: null }),
    [
      /^refused .* b2f9\S+: secret: is required$/m,
      /^refused .* client course-app: its resource server was refused$/m,
    ],
  ],
  [
    (server) => Object.assign(server, { contactEmail: 'x', unknown: 1 }),
    [/unknown: is not a field of this record; contactEmail: is not an e-mail address/],
  ],
  [
    ({ clients }) =>
      Object.assign(clients[0] ?? {}, { scopes: ['admin'], redirectUris: ['http://example.com/#a'] }),
    [
      /^would create {2}resource server/m,
      /^refused .* course-app: .*redirectUris: /m,
      /is not a scope of the resource server/,
    ],
  ],
  [({ clients }) => delete clients[0]?.secret, [/^refused .* course-app: secret: is required$/m]],
  [
    ({ clients }) => Object.assign(clients[1] ?? {}, { secret }),
    [/^refused .* course-page: secret: must be left out: a public client has no secret$/m],
  ],
  [
    ({ clients }) => Object.assign(clients[0] ?? {}, { clientId: 'a:b' }),
    [/clientId: must be 1 to 255 visible ASCII characters without colon/],
  ],
  [
    ({ clients }) => Object.assign(clients[0] ?? {}, { clientId: 'demo-app' }),
    [/^refused .* demo-app: clientId: belongs to a client of another resource server$/m],
  ],
  [
    ({ clients }) => Object.assign(clients[0] ?? {}, { clientId: 'authorization-server-admin-js-client' }),
    [/clientId: belongs to the administration interface of this server/],
  ],
  [
    ({ clients }) => Object.assign(clients[1] ?? {}, { clientId: 'course-app' }),
    [/^refused .* course-app: is in the import twice$/m],
  ],
  [
    ({ clients }) => Object.assign(clients[0] ?? {}, { otherResourceServers: [{ key: 'typo', scopes: [] }] }),
    [/^refused .* course-app: otherResourceServers: name "typo", which is no key of a resource server/m],
  ],
  [
    (server, all) => all.push({ ...server, key: 'second', clients: [] }),
    [/^refused .* second: The owner has a resource server of this name already/m],
  ],
];
