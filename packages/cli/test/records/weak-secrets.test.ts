import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { startAdministration } from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { copyDemo, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { slowSuite, slowTest } from '@watchword/testkit';

const records = JSON.stringify({
  resourceServers: [
    {
      ...{ key: 'old$api', secret: 'api', name: 'Old API', contactName: 'Emma', scopes: ['read'] },
      clients: [
        {
          ...{ clientId: 'old-job', secret: 'x', clientName: 'Old job', contactName: 'Emma' },
          ...{ scopes: ['read'], allowedClientCredentials: true, expireDuration: 600 },
        },
      ],
    },
  ],
});

async function demoDatabase() {
  const directory = await temporaryDirectory();
  const database = directory.file('x.db');
  await copyDemo(database);
  const run = (args: readonly string[], stdin = '') =>
    watchword([...args, '--database', database], { stdin });
  return {
    database,
    directory,
    run,
    import: (...args: string[]) => run(['import', '-', ...args], records),
    json: async (...args: string[]) => JSON.parse((await run([...args, '--json'])).stdout),
    rows: () =>
      sql(
        database,
        'select secret_hash from client where client_id = ? union all select secret_hash from resource_server where server_key = ?',
        'old-job',
        'old$api',
      ),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

const texts = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ secret_hash }) => Buffer.from(secret_hash as Uint8Array).toString());

describe('an imported secret of fewer than 16 characters', () => {
  it('is refused, with the ways out', async () => {
    await using demo = await demoDatabase();
    const { code, stdout } = await demo.import();
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^refused .* old\$api: secret: has fewer than 16 characters, so it can be guessed: replace it at its old server, or allow it with --allow-weak-secrets until you rotate it here$/m,
    );
    assert.match(stdout, /Nothing was changed/);
    assert.deepEqual(await demo.rows(), []);
  });

  it('is stored as argon2id where it is allowed, with advice; a second import changes nothing but a fast hash of an earlier release', async () => {
    await using demo = await demoDatabase();
    const { code, stdout } = await demo.import('--allow-weak-secrets');
    assert.equal(code, 0, stdout);
    assert.match(
      stdout,
      /^created .* old-job: its secret has fewer than 16 characters and can be guessed; rotate it soon with "watchword client rotate-secret old-job"$/m,
    );
    assert.match(stdout, /"watchword resource-server rotate-secret 'old\$api'"$/m);
    const stored = texts(await demo.rows());
    assert.equal(stored.length, 2);
    for (const text of stored) assert.match(text, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.match((await demo.import('--allow-weak-secrets')).stdout, /0 created, 0 changed, 2 unchanged/);
    assert.deepEqual(texts(await demo.rows()), stored);
    assert.match((await demo.import()).stdout, /Nothing was changed, because 2 of 2 records are refused/);
    const others = records.replace('"x"', '"y"');
    const { stdout: refused } = await demo.run(['import', '-', '--allow-weak-secrets'], others);
    assert.match(refused, /^refused .* old-job: secret: is another one here/m);
    for (const [table, name, column, secret] of [
      ['client', 'old-job', 'client_id', 'x'],
      ['resource_server', 'old$api', 'server_key', 'api'],
    ] as const) {
      await sql(
        demo.database,
        `update ${table} set secret_hash = ? where ${column} = ?`,
        hash('sha256', secret, 'buffer'),
        name,
      );
    }
    assert.match((await demo.run(['import', '-', '--dry-run'], records)).stdout, /^refused .* old\$api: /m);
    const { stdout: changed } = await demo.import('--allow-weak-secrets');
    assert.match(changed, /^changed .* old\$api: weakSecret$/m);
    assert.match(changed, /^changed .* old-job: weakSecret$/m);
    for (const text of texts(await demo.rows())) assert.match(text, /^\$argon2id\$/);
    const [event] = await sql(
      demo.database,
      "select state_after from audit_event where event_action = 'update' and record_name = ?",
      'old-job',
    );
    assert.deepEqual(JSON.parse(String(event?.state_after)), { weakSecret: true });
  });

  it('is not alone in the check: it names clients whose last secret soon expires', async () => {
    await using demo = await demoDatabase();
    const warnings = async () => (await demo.json('check')).warnings;
    await demo.run(['client', 'add-secret', 'demo-service', '--days', '20']);
    assert.deepEqual(await warnings(), []);
    await demo.run(['client', 'remove-secret', 'demo-service', '1', '--yes']);
    const [warning, ...others] = await warnings();
    assert.match(warning, /^the last secret of demo-service expires on \d{4}-\d\d-\d\dT/);
    assert.deepEqual(others, []);
    await demo.run(['client', 'update-secret', 'demo-service', '2', '--days', '40']);
    assert.deepEqual(await warnings(), []);
  });

  slowTest('ends when a restore replaces all secrets', async () => {
    await using demo = await demoDatabase();
    await demo.import('--allow-weak-secrets');
    const backup = demo.directory.file('backup.db');
    await demo.run(['backup', backup]);
    await demo.run(['restore', backup, '--rotate-secrets', '--yes']);
    assert.deepEqual((await demo.json('check')).weakSecrets, []);
    await using server = await startServer({ database: demo.database });
    const form = { grant_type: 'client_credentials' };
    assert.equal((await server.post('/oauth2/token', form, 'old-job:x')).status, 401);
  });
});

const checked =
  /Secrets of fewer than 16 characters can be guessed\. Replace them:\n {2}watchword resource-server rotate-secret 'old\$api'\n {2}watchword client rotate-secret old-job\n/;

describe('a server with imported secrets that can be guessed', () => {
  let demo: Awaited<ReturnType<typeof demoDatabase>>;
  let server: TestServer;
  before(async () => {
    demo = await demoDatabase();
    await demo.import('--allow-weak-secrets');
    server = await startServer({ database: demo.database });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await demo?.[Symbol.asyncDispose]();
  });
  const issue = (credentials: string) =>
    server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);

  it('authenticates the client and its resource server, again and again', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { status, json } = await issue('old-job:x');
      assert.equal(status, 200);
      const token = { access_token: json.access_token };
      assert.equal((await server.post('/v1/tokeninfo', token, 'old$api:api')).json.audience, 'Old job');
      const form = { token: json.access_token };
      assert.equal((await server.post('/oauth2/introspect', form, 'old$api:api')).json.active, true);
    }
  });

  it('answers guesses as for an unknown client, then slows them down, and not the client', async () => {
    using clock = stoppedClock();
    assert.equal((await issue('old-job:x')).status, 200);
    const [wrong, unknown] = [await issue('old-job:y'), await issue('nobody:y')];
    assert.deepEqual([wrong.status, wrong.text], [unknown.status, unknown.text]);
    for (let guess = 0; guess < 4; guess += 1) assert.equal((await issue(`old-job:${guess}`)).status, 401);
    const slowed = await issue('old-job:z');
    assert.deepEqual([slowed.status, slowed.headers.get('retry-after')], [429, '5']);
    assert.equal((await issue('nobody:z')).status, 401);
    assert.equal((await issue('old-job:x')).status, 200);
    clock.advance(5000);
    assert.equal((await issue('old-job:z')).status, 401);
  });

  it('names them in lists, in the record and in check, until they are rotated', async () => {
    const { stdout: clients } = await demo.run(['client', 'list']);
    assert.match(clients, / WEAKSECRET\n/);
    assert.match(clients, /old-job .* true$/m);
    assert.match((await demo.run(['resource-server', 'list'])).stdout, /old\$api .* true$/m);
    assert.match(
      (await demo.run(['client', 'show', 'old-job'])).stdout,
      /^weakSecret +true$[\s\S]*Give it another one: watchword client rotate-secret old-job$/m,
    );
    assert.match((await demo.run(['check'])).stdout, checked);
    assert.deepEqual((await demo.json('check')).weakSecrets, [
      "watchword resource-server rotate-secret 'old$api'",
      'watchword client rotate-secret old-job',
    ]);
    await demo.run(['client', 'rotate-secret', 'old-job']);
    assert.doesNotMatch((await demo.run(['client', 'list'])).stdout, /WEAKSECRET/);
    const record = await demo.json('client', 'show', 'old-job');
    assert.equal(record.weakSecret, undefined);
    assert.deepEqual((await demo.json('check')).weakSecrets, [
      "watchword resource-server rotate-secret 'old$api'",
    ]);
  });
});

slowSuite('the administration interface', () => {
  it('marks clients and resource servers whose secret can be guessed', async () => {
    await using demo = await demoDatabase();
    await demo.import('--allow-weak-secrets');
    await using server = await startAdministration({ database: demo.database });
    const root = await server.administrator();
    const marked = async (path: string, name: string) =>
      (await root.get(path)).json
        .filter(({ weakSecret }: { weakSecret?: boolean }) => weakSecret === true)
        .map((record: Record<string, unknown>) => record[name]);
    assert.deepEqual(await marked('/admin/client', 'clientId'), ['old-job']);
    assert.deepEqual(await marked('/admin/resourceServer', 'key'), ['old$api']);
    assert.deepEqual(await marked('/admin/resourceServer?scopes=described', 'key'), ['old$api']);
  });
});
