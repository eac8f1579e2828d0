import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { accountAdministration, systemCaller } from '@watchword/administration';
import { noAccountClaims } from '@watchword/protocol';
import { testLoginAttempts } from '@watchword/server-testkit/people/login-attempts';
import {
  bin,
  cleanEnvironment,
  temporaryDirectory,
  watchword,
} from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { databaseFor, withDatabases } from '@watchword/server-testkit/servers/engine';
import { cheapCost } from '@watchword/server-testkit/servers/server';
import { openServerStore, type ServerStore } from '@watchword/store-sql';
import {
  accountRegistration,
  authenticationContext,
  buildResourceOwner,
  grantFactory,
  sessionFactory,
  slowTest,
} from '@watchword/testkit';
import { passwordModule } from '../../src/modules/authentication/password.ts';
import { argon2Hasher } from '../../src/modules/authentication/password-hasher.ts';
import { systemClock, systemRandom } from '../../src/system.ts';
import { outcome } from '../support/login-dependencies.ts';

const password = 'correct horse battery';

/** A database that a server uses, and the command for it. */
async function deps() {
  const directory = await temporaryDirectory();
  const database = directory.file('x.db');
  await copyMigrated(database);
  const store = await openServerStore({ database: await databaseFor(database), clock: systemClock });
  const attemptsOf = testLoginAttempts({ store: store.loginAttempts, clock: systemClock });
  const hasher = argon2Hasher({ random: systemRandom, concurrency: 1, cost: cheapCost });
  const module = passwordModule({
    ...store,
    attempts: attemptsOf('password'),
    hasher,
    decoyKey: () => new Uint8Array(32),
  });
  const administration = accountAdministration({
    ...store,
    clock: systemClock,
    random: systemRandom,
    hashPassword: hasher.hash,
    caller: systemCaller,
  });
  const run = (args: readonly string[], stdin = '') =>
    watchword(['user', ...args, '--database', database], { stdin });
  return {
    store,
    database,
    run,
    // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
    async json(args: readonly string[], stdin = ''): Promise<any> {
      const { code, stdout, stderr } = await run([...args, '--json'], stdin);
      assert.equal(code, 0, stderr);
      assert.equal(stderr, '');
      return JSON.parse(stdout);
    },
    /** Creates an account as the command does, at the cost of tests. */
    create: (username = 'emma') =>
      administration.create(
        accountRegistration({ username, displayName: 'Emma', groups: [], roles: [] }),
        password,
      ),
    async logIn(username: string, given: string): Promise<string> {
      const submission = new Map([
        ['username', [username]],
        ['password', [given]],
      ]);
      return outcome(await module.resume(authenticationContext(), submission));
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Two login sessions and a grant with its tokens, of emma. */
async function open({ loginSessions, grants }: ServerStore) {
  const owner = buildResourceOwner('emma');
  const creationDate = systemClock.now();
  const make = sessionFactory(`${creationDate}`);
  const sessions = [make({ owner, creationDate }), make({ owner, creationDate })];
  for (const session of sessions) await loginSessions.insert(session);
  const factory = grantFactory(`${creationDate}`);
  const grant = factory.grant({ owner, creationDate });
  const { accessToken } = factory.tokens(grant);
  await grants.insert(grant, accessToken);
  return { sessionIds: sessions.map(({ id }) => id), tokenId: accessToken.id };
}

describe('the command user', () => {
  it('creates an account that can log in, and prints it without its hash', async () => {
    await using w = await deps();
    const args = ['create', 'emma', '--password-stdin', '--display-name', 'Emma Example', '--admin'];
    const labels = ['--group', 'staff', '--group', 'ops', '--role', 'editor'];
    const created = await w.json([...args, ...labels], `${password}\n`);
    const { creationDate, id, ...fields } = created;
    const expected = {
      ...noAccountClaims,
      username: 'emma',
      displayName: 'Emma Example',
      roles: ['editor'],
      groups: ['staff', 'ops'],
    };
    assert.deepEqual(fields, { ...expected, adminPrincipal: true, disabled: false, hasPassword: true });
    assert.ok(creationDate > 1_700_000_000_000);
    assert.match(id, /^[\w-]{22}$/);
    assert.equal(await w.logIn('emma', password), 'is emma');
    assert.equal(await w.logIn('emma', 'wrong horse'), 'login.wrong 403');
    const finn = await w.json(['create', 'finn', '--password-stdin'], `\ufeff${password}\r\n`);
    assert.equal(await w.logIn('finn', password), 'is finn', 'as Windows pipes a line');
    assert.deepEqual(
      [finn.displayName, finn.groups, finn.roles, finn.adminPrincipal],
      ['finn', [], [], false],
    );
  });

  it('lists accounts in tables and in JSON, page by page', async () => {
    await using w = await deps();
    assert.equal((await w.run(['list'])).stdout, 'None.\n');
    for (const username of ['finn', 'emma']) await w.create(username);
    const { stdout } = await w.run(['list']);
    const [head = '', first = '', second = ''] = stdout.split('\n');
    assert.match(
      head,
      /^USERNAME +DISPLAYNAME +EMAIL +ADMINPRINCIPAL +DISABLED +GROUPS +ROLES +CREATIONDATE$/,
    );
    assert.match(first, /^emma +Emma +false +false +20\d\d-/);
    assert.match(second, /^finn /);
    assert.doesNotMatch(stdout, /argon2/);
    const names = (rows: readonly { username: string }[]) => rows.map(({ username }) => username);
    assert.deepEqual(names(await w.json(['list'])), ['emma', 'finn']);
    const cut = await w.run(['list', '--limit', '1', '--json']);
    assert.deepEqual(names(JSON.parse(cut.stdout)), ['emma']);
    assert.equal(cut.stderr, '1 of 2 records are listed. --limit 2 lists all.\n');
    assert.deepEqual(names(await w.json(['list', '--after', 'emma'])), ['finn']);
  });

  it('ends sessions and tokens with every change, for a running server immediately, and reports so', async () => {
    await using w = await deps();
    await w.create();
    const changes: [args: string[], words: RegExp, report: Record<string, unknown>, stdin?: string][] = [
      [['disable', 'emma'], /^Disabled emma\. /, { disabled: true }],
      [['enable', 'emma'], /^Enabled emma\. /, { disabled: false }],
      [['set-admin', 'emma', 'on'], /^emma is an administrator now\. /, { adminPrincipal: true }],
      [['set-admin', 'emma', 'off'], /^emma is no administrator now\. /, { adminPrincipal: false }],
      [['set-groups', 'emma', 'a', 'b c', 'a'], /^emma is in a, b c now\. /, { groups: ['a', 'b c'] }],
      [['set-groups', 'emma'], /^emma is in no group now\. /, { groups: [] }],
      [['update', 'emma', '--email', 'e@x.nl'], /^Changed emma\. /, { email: 'e@x.nl' }],
      [
        ['set-password', 'emma', '--password-stdin'],
        /^emma has a new password\. /,
        {},
        'another horse battery',
      ],
    ];
    for (const [args, words, report, stdin] of changes) {
      const { sessionIds, tokenId } = await open(w.store);
      assert.notEqual(await w.store.accessTokens.find(tokenId), undefined);
      const { code, stdout, stderr } = await w.run(args, stdin);
      assert.equal(code, 0, stderr);
      assert.match(stdout, words);
      assert.match(stdout, /2 login sessions ended, 1 grant was revoked with its tokens\.\n$/);
      for (const id of sessionIds) assert.equal(await w.store.loginSessions.find(id), undefined);
      assert.equal(await w.store.accessTokens.find(tokenId), undefined);
      const account = { ...(await w.store.accounts.find('emma')) };
      assert.deepEqual({ ...account, ...report }, account);
    }
    assert.equal(await w.logIn('emma', password), 'login.wrong 403');
    assert.equal(await w.logIn('emma', 'another horse battery'), 'is emma');
    const groups = ['set-groups', 'emma', 'a'];
    const again = { username: 'emma', groups: ['a'], sessions: 0, grants: 0 };
    assert.deepEqual(await w.json(groups), again);
    assert.match((await w.run(['enable', 'emma'])).stdout, /no login session to end and no grant to revoke/);
  });

  // The test above holds the changes, and account-records.test.ts that a disabled account cannot log in.
  slowTest(
    'rejects logins of a disabled account, and accepts the new password and not the old one',
    async () => {
      await using w = await deps();
      await w.create();
      await w.json(['disable', 'emma']);
      assert.equal(await w.logIn('emma', password), 'login.wrong 403');
      await w.json(['set-password', 'emma', '--password-stdin'], 'another horse battery');
      assert.equal(await w.logIn('emma', 'another horse battery'), 'login.wrong 403');
      await w.json(['enable', 'emma']);
      assert.equal(await w.logIn('emma', password), 'login.wrong 403');
      assert.equal(await w.logIn('emma', 'another horse battery'), 'is emma');
    },
  );

  it('reads a password from a file, and makes an account only once if it is told to', async () => {
    await using w = await deps();
    const file = `${w.database}.password`;
    await writeFile(file, `${password}\n`);
    const args = ['create', 'emma', '--admin', '--if-missing', '--password-file', file];
    assert.equal((await w.json(args)).adminPrincipal, true);
    assert.equal(await w.logIn('emma', password), 'is emma');
    await writeFile(file, 'another horse battery');
    assert.deepEqual(await w.json(args), { username: 'emma', created: false });
    assert.equal(await w.logIn('emma', password), 'is emma');
    await w.json(['set-password', 'emma', '--password-file', file]);
    assert.equal(await w.logIn('emma', 'another horse battery'), 'is emma');
  });

  it('names a file that has no password', async () => {
    await using w = await deps();
    const file = `${w.database}.password`;
    await writeFile(file, 'correct horse battery\nbattery\n');
    for (const [from, says] of [
      [file, `expected one line in ${file}: `],
      [`${file}.none`, `--password-file: ${file}.none cannot be read: ENOENT`],
    ] as const) {
      const { code, stderr } = await w.run(['create', 'finn', '--password-file', from]);
      assert.equal(code, 2);
      assert.ok(stderr.includes(says), stderr);
      assert.doesNotMatch(stderr, /horse|battery/);
    }
  });

  it('exits 1 with a reason on failure, names every broken rule, and never prints a password', async () => {
    await using w = await deps();
    await w.create();
    const before = await w.store.accounts.list({ limit: 10 });
    for (const [args, stdin, ...reasons] of [
      [['create', 'emma', '--password-stdin'], password, /already an account with the username emma/],
      [
        ['create', 'x ', '--password-stdin', '--group', ''],
        'short',
        / {2}username: /,
        / {2}groups: /,
        / {2}password: /,
      ],
      [['set-password', 'emma', '--password-stdin'], 'short', / {2}password: is shorter than 15/],
      [['set-password', 'nobody', '--password-stdin'], password, /"watchword user list"/],
      [['disable', 'Emma'], '', /no account with the username Emma/],
      [['set-groups', 'emma', ''], '', / {2}groups: /],
    ] as const) {
      const { code, stdout, stderr } = await w.run(args, stdin);
      assert.equal(code, 1, stderr);
      for (const reason of reasons) assert.match(stderr, reason);
      assert.doesNotMatch(stderr, /correct horse battery|\bshort\b|\n\s+at /);
      assert.equal(stdout, '');
    }
    assert.deepEqual(await w.store.accounts.list({ limit: 10 }), before);
  });

  it('exits 2 on wrong usage, also for a password as an argument', async () => {
    await using w = await deps();
    await w.create();
    for (const args of [
      ['create', 'finn'],
      ['create', 'finn', '--password', password],
      ['create', 'finn', password, '--password-stdin'],
      ['create', 'finn', '--password-stdin', '--password-file', 'x'],
      ['set-password', 'emma'],
      ['set-admin', 'emma', 'yes'],
      ['list', '--limit', '0'],
    ]) {
      const { code, stdout, stderr } = await w.run(args);
      assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
      assert.notEqual(stderr, '');
      assert.equal(stdout, '');
    }
    assert.equal(await w.store.accounts.find('finn'), undefined);
  });

  it('has help that says what ends, and how a password is given', async () => {
    for (const command of ['create', 'set-password']) {
      const { code, stdout } = await watchword(['user', command, '--help']);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^Usage: watchword user ${command} `, 'm'));
      assert.match(stdout, command === 'create' ? /--password-stdin/ : /sessions of the account end/);
    }
  });

  // sign-up.test.ts holds it for many forms at the same time.
  slowTest('with one username many times at once creates one account', async () => {
    await using w = await deps();
    const create = ['create', 'emma', '--password-stdin'];
    const results = await Promise.all([1, 2].map(() => w.run(create, password)));
    assert.deepEqual(results.map(({ code }) => code).toSorted(), [0, 1]);
  });

  // hidden-input.test.ts of the command line holds it.
  slowTest('asks at a terminal without showing the typed password', async (t) => {
    // util-linux's script(1) gives the command a terminal of its own.
    const hasScript = await promisify(execFile)('script', ['--version']).then(
      () => process.platform === 'linux',
      () => false,
    );
    if (!hasScript) return t.skip('there is no script(1) of util-linux');
    await using w = await deps();
    const args = ['user', 'create', 'emma', '--database', w.database];
    const line = await withDatabases({ args, env: {} });
    const command = [process.execPath, bin, ...line.args].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qec', command, '/dev/null'], { env: cleanEnvironment(line.env) });
    let screen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const questions = () => screen.split(/(?:Password|Once more): /).length;
      const asked = questions();
      screen += chunk.toString();
      if (questions() > asked) child.stdin.write(`${password}\r`);
    });
    await once(child, 'close');
    assert.equal(child.exitCode, 0, screen);
    assert.match(screen, /^Password: \r?\nOnce more: \r?\n/m);
    assert.ok(!screen.includes(password), screen);
    assert.equal(await w.logIn('emma', password), 'is emma');
  });
});
