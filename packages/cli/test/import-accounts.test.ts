import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { accountUsers, isLoggedIn } from '@watchword/server-testkit/account-server';
import { AuthenticatorApp } from '@watchword/server-testkit/authenticator-app';
import { stoppedClock } from '@watchword/server-testkit/clock';
import { databaseFor } from '@watchword/server-testkit/engine';
import { usePasskey } from '@watchword/server-testkit/passkeys';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/process';
import { copyDemo, startServer } from '@watchword/server-testkit/server';
import { openStore } from '@watchword/store-sql';
import { buildPasskey, FakeClock } from '@watchword/testkit';
import { Authenticator } from '@watchword/testkit/authenticator';
import { freePort } from '@watchword/testkit/free-port';
import { UserAgent } from '@watchword/testkit/user-agent';
import { Ajv2020 } from 'ajv/dist/2020.js';

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
      'standard input, line 1: emma: exists with another email, groups; it stays as it is',
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
      { username: 'c', factors: [{ ...passkey, publicKey: 'AAAA', counter: -1, seed: 'x' }] },
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
      /line 1: a: factors: must be a list$/m,
      /line 2: b: factors\[0\]: must be an object; factors\[1\]\.kind: must be "totp" or "passkey"; factors\[2\]\.secret: must be Base32 of 10 to 64 octets$/m,
      /line 3: c: factors\[0\]: has the unknown member "seed"; factors\[0\]\.publicKey: expected .*; factors\[0\]\.counter: must be/m,
      /line 4: d: factors\[0\]\.name: must be .*; factors\[1\]\.credentialId: must be 1 to 1023 octets in base64url; .*backupEligible: must be true or false/m,
      /line 5: e: factors: must have at most 10 of the kind totp$/m,
      /line 6: f: factors: another user has a passkey with the same credentialId$/m,
      /line 8: h: factors: a passkey is in the import twice$/m,
      /^Accounts: 1 would be created/m,
    ]) {
      assert.match(stdout, expected);
    }
    const stored = await demo.import(linesOf({ username: 'g' }, { username: 'f', factors: [passkey] }));
    assert.match(
      stored.stdout,
      /line 2: f: factors: .*\nAccounts: 0 created, .* 1 refused\.\nNo line is stored/,
    );
  });

  it('stores a part of a thousand lines or none of it, and goes on where it was interrupted', async () => {
    await using demo = await demoDatabase();
    const file = demo.directory.file('people.jsonl');
    const wrong = linesOf(...numbered(1003), { username: 'emma', emial: 'x' }, ...numbered(3, 1003));
    await writeFile(file, wrong);
    const run = (...args: string[]) =>
      watchword(['import', '--accounts', file, '--database', demo.database, ...args]);
    const first = await run();
    assert.equal(first.code, 1);
    assert.deepEqual(first.stdout.split('\n'), [
      `${file}, line 1004: emma: emial: is not a field of this record; did you mean email?`,
      'Accounts: 1000 created, 0 unchanged, 0 different, 1 refused.',
      'The lines up to 1000 are stored, and no other. Correct the file, and run the command again: an account that exists stays as it is.',
      '',
    ]);
    assert.equal(await demo.inStore(({ accounts }) => accounts.count()), 1000);
    await writeFile(file, wrong.replace('emial', 'nickname'));
    const { code, stdout } = await run('--json');
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
      /^standard input, line 2: expected a JSON object$/m,
      /line 4: finn: exists with another nickname; it stays as it is$/m,
      /line 5: emma: is in the import twice$/m,
      /line 6: {2}x: username: .*; email: expected an e-mail address/m,
      /line 7: expected a JSON object$/m,
      /line 8: expected a JSON object$/m,
      /line 9: gina: adminPrincipal: .*; passwordHash: expected an argon2, .* got SHA-512-crypt hash/m,
      /line 10: username: is required/m,
      /^Accounts: 1 would be created, 0 unchanged, 1 different, 7 refused\.\nDry run: nothing was changed\.$/m,
    ]) {
      assert.match(stdout, expected);
    }
    assert.equal(await demo.inStore(({ accounts }) => accounts.count()), 1);
  });

  it('reads files of other products: byte order mark, carriage returns, no end of the last line', async () => {
    await using demo = await demoDatabase();
    const text = `\ufeff${JSON.stringify(emma)}\r\n\r\n${JSON.stringify({ username: 'finn' })}`;
    assert.match((await demo.import(text)).stdout, /^Accounts: 2 created/);
  });

  it('refuses a list, and a line that is too long, with the line', async () => {
    await using demo = await demoDatabase();
    const list = await demo.import('[\n{"username": "emma"}\n]\n');
    assert.equal(list.code, 2);
    assert.match(
      list.stderr,
      /standard input, line 1: expected an account on each line, got a list; "jq -c '\.\[\]'"/,
    );
    const long = await demo.import(`${linesOf(emma)}${'x'.repeat(2 * 1024 * 1024)}`);
    assert.equal(long.code, 2);
    assert.match(long.stderr, /standard input, line 2: expected a line of at most 1 MiB/);
    const missing = await watchword([
      'import',
      '--accounts',
      demo.directory.file('none'),
      '--database',
      demo.database,
    ]);
    assert.match(missing.stderr, /none: cannot be read/);
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
