import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { AuthenticatorApp } from '@watchword/server-testkit/people/authenticator-app';
import { usePasskey } from '@watchword/server-testkit/people/passkeys';
import {
  bin,
  cleanEnvironment,
  temporaryDirectory,
  until,
  watchword,
} from '@watchword/server-testkit/processes/process';
import { accountUsers, isLoggedIn } from '@watchword/server-testkit/servers/account-server';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { databaseFor } from '@watchword/server-testkit/servers/engine';
import { copyDemo, startServer } from '@watchword/server-testkit/servers/server';
import { openStore } from '@watchword/store-sql';
import { buildPasskey, FakeClock, rounds, slowTest } from '@watchword/testkit';
import { Authenticator } from '@watchword/testkit/authenticator';
import { freePort } from '@watchword/testkit/free-port';
import { UserAgent } from '@watchword/testkit/user-agent';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { progressBar } from '../../src/import/import-progress.ts';

// bcrypt of "correct horse é", made by the library of Python.
const passwordHash = '$2b$04$PqFdEbBRaACnkQtzfv3F3.ROpucXkFx2e9R4f6V11eG9V74gll0.q';
const emma = {
  username: 'emma',
  displayName: 'Emma Example',
  email: 'emma@example.org',
  emailVerified: true,
  givenName: 'Emma',
  familyName: 'Example',
  locale: 'nl',
  address: { locality: 'Utrecht', country: 'NL' },
  groups: ['staff', 'teachers'],
  roles: ['editor'],
  passwordHash,
};

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ username: `person-${from + index}`, passwordHash }));

function linesOf(...accounts: readonly unknown[]): string {
  return accounts.map((account) => `${JSON.stringify(account)}\n`).join('');
}

/** A passkey of another product at the same origin, which has chosen the user handle. */
async function passkeyLine(authenticator: Authenticator, origin: string) {
  const owned = { subject: '', owner: { identityProvider: '', name: 'emma' }, userHandle: 'b2xk' };
  const relyingParty = { id: new URL(origin).hostname, origin };
  const { handle = '', counter, data } = await buildPasskey(authenticator, relyingParty, owned);
  const { publicKey, isBackupEligible: backupEligible, userHandle } = JSON.parse(data);
  return { kind: 'passkey', name: '', credentialId: handle, counter, publicKey, backupEligible, userHandle };
}

/** A database with the demo records, and the command on it. */
async function demoDatabase() {
  const directory = await temporaryDirectory();
  const database = directory.file('demo.db');
  await copyDemo(database);
  return {
    database,
    directory,
    /** Imports a text from standard input. */
    import: (stdin: string, ...args: string[]) =>
      watchword(['import', '--accounts', '-', '--database', database, ...args], { stdin }),
    importFile: (file: string, ...args: string[]) =>
      watchword(['import', '--accounts', file, '--database', database, ...args]),
    async inStore<Value>(work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<Value>) {
      const store = await openStore({ database: await databaseFor(database), clock: new FakeClock() });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

describe('watchword import --accounts', () => {
  it('creates accounts with claims, groups, roles and the password that they had', async () => {
    await using demo = await demoDatabase();
    const { code, stdout, stderr } = await demo.import(linesOf(emma, { username: 'finn', disabled: true }));
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(stdout, 'Accounts: 2 created, 0 unchanged, 0 different.\n');
    await using server = await startServer({ database: demo.database, authenticator: 'password' });
    const { accounts } = server.service.store;
    const {
      passwordHash: stored,
      id,
      creationDate,
      revision,
      enabledRevision,
      ...fields
    } = (await accounts.find('emma')) ?? assert.fail('expected the account');
    const { passwordHash: _, ...wanted } = emma;
    assert.deepEqual({ ...fields, ...wanted }, { ...fields });
    assert.deepEqual([stored, revision, fields.adminPrincipal], [passwordHash, 1, false]);
    const finn = await accounts.find('finn');
    assert.deepEqual([finn?.disabled, finn?.passwordHash, finn?.displayName], [true, undefined, 'finn']);
    const { browserOf, grantTo } = await accountUsers(server);
    const agent = await browserOf('emma', 'correct horse é');
    assert.ok((await grantTo('emma', agent)).access_token);
    assert.match((await accounts.find('emma'))?.passwordHash ?? '', /^\$argon2id\$/);
  });

  it('writes an audit event for each account, without its hash', async () => {
    await using demo = await demoDatabase();
    await demo.import(linesOf(emma, ...numbered(2)));
    const events = await demo.inStore(({ auditEvents }) => auditEvents.list({ limit: 100 }));
    const created = events.filter(
      ({ recordType, action }) => recordType === 'account' && action === 'create',
    );
    assert.deepEqual(created.map(({ recordId }) => recordId).toSorted(), ['emma', 'person-0', 'person-1']);
    assert.ok(!JSON.stringify(created).includes('$2b$'));
  });

  it('leaves an account that exists as it is, and names the fields that the line has otherwise', async () => {
    await using demo = await demoDatabase();
    await demo.import(linesOf(emma));
    const again = { ...emma, email: 'another@example.org', groups: [], passwordHash: undefined };
    const { code, stdout } = await demo.import(linesOf(again, { ...emma, username: 'gina' }, ...numbered(1)));
    assert.equal(code, 0);
    assert.deepEqual(stdout.split('\n'), [
      'standard input, line 1, column 49: emma: exists with another email, groups; it stays as it is',
      'Accounts: 2 created, 0 unchanged, 1 different.',
      '',
    ]);
    const same = await demo.import(linesOf(emma));
    assert.match(same.stdout, /^Accounts: 0 created, 1 unchanged, 0 different\.$/m);
    const stored = await demo.inStore(({ accounts }) => accounts.find('emma'));
    assert.deepEqual([stored?.email, stored?.revision], ['emma@example.org', 1]);
  });

  it('creates accounts with passkeys and apps for codes, whose secrets are sealed at once', async () => {
    using clock = stoppedClock();
    await using demo = await demoDatabase();
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const authenticator = new Authenticator();
    const passkey = await passkeyLine(authenticator, origin);
    const secret = 'JBSW Y3DP EHPK 3PXP';
    const app = { kind: 'totp', name: 'Phone', secret };
    const line = linesOf({ username: 'emma', passwordHash, factors: [app, passkey] });
    assert.match((await demo.import(line, '--dry-run')).stdout, /^Accounts: 1 would be created/);
    const { code, stdout, stderr } = await demo.import(line);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Accounts: 1 created/);
    assert.match((await demo.import(line)).stdout, /^Accounts: 0 created, 1 unchanged, 0 different/);
    await using server = await startServer({
      ...{ database: demo.database, authenticator: 'password', port: `${port}`, baseUrl: origin },
    });
    const { auditEvents, credentials } = server.service.store;
    const owner = { identityProvider: 'password', name: 'emma' };
    const own = await credentials.listByOwner(owner);
    assert.deepEqual(own.map(({ kind }) => kind).toSorted(), ['passkey', 'totp']);
    assert.doesNotMatch(JSON.stringify(own), /JBSW/);
    const events = await auditEvents.list({ owner, kind: 'changes', limit: 9 });
    assert.deepEqual(
      events.map(({ action, after }) => [action, after?.kind]),
      [
        ['addFactor', 'passkey'],
        ['addFactor', 'totp'],
        ['create', undefined],
      ],
    );
    const byCode = new UserAgent();
    const login = await byCode.get(`${origin}/account`);
    const asked = await byCode.submit(login, { username: 'emma', password: 'correct horse é' });
    const shown = new AuthenticatorApp(
      `otpauth://totp/x?secret=${secret.replaceAll(' ', '')}&period=30&digits=6`,
    );
    const step = await byCode.submit(asked, { choice: 'totp' });
    await byCode.submit(step, { choice: 'totp', code: shown.code() });
    assert.ok(await isLoggedIn(byCode, server));
    clock.advance(30);
    const byPasskey = new UserAgent();
    await usePasskey(byPasskey, await byPasskey.get(`${origin}/account`), authenticator, server);
    assert.ok(await isLoggedIn(byPasskey, server));
  });

  it('refuses wrong factors with their places, and a passkey that somebody has', async () => {
    await using demo = await demoDatabase();
    const passkey = await passkeyLine(new Authenticator(), 'http://localhost');
    const { credentialId } = passkey;
    await demo.import(linesOf({ username: 'finn', factors: [passkey] }));
    const lines = linesOf(
      { username: 'a', factors: 7 },
      { username: 'b', factors: ['x', { kind: 'sms' }, { kind: 'totp', secret: 'GEZD1' }] },
      {
        username: 'c',
        factors: [{ ...passkey, publicKey: 'AAAA', counter: -1, backupEligible: 1, seed: 'x' }],
      },
      { username: 'd', factors: [{ kind: 'passkey', name: 'x'.repeat(51) }, { kind: 'passkey' }] },
      { username: 'e', factors: Array(11).fill({ kind: 'totp', secret: 'JBSWY3DPEHPK3PXP' }) },
      { username: 'f', factors: [passkey] },
      ...['g', 'h'].map((username) => ({
        username,
        factors: [{ ...passkey, credentialId: 'bmV3', backedUp: true, backupEligible: true }],
      })),
    );
    const { code, stdout } = await demo.import(lines, '--dry-run');
    assert.equal(code, 1);
    for (const secret of ['GEZD1', 'JBSW', credentialId]) assert.ok(!stdout.includes(secret), secret);
    for (const expected of [
      /line 1, column 17: a: factors: must be a list$/m,
      /line 2, column 17: b: factors\[0\]: must be an object; factors\[1\]\.kind: must be "totp" or "passkey"; factors\[2\]\.secret: must be Base32 of 10 to 64 octets$/m,
      /line 3, column 17: c: factors\[0\]: has the unknown member "seed"; factors\[0\]\.publicKey: expected .*; factors\[0\]\.counter: must be .*backupEligible: must be true or false/m,
      /line 4, column 17: d: factors\[0\]\.name: must be .*; factors\[1\]\.credentialId: must be 1 to 1023 octets in base64url; .*publicKey: must be/m,
      /line 5, column 17: e: factors: must have at most 10 of the kind totp$/m,
      /line 6, column 17: f: factors: another user has a passkey with the same credentialId$/m,
      /line 8, column 17: h: factors: a passkey is in the import twice$/m,
      /^Accounts: 1 would be created/m,
    ]) {
      assert.match(stdout, expected);
    }
    const stored = await demo.import(linesOf({ username: 'g' }, { username: 'f', factors: [passkey] }));
    assert.match(
      stored.stdout,
      /line 2, column 17: f: factors: .*\nAccounts: 0 created, .* 1 refused\.\nNo line is stored/,
    );
  });

  it('stores a part of a thousand lines or none of it, and goes on where it was interrupted', async () => {
    await using demo = await demoDatabase();
    const file = demo.directory.file('people.jsonl');
    await writeFile(file, `${linesOf(...numbered(1003))}{"username": "emma", "email": "em`);
    const first = await demo.importFile(file);
    assert.equal(first.code, 1);
    assert.match(first.stdout, /, line 1004, column 31: .* the line ends within it: the file is cut off/);
    assert.match(first.stdout, /The lines up to 1000 are stored, and no other/);
    assert.equal(await demo.inStore(({ accounts }) => accounts.count()), 1000);
    await writeFile(file, linesOf(...numbered(1003), { username: 'emma' }, ...numbered(3, 1003)));
    const { code, stdout } = await demo.importFile(file, '--json');
    assert.equal(code, 0);
    const counts = { created: 7, unchanged: 1000, different: 0, refused: 0 };
    assert.deepEqual(JSON.parse(stdout), { dryRun: false, ...counts, lines: [], done: 1007 });
  });

  it('stores nothing in a dry run, and names every line that would be refused', async () => {
    await using demo = await demoDatabase();
    await demo.import(linesOf({ username: 'finn' }));
    const lines = [
      linesOf(emma),
      'no JSON\n\n',
      linesOf({ username: 'finn', nickname: 'F' }, emma, { username: ' x', email: 'y' }, ['emma'], 7),
      linesOf({ username: 'gina', passwordHash: '$6$salt$secret', adminPrincipal: 'yes' }),
      linesOf({ passwordHash }),
    ];
    const { code, stdout } = await demo.import(lines.join(''), '--dry-run');
    assert.equal(code, 1);
    assert.doesNotMatch(stdout, /secret|\$2b/);
    for (const expected of [
      /^standard input, line 2, column 1: expected a JSON object$/m,
      /line 4, column 20: finn: exists with another nickname; it stays as it is$/m,
      /line 5: emma: is in the import twice$/m,
      /line 6, column 2: {2}x: username: .*; email: expected an e-mail address/m,
      /line 7: expected a JSON object$/m,
      /line 8: expected a JSON object$/m,
      /line 9, column 52: gina: adminPrincipal: .*; passwordHash: expected an argon2, .* got SHA-512-crypt hash/m,
      /line 10: username: is required/m,
      /^Accounts: 1 would be created, 0 unchanged, 1 different, 7 refused\.\nDry run: nothing was changed\.$/m,
    ]) {
      assert.match(stdout, expected);
    }
    assert.equal(await demo.inStore(({ accounts }) => accounts.count()), 1);
  });

  slowTest(
    'reads files of other products: byte order mark, carriage returns, no end of the last line',
    async () => {
      await using demo = await demoDatabase();
      const text = `\ufeff${JSON.stringify(emma)}\r\n\r\n${JSON.stringify({ username: 'finn' })}`;
      assert.match((await demo.import(text)).stdout, /^Accounts: 2 created/);
    },
  );

  it('stops where a line cannot be read at all, and says what mends it', async () => {
    await using demo = await demoDatabase();
    const latin1 = Buffer.from('{"username": "zo\u00eb"}\n', 'latin1');
    const utf16 = Buffer.from('\ufeff{"username": "emma"}\n', 'utf16le');
    for (const [bytes, told] of [
      ['[\n{"username": "emma"}\n]\n', /expected an account on each line, got a list; "jq -c '\.\[\]'"/],
      [utf16, /expected UTF-8, got UTF-16; convert the file: iconv -f UTF-16 -t UTF-8/],
      [utf16.subarray(2), /expected UTF-8, got UTF-16/],
      [latin1, /expected UTF-8, got bytes of another encoding, such as Latin-1; .* iconv -f ISO-8859-1/],
      ['x'.repeat(1024 * 1024 + 1), /expected a line of at most 1 MiB/],
      [
        linesOf({ username: 'emma', emial: 'x' }),
        /column 20: emma: emial: is not a field of this record; did you mean email\?/,
      ],
    ] as const) {
      const file = demo.directory.file('people.jsonl');
      await writeFile(file, bytes);
      const { code, stdout, stderr } = await demo.importFile(file);
      assert.deepEqual([code, stderr], [1, ''], stdout);
      assert.ok(stdout.startsWith(`${file}, line 1`), stdout);
      assert.match(stdout, told);
      assert.match(stdout, /No line is stored/);
    }
    assert.equal(await demo.inStore(({ accounts }) => accounts.count()), 0);
    const missing = await demo.importFile(demo.directory.file('none'));
    assert.match(missing.stderr, /none: cannot be read/);
  });

  slowTest(
    'makes no account twice and loses none, wherever it is killed and however often it is repeated',
    async () => {
      const kills = rounds(2, 20);
      const count = (kills + 1) * 2000;
      await using demo = await demoDatabase();
      const file = demo.directory.file('people.jsonl');
      await writeFile(file, linesOf(...numbered(count)));
      const args = ['import', '--accounts', file, '--database', await databaseFor(demo.database)];
      await demo.inStore(async ({ accounts, auditEvents }) => {
        for (let kill = 0; kill < kills; kill += 1) {
          const before = await accounts.count();
          const child = spawn(process.execPath, [bin, ...args], {
            env: cleanEnvironment(),
            stdio: ['ignore', 'ignore', 'pipe'],
          });
          const ended = once(child, 'close');
          const errors = text(child.stderr);
          await until(async () => child.exitCode !== null || (await accounts.count()) > before);
          child.kill('SIGKILL');
          await ended;
          // It can have been faster than the signal.
          assert.ok(child.exitCode === null || child.exitCode === 0, await errors);
          assert.equal((await accounts.count()) % 1000, 0, 'expected whole parts');
        }
        const stored = await accounts.count();
        assert.ok(stored >= kills * 1000, `${stored} accounts`);
        const { code, stdout } = await demo.importFile(file);
        const numbers = `${count - stored} created, ${stored} unchanged, 0 different`;
        assert.deepEqual([code, stdout], [0, `Accounts: ${numbers}.\n`]);
        assert.equal(await accounts.count(), count);
        const events = await auditEvents.list({ kind: 'changes', limit: count + 100 });
        const created = events.filter(
          ({ recordType, action }) => `${recordType} ${action}` === 'account create',
        );
        assert.equal(created.length, count);
        assert.equal(new Set(created.map(({ recordName }) => recordName)).size, count);
      });
    },
  );

  it('makes accounts over the network with a right, all or none of a thousand, and without hashes', async () => {
    await using demo = await demoDatabase();
    await using server = await startServer({ database: demo.database, authenticator: 'password' });
    const robot = await registerClient(
      server,
      { clientName: 'Robot', scopes: ['read', 'write'], allowedClientCredentials: true },
      'authorization-server-admin',
    );
    const [clientId = '', secret = ''] = robot.credentials.split(':');
    const env = { WATCHWORD_ADMIN_CLIENT_ID: clientId, WATCHWORD_ADMIN_CLIENT_SECRET: secret };
    const far = (stdin: string, ...args: string[]) =>
      watchword(['import', '--accounts', '-', '--url', server.service.baseUrl, ...args], { stdin, env });
    const people = numbered(1003).map(({ username }, index) => ({
      ...{ username, groups: ['staff', `team-${index % 7}`], disabled: index === 4 },
    }));
    const refused = await far(linesOf(...people));
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /lacks the right accounts:write/);
    await demo.inStore((store) =>
      store.transact(({ rights }) =>
        rights.give({
          ...{ clientRecordId: robot.client.id, right: 'accounts:write', creationDate: 1 },
          giver: { identityProvider: 'cli', name: 'ann' },
        }),
      ),
    );
    const wrong = [
      { ...emma, username: 'zoe' },
      { username: 'zac', adminPrincipal: true, factors: [{}] },
    ];
    const { code, stdout } = await far(`${linesOf(...people, ...wrong)}no JSON\n`);
    assert.equal(code, 1, stdout);
    for (const expected of [
      /line 1004, column 249: zoe: passwordHash: comes with the local command alone, not over the network: leave it out/,
      /line 1005, column \d+: zac: factors: comes with the local command alone.*; adminPrincipal: a client that acts for itself cannot make an administrator/,
      /line 1006, column 1: expected a JSON object$/m,
      /^Accounts: 1000 created, 0 unchanged, 0 different, 3 refused\.\nThe lines up to 1000 are stored/m,
    ]) {
      assert.match(stdout, expected);
    }
    const again = await far(linesOf(...people.slice(990)));
    assert.deepEqual([again.code, again.stdout], [0, 'Accounts: 3 created, 10 unchanged, 0 different.\n']);
    const stored = await server.service.store.accounts.find('person-4');
    assert.deepEqual(
      [stored?.disabled, stored?.groups, stored?.passwordHash],
      [true, ['staff', 'team-4'], undefined],
    );
    const records = await watchword(['import', '-', '--url', server.service.baseUrl], { stdin: '{}', env });
    assert.match(records.stderr, /expected --accounts too/);
  });

  it('shows a bar at a terminal, the line alone where nobody knows how many come, and lines elsewhere', () => {
    const shownOn = (isTTY: boolean, of: number | undefined) => {
      const written: string[] = [];
      const write = (part: string) => written.push(part) > 0;
      const show = progressBar({ stderr: { isTTY, write } }, of);
      for (const line of [1000, 5000, 10_000, 11_000]) show({ line, bytes: line });
      show();
      return written.join('');
    };
    const erase = '\r\u001b[K';
    const bars = shownOn(true, 20_000).split(erase);
    assert.deepEqual(bars[1], `[#${'-'.repeat(29)}] 5 %, line 1000`);
    assert.deepEqual(bars[3], `[${'#'.repeat(15)}${'-'.repeat(15)}] 50 %, line 10000`);
    assert.equal(bars.at(-1), '', 'expected that nothing of the bar is left');
    assert.deepEqual(shownOn(true, undefined).split(erase).slice(1, 3), ['line 1000', 'line 5000']);
    assert.equal(shownOn(false, 20_000), '50 %, line 10000\n');
    assert.equal(shownOn(false, undefined), 'line 10000\n');
  });

  it('shows no more than a hundred lines, and counts the others', async () => {
    await using demo = await demoDatabase();
    const { stdout } = await demo.import(linesOf(...numbered(150).map(() => ({ username: '' }))));
    assert.match(stdout, /^and 50 more lines$/m);
    assert.equal(stdout.match(/, line /g)?.length, 100);
  });

  it('prints a JSON Schema that accepts a line and rejects wrong values', async () => {
    const { stdout } = await watchword(['import', '--accounts', '--schema']);
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(stdout));
    assert.ok(validate(emma), JSON.stringify(validate.errors));
    assert.ok(validate({ ...emma, passwordHash: { secretData: '', credentialData: '' } }));
    for (const wrong of [{}, { username: 1 }, { ...emma, passwordHash: 1 }, { ...emma, groups: 'staff' }]) {
      assert.ok(!validate(wrong), JSON.stringify(wrong));
    }
  });
});
