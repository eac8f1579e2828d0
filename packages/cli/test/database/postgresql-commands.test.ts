import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { seedDemo } from '@watchword/server/demo';
import {
  startProcess,
  temporaryDirectory,
  until,
  watchword,
} from '@watchword/server-testkit/processes/process';
import { testSealingKey } from '@watchword/server-testkit/servers/engine';
import {
  demoClient,
  demoResourceServer,
  postForm,
  readAnswer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { postgresqlServer, query } from '@watchword/testkit/postgresql';

const password = 'geheim%23';

/** A database with a role that owns it and a role for servers, as docs/guides/postgresql.md makes them. */
async function database(server: Pick<Awaited<ReturnType<typeof postgresqlServer>>, 'createDatabase'>) {
  const made = await server.createDatabase();
  const [owner, role] = [`owner_${made.name}`, `server_${made.name}`];
  const statements = [
    `create role ${owner} login password 'geheim#'`,
    `create role ${role} login password 'geheim#'`,
    'revoke create on schema public from public',
    `grant create, usage on schema public to ${owner}`,
    `grant usage on schema public to ${role}`,
    `alter default privileges for role ${owner} in schema public grant select, insert, update, delete on tables to ${role}`,
  ];
  await query(made.url, statements.join('; '));
  const urlOf = (user: string) => made.url.replace(/\/\/[^@]*@/, `//${user}:${password}@`);
  return {
    owner: urlOf(owner),
    server: urlOf(role),
    /** For the superuser. */
    url: made.url,
    shown: (url: string) => url.replace(`:${password}`, ''),
    async [Symbol.asyncDispose]() {
      await made.drop();
      await query((await postgresqlServer()).url(), `drop role if exists ${owner}, ${role}`);
    },
  };
}

type Made = Awaited<ReturnType<typeof database>>;

/** Runs a command with the URL in its variable; nothing that it prints has the password. */
async function run(url: string, ...args: readonly string[]) {
  const result = await watchword(args, { env: { WATCHWORD_DATABASE: url } });
  assert.doesNotMatch(result.stdout + result.stderr, /geheim/);
  return result;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
async function json(url: string, ...args: readonly string[]): Promise<any> {
  const { code, stdout, stderr } = await run(url, ...args, '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

/** A server process that gets the URL from a file, with the demo records. */
async function serveProcess(url: string, ...args: readonly string[]) {
  const directory = await temporaryDirectory();
  const file = directory.file('url');
  await writeFile(file, `${url}\n`);
  const flags = [
    '--database-url-file',
    file,
    '--signing-key',
    testSealingKey,
    '--port',
    '0',
    '--demo',
    'small',
  ];
  const server = await startProcess([...flags, ...args]);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** A server of this process on the database, with the demo records. */
async function serve(database: string): Promise<TestServer> {
  const server = await startServer({ database });
  const { store } = server.service;
  if (await seedDemo(store)) await store.refreshRegistry();
  return server;
}

/** The status of the token info. */
async function statusOf(server: Pick<TestServer, 'baseUrl'>, access_token: string): Promise<number> {
  return (await postForm(server.baseUrl, '/v1/tokeninfo', { access_token }, demoResourceServer)).status;
}

describe('a command over PostgreSQL', () => {
  for (const [command, advice] of [
    ['backup', /pg_dump .*pg_basebackup .*docs\/guides\/postgresql-recovery\.md/],
    ['restore', /pg_restore.*"watchword restored"/],
  ] as const) {
    it(`${command} names the tools of PostgreSQL`, async () => {
      const { code, stderr } = await run('postgres://ann:geheim@127.0.0.1:1/id', command, 'x.db');
      assert.equal(code, 2);
      assert.match(stderr, advice);
    });
  }
});

/** Of the suites below: without tables first, then migrated. */
let made: Made;
before(async () => {
  made = await database(await postgresqlServer());
});
after(() => made[Symbol.asyncDispose]());

describe('a command over a database of PostgreSQL without tables', () => {
  it('does not print a wrong password', async () => {
    const wrong = made.server.replace(':geheim', ':nichtgeheim');
    for (const command of ['migrate', 'check', 'purge', 'restored']) {
      const { code, stderr } = await run(wrong, command);
      assert.equal(code, 1, command);
      assert.match(stderr, /^watchword: .*password/, command);
    }
  });

  it('names what a database without tables needs', async () => {
    const { code, stderr } = await run(made.server, 'client', 'list');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^watchword: The database postgres:\/\/\S+ lacks the migrations .*"watchword migrate"/,
    );
  });

  it('finds in a check that the database is not migrated', async () => {
    const { stdout } = await run(made.server, 'check');
    assert.match(stdout, /lacks the migrations 0001-schema.*"watchword migrate"/);
  });

  it('migrates as the owner of the tables, and works as the role of servers', async () => {
    const { stdout: check } = await run(made.owner, 'migrate', '--check');
    assert.match(check, /\/\w+ is empty\. .* would change it:\n {2}0001-schema makes all tables/);
    const [first] = (await json(made.owner, 'migrate', '--check')).pending;
    const migrated = await json(made.owner, 'migrate');
    assert.equal(migrated.database, made.shown(made.owner));
    assert.equal(migrated.migrated[0], first.name);
    assert.deepEqual((await json(made.server, 'migrate')).migrated, []);
    const api = await json(made.server, 'resource-server', 'create', '--name', 'Orders', '--scope', 'read');
    const [listed] = await json(made.server, 'resource-server', 'list');
    assert.equal(listed.key, api.key);
    await json(
      made.server,
      'client',
      'create',
      '--name',
      'Job',
      '--resource-server',
      api.key,
      '--scope',
      'read',
      '--allow-client-credentials',
    );
    const { token } = await json(made.server, 'token', 'issue', '--client', 'job', '--scope', 'read');
    assert.match(token, /^wwa_/);
    assert.equal((await json(made.server, 'token', 'list', '--client', 'job')).length, 1);
    await json(made.server, 'purge');
    await json(made.server, 'client', 'delete', 'job', '--yes');
    assert.deepEqual(await json(made.server, 'client', 'list'), []);
    await json(made.server, 'resource-server', 'delete', api.key, '--yes');
  });
});

describe('a command over a migrated database of PostgreSQL', () => {
  before(() => json(made.owner, 'migrate'));

  it('ends the tokens of a restored backup when no server is connected, and then changes a running server', async () => {
    const token = await tokenOfEndedServer(made, async () => {
      const { code, stderr } = await run(made.server, 'restored', '--yes');
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^watchword: Servers use the database postgres:\/\/\S+: they have \d+ connections\. Stop all servers/m,
      );
    });
    await using server = await endTokens(made, 'server', token);
    const later = await server.issueToken();
    assert.equal(await statusOf(server, later), 200);
    await json(made.server, 'client', 'delete', 'demo-service', '--yes');
    await until(async () => (await statusOf(server, later)) !== 200, 20);
  });

  it('finds missing rights and settings that endanger data, with advice, and exits with 1', async () => {
    await query(made.url, `revoke delete, insert on client from ${new URL(made.server).username}`);
    const { code, stdout } = await run(made.server, 'check');
    assert.equal(code, 1);
    assert.match(
      stdout,
      /lacks the right to delete, insert in the table client\. .*grant select, insert, update, delete on client to/,
    );
    assert.match(stdout, /fsync is off: .*Set it to on/);
  });
});

/** A token whose server has ended. @param meanwhile while the server runs; the token stays valid */
async function tokenOfEndedServer(made: Pick<Made, 'server'>, meanwhile = async () => {}): Promise<string> {
  await using server = await serve(made.server);
  const token = await server.issueToken();
  await meanwhile();
  assert.equal(await statusOf(server, token), 200);
  return token;
}

/** Runs "watchword restored", which ends the token. @returns a server on the database */
async function endTokens(made: Made, role: 'server' | 'owner', token: string): Promise<TestServer> {
  const report = await json(made[role], 'restored', '--yes');
  assert.ok(report.ended.accessTokens > 0);
  assert.equal(report.database, made.shown(made[role]));
  assert.deepEqual(report.clients, [{ clientId: 'demo-service' }, { clientId: 'demo-app' }]);
  const [event] = await query(
    made.url,
    `select record_name, state_after from audit_event where event_action = 'restore'`,
  );
  assert.equal(JSON.parse(String(event?.state_after)).accessTokens, report.ended.accessTokens);
  const server = await serve(made.server);
  assert.equal(await statusOf(server, token), 404);
  return server;
}

describe('watchword restored over PostgreSQL', () => {
  /** A database with a token, whose server has ended. */
  async function restoredDatabase() {
    const made = await database(await postgresqlServer());
    await json(made.owner, 'migrate');
    return { ...made, token: await tokenOfEndedServer(made) };
  }

  // The suite above has it as the server.
  slowTest('ends the tokens of the backup as the owner, and is in the audit log', async () => {
    await using made = await restoredDatabase();
    await using server = await endTokens(made, 'owner', made.token);
    assert.equal(await statusOf(server, await server.issueToken()), 200);
  });

  // The suite above has the change, database-setting.test.ts the warning, workers.test.ts a process over PostgreSQL.
  slowTest(
    'changes a process of a server, which warns in its log of a password in a flag and does not print it',
    async () => {
      await using made = await restoredDatabase();
      await using server = await serveProcess(made.server, '--database-listen', made.server);
      const form = { grant_type: 'client_credentials' };
      const answer = await readAnswer(await postForm(server.baseUrl, '/oauth2/token', form, demoClient));
      const token: string = answer.json.access_token;
      assert.equal(await statusOf(server, token), 200);
      await json(made.server, 'client', 'delete', 'demo-service', '--yes');
      await until(async () => (await statusOf(server, token)) !== 200, 20);
      assert.match(server.log(), /"level":40,.*"msg":"--database-listen has a password, and other users/);
      assert.ok(server.log().includes(`"database":"${made.shown(made.server)}"`));
      assert.doesNotMatch(server.log() + server.stderr(), /geheim/);
    },
  );

  slowTest('ends only what was issued at a time or later, with a warning about the rest', async () => {
    await using made = await restoredDatabase();
    const later = new Date(Date.now() + 1).toISOString();
    const second = await serve(made.server);
    await second.issueToken();
    await second[Symbol.asyncDispose]();
    const { code, stdout, stderr } = await run(made.server, 'restored', '--issued-after', later, '--yes');
    assert.equal(code, 0);
    assert.match(stderr, /^postgres:\S+ has \d resource servers, \d clients, 0 accounts, 0 grants\.$/m);
    assert.match(stdout, /^Ended: 1 access tokens/m);
    assert.match(stdout, /^WARNING: tokens, grants and consents of the backup are valid/m);
    await using server = await serve(made.server);
    assert.equal(await statusOf(server, made.token), 200);
  });

  for (const [args, problem] of [
    [['--issued-after', 'yesterday'], /--issued-after: expected a time in the past with its zone/],
    [['--issued-after', '2026-11-22T20:00'], /--issued-after: expected a time in the past with its zone/],
    [['--issued-after', '2999-01-01T00:00Z'], /--issued-after: expected a time in the past/],
    [['--issued-after', '2020-01-01T00:00Z', '--keep-tokens'], /expected at most one of them/],
  ] as const) {
    it(`rejects ${args.join(' ')} as a wrong call`, async () => {
      const { code, stderr } = await run('postgres://ann:geheim@127.0.0.1:1/id', 'restored', ...args);
      assert.equal(code, 2);
      assert.match(stderr, problem);
    });
  }
});
