import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { accountUsers } from '@watchword/server-testkit/account-server';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/process';
import { startServer } from '@watchword/server-testkit/server';
import { sql } from '@watchword/server-testkit/sql';

// Written by "kc.sh export" of Keycloak 26.0.7, without its login flows and keys.
const realmFile = new URL('support/keycloak-realm.json', import.meta.url);
const realmText = await readFile(realmFile, 'utf8');

interface Realm {
  [member: string]: unknown;
  clients: Record<string, unknown>[];
  users: Record<string, unknown>[];
}

/** The realm, changed. */
function changed(change: (realm: Realm) => void): string {
  const realm = JSON.parse(realmText);
  change(realm);
  return JSON.stringify(realm);
}

interface ReportedRecord {
  kind: string;
  oldId: string;
  name?: string;
  outcome: string;
  details: string[];
  leftOut: string[];
  mustDo: string[];
}

/** An empty database, and the import into it. */
async function emptyDatabase(product: string) {
  const directory = await temporaryDirectory();
  const database = directory.file('moved.db');
  const run = (...args: string[]) => watchword([...args, '--database', database]);
  await run('migrate');
  const moveIn = (stdin: string | Uint8Array, ...args: string[]) =>
    watchword(['import', '--from', product, '-', '--database', database, ...args], { stdin });
  return {
    directory,
    database,
    run,
    moveIn,
    /** The report of an import, its records by their names. */
    async report(stdin: string, ...args: string[]) {
      const { stdout, code } = await moveIn(stdin, '--json', ...args);
      const report = JSON.parse(stdout);
      const of = (name: string): ReportedRecord =>
        report.records.find((each: ReportedRecord) => (each.name ?? each.oldId) === name) ??
        assert.fail(`the report has no ${name}`);
      return { code, report, of };
    },
    json: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

describe('watchword import --from keycloak', () => {
  let moved: Awaited<ReturnType<typeof emptyDatabase>>;
  let server: Awaited<ReturnType<typeof startServer>>;
  let users: Awaited<ReturnType<typeof accountUsers>>;
  let mapping: { accounts: { oldId: string; username: string; sub: string }[] };

  before(async () => {
    moved = await emptyDatabase('keycloak');
    const files = ['report', 'mapping'].flatMap((name) => [
      `--${name}`,
      moved.directory.file(`${name}.json`),
    ]);
    const { code, stderr } = await moved.moveIn(realmText, ...files);
    assert.deepEqual([code, stderr], [0, '']);
    mapping = JSON.parse(await readFile(moved.directory.file('mapping.json'), 'utf8'));
    server = await startServer({ database: moved.database, authenticator: 'password' });
    users = await accountUsers(server);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await moved?.[Symbol.asyncDispose]();
  });

  it('lets users log in with the password that they had, by each hash of Keycloak', async () => {
    for (const [user, password] of [
      ['emma', 'emma-likes-argon2'],
      ['noah', 'noah-likes-sha-512'],
      ['olga', 'olga-likes-sha-256'],
    ] as const) {
      assert.ok(await users.browserOf(user, password), `expected ${user} to log in`);
    }
  });

  it('keeps groups, roles with those of groups and composite roles, and claims', async () => {
    const { accounts } = server.service.store;
    const { groups, roles, displayName, emailVerified } = (await accounts.find('emma')) ?? assert.fail();
    assert.deepEqual(
      [groups, roles.toSorted(), displayName, emailVerified],
      [['/staff/leads'], ['chief', 'editor', 'shop-web:manage-stock', 'viewer'], 'Emma Example', true],
    );
    const noah = await accounts.find('noah');
    assert.deepEqual(
      [noah?.roles, noah?.locale, noah?.phoneNumber, noah?.adminPrincipal],
      [['viewer'], 'de', '+49 30 123456', false],
    );
    assert.equal((await accounts.find('paul'))?.disabled, true);
  });

  it('keeps apps for one-time codes', async () => {
    const { credentials } = server.service.store;
    const account = (await server.service.store.accounts.find('rosa')) ?? assert.fail();
    const sub = mapping.accounts.find(({ username }) => username === account.username)?.sub ?? '';
    assert.deepEqual(
      (await credentials.listBySubject(sub)).map(({ kind, name }) => [kind, name]),
      [['totp', 'Phone']],
    );
  });

  it('keeps clients with their secrets, and gives them JWTs of the lifetime that they had', async () => {
    const { json } = await server.post(
      '/oauth2/token',
      { grant_type: 'client_credentials', scope: 'orders:write' },
      'night-job:night-job-secret-0123456789',
    );
    assert.deepEqual([json.scope, json.expires_in], ['orders:write', 600]);
    assert.match(json.access_token, /^eyJ/);
    const web = (await server.service.store.clients.find('shop-web')) ?? assert.fail();
    assert.deepEqual(
      [web.redirectUris, web.postLogoutRedirectUris, web.backchannelLogoutUri, web.skipConsent],
      [
        ['https://shop.example.com/callback'],
        ['https://shop.example.com/bye', 'https://shop.example.com/gone'],
        'https://shop.example.com/backchannel',
        true,
      ],
    );
    const spa = (await server.service.store.clients.find('shop-spa')) ?? assert.fail();
    assert.deepEqual(
      [spa.confidential, spa.redirectUris, spa.expireDuration, spa.useRefreshTokens, spa.skipConsent],
      [false, ['https://spa.example.com/callback', 'http://localhost:5173/callback'], 120, false, false],
    );
  });

  it('maps each old id of a user to the sub that applications get, in a file for its owner alone', async () => {
    const [logIn] = await sql(
      moved.database,
      "select subject from login_session where principal_name = 'emma'",
    );
    const old = JSON.parse(realmText).users.find((user: { username: string }) => user.username === 'emma').id;
    assert.equal(mapping.accounts.find(({ oldId }) => oldId === old)?.sub, logIn?.subject);
    const modes = ['report', 'mapping'].map((name) => stat(moved.directory.file(`${name}.json`)));
    assert.deepEqual(
      (await Promise.all(modes)).map(({ mode }) => mode & 0o777),
      [0o600, 0o600],
    );
  });

  it('says of each record what was left out, why, and what to do', async () => {
    const text = await readFile(moved.directory.file('report.json'), 'utf8');
    const { records, mustDo } = JSON.parse(text);
    const of = (id: string) => records.find(({ oldId }: ReportedRecord) => oldId === id);
    assert.deepEqual(of('old-app').leftOut, ['it is disabled at the old server']);
    assert.match(of('https://wiki.example.com/saml').leftOut[0], /by SAML$/);
    assert.match(of('signed-job').mustDo[0], /watchword client rotate-secret signed-job/);
    assert.match(of('shop-web').leftOut.join('\n'), /has a wildcard.*\nthe password grant$/);
    assert.match(of('tv').leftOut[0], /device grant/);
    assert.match(mustDo.join('\n'), /sub here.*\n.*username.*\nSet up the identity providers corp/);
    const secrets = [/\$argon2/, /night-job-secret/, /secretData/, /a1B2c3D4e5/].filter((secret) =>
      secret.test(text),
    );
    assert.deepEqual(secrets, [], 'expected no secret in the report');
  });

  it('changes nothing when it is repeated', async () => {
    const { code, report } = await moved.report(realmText);
    const outcomes = new Set(report.records.map(({ outcome }: ReportedRecord) => outcome));
    assert.deepEqual([code, [...outcomes].toSorted()], [0, ['leftOut', 'unchanged']]);
  });
});

describe('watchword import --from', () => {
  it('stores nothing in a dry run', async () => {
    await using empty = await emptyDatabase('keycloak');
    const { report } = await empty.report(realmText, '--dry-run');
    assert.deepEqual([report.dryRun, report.isStored], [true, false]);
    assert.deepEqual(
      (await empty.json('client', 'list')).map(({ clientId }: { clientId: string }) => clientId),
      [],
    );
  });

  it('imports nothing where a record is refused, or the rest if it is told to', async () => {
    await using empty = await emptyDatabase('keycloak');
    const wrong = changed(({ clients, users }) => {
      Object.assign(clients.find(({ clientId }) => clientId === 'night-job') ?? {}, { secret: 'short' });
      Object.assign(users.find(({ username }) => username === 'paul') ?? {}, { username: 'pa\u200bul' });
    });
    const refused = await empty.report(wrong);
    assert.deepEqual(
      [refused.code, refused.of('night-job').outcome, refused.of('emma').outcome],
      [1, 'refused', 'notReached'],
    );
    const rest = await empty.report(wrong, '--skip-refused');
    assert.deepEqual(
      [
        rest.code,
        rest.of('night-job').outcome,
        rest.of('shop-web').outcome,
        rest.of('emma').outcome,
        rest.of('pa\u200bul').outcome,
      ],
      [0, 'refused', 'created', 'created', 'refused'],
    );
    assert.match(rest.of('night-job').details[0] ?? '', /fewer than 16 characters/);
  });

  it('gives a client whose secret the file masks another one, and says so', async () => {
    await using empty = await emptyDatabase('keycloak');
    const masked = changed(({ clients }) => {
      for (const client of clients) if (client.secret !== undefined) client.secret = '**********';
    });
    const { of, code } = await empty.report(masked);
    assert.deepEqual([code, of('night-job').outcome], [0, 'created']);
    assert.match(of('night-job').leftOut[0] ?? '', /its secret, which the file does not have/);
  });

  it('leaves a hash out that no login could check, and says so', async () => {
    await using empty = await emptyDatabase('keycloak');
    const other = changed(({ users }) => {
      const [password] = (users.find(({ username }) => username === 'emma')?.credentials ?? []) as object[];
      Object.assign(password ?? {}, { credentialData: JSON.stringify({ algorithm: 'house-made' }) });
    });
    const { of } = await empty.report(other);
    assert.deepEqual([of('emma').outcome, of('emma').mustDo.length], ['created', 1]);
    assert.match(of('emma').leftOut[0] ?? '', /its password: expected an argon2/);
  });

  it('refuses a file that is cut off, in another encoding, of another kind, or of another product, with the place', async () => {
    await using empty = await emptyDatabase('keycloak');
    for (const [input, expected] of [
      [
        realmText.slice(0, 5000),
        /^watchword: standard input, line \d+, column \d+: the JSON ends in the middle; the file is cut off/,
      ],
      [
        realmText.replace('"clients"', '"clients'),
        /^watchword: standard input, line \d+, column \d+: expected JSON/,
      ],
      [
        Buffer.from(`\uFEFF${realmText}`, 'utf16le'),
        /^watchword: standard input: expected UTF-8, got UTF-16; "iconv/,
      ],
      [
        Buffer.from(realmText.replace('Acme', 'Acm\u00e9'), 'latin1'),
        /expected UTF-8, got another encoding in line \d+;/,
      ],
      [`[${realmText}]`, /expected the export of one realm, got a list of 1; "kc.sh export --realm/],
      ['{"users": []}', /expected the export of a realm, an object with "realm" and "clients"/],
    ] as const) {
      const { code, stderr } = await empty.moveIn(input);
      assert.equal(code, 2);
      assert.match(stderr, expected);
    }
    const other = await watchword(['import', '--from', 'okta', '-', '--database', empty.database], {
      stdin: '{}',
    });
    assert.match(other.stderr, /--from: expected keycloak/);
  });

  it('takes a byte order mark, and the hashes of old releases', async () => {
    await using empty = await emptyDatabase('keycloak');
    const old = changed(({ users }) => {
      const olga = users.find(({ username }) => username === 'olga') ?? {};
      const [{ secretData, credentialData }] = olga.credentials as [Record<string, string>];
      const { value, salt } = JSON.parse(secretData ?? '');
      const { hashIterations, algorithm } = JSON.parse(credentialData ?? '');
      olga.credentials = [{ type: 'password', hashedSaltedValue: value, salt, hashIterations, algorithm }];
    });
    const { of } = await empty.report(`\uFEFF${old}`);
    assert.deepEqual(
      [of('olga').outcome, of('olga').leftOut.filter((each) => /password/.test(each))],
      ['created', []],
    );
  });

  it('writes no report where the file cannot be, and stores nothing', async () => {
    await using empty = await emptyDatabase('keycloak');
    const { code, stderr } = await empty.moveIn(
      realmText,
      '--report',
      empty.directory.file('no/report.json'),
    );
    assert.deepEqual(
      [code, /^watchword: --report: .* cannot be written: ENOENT/.test(stderr)],
      [2, true],
      stderr,
    );
    assert.deepEqual(await empty.json('user', 'list'), []);
  });
});
