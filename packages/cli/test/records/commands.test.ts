import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resourceServerDefaults } from '@watchword/administration';
import { clientDefaults } from '@watchword/protocol';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { copyDemo, startServer } from '@watchword/server-testkit/servers/server';

/** Answers have names of scopes alone. */
const { scopeDescriptions: _, ...namedDefaults } = resourceServerDefaults;

/** Runs a command that must succeed, and returns its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
async function json(database: string, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await watchword([...args, '--json', '--database', database]);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

const createApi = ['resource-server', 'create', '--name', 'My API', '--scope', 'read', '--scope', 'write'];
const createClient = [
  'client',
  'create',
  '--name',
  'My Job',
  '--resource-server',
  'my-api',
  '--scope',
  'read',
];

/** Polling until a new secret is valid must not reach the limit of failures. */
const unlimited = { 'failedAttempts.perIdentifier': '0', 'failedAttempts.perAddress': '0' } as const;

describe('the command line', () => {
  it('registers, lists, rotates and deletes, in JSON with the names of the contract', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await copyMigrated(database);

    const api = await json(database, ...createApi, '--contact-name', 'Ann', '--owner', 'ann');
    const { secret, id, ...described } = api;
    assert.match(secret, /^wws_/);
    assert.deepEqual(described, {
      ...namedDefaults,
      name: 'My API',
      key: 'my-api',
      description: '',
      scopes: ['read', 'write'],
      contactName: 'Ann',
      contactEmail: '',
      thumbNailUrl: '',
      owner: 'ann',
      ownerAuthority: '',
      managedBy: '',
    });
    const client = await json(
      database,
      ...createClient,
      ...[
        '--allow-client-credentials',
        '--expire-duration',
        '60',
        '--attribute',
        'a=b=c',
        '--contact-name',
        'Ann',
      ],
    );
    assert.match(client.secret, /^wws_/);
    assert.deepEqual(
      { ...client, id: undefined, secret: undefined },
      {
        ...clientDefaults,
        id: undefined,
        secret: undefined,
        clientId: 'my-job',
        clientName: 'My Job',
        description: '',
        contactName: 'Ann',
        contactEmail: '',
        thumbNailUrl: '',
        scopes: ['read'],
        redirectUris: [],
        confidential: true,
        allowedClientCredentials: true,
        allowedImplicitGrant: false,
        useRefreshTokens: false,
        skipConsent: false,
        trusted: true,
        keepsUserData: false,
        managedBy: '',
        includePrincipal: false,
        expireDuration: 60,
        attributes: { a: 'b=c' },
        resourceserver_id: id,
      },
    );
    const { secret: shownOnce, ...listed } = client;
    const withKey = { ...listed, resourceserver_key: 'my-api' };
    assert.deepEqual(await json(database, 'client', 'list', '--resource-server', 'my-api'), [withKey]);
    assert.deepEqual(await json(database, 'client', 'list', '--after', String(client.id)), []);
    assert.deepEqual(await json(database, 'resource-server', 'list'), [{ ...described, id }]);
    const rotated = await json(database, 'client', 'rotate-secret', 'my-job');
    assert.notEqual(rotated.secret, shownOnce);
    assert.notEqual((await json(database, 'resource-server', 'rotate-secret', 'my-api')).secret, secret);
    assert.deepEqual(await json(database, 'client', 'delete', 'my-job', '--yes'), {
      deleted: 'my-job',
      tokens: 0,
    });
    assert.deepEqual(await json(database, 'resource-server', 'delete', 'my-api', '--yes'), {
      ...{ deleted: 'my-api', clients: 0, tokens: 0 },
    });
    assert.deepEqual(await json(database, 'resource-server', 'list'), []);
  });

  it('shows one record, and changes only the named fields', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await copyMigrated(database);
    const { secret: _, ...api } = await json(database, ...createApi, '--contact-name', 'Ann');
    assert.deepEqual(await json(database, 'resource-server', 'show', 'my-api'), api);
    const { secret: _secret, ...client } = await json(
      database,
      ...createClient,
      ...['--allow-client-credentials', '--contact-name', 'Ann', '--attribute', 'a=b', '--scope', 'write'],
    );

    const described = await json(database, 'resource-server', 'update', 'my-api', '--description', 'New.');
    assert.deepEqual(described, { ...api, description: 'New.' });
    const owned = ['--owner', 'emma', '--owner-identity-provider', 'password'];
    const given = await json(database, 'resource-server', 'update', 'my-api', '--scope', 'write', ...owned);
    assert.deepEqual(given, {
      ...described,
      scopes: ['write'],
      owner: 'emma',
      ownerAuthority: 'password',
    });
    const shrunk = { ...client, scopes: ['write'] };
    assert.deepEqual(await json(database, 'client', 'show', 'my-job'), shrunk);

    const changes = [
      ...['--name', 'Mine', '--expire-duration', '60', '--allow-client-credentials', 'false'],
      ...['--redirect-uri', 'https://a.example/cb', '--use-refresh-tokens', 'true', '--attribute', ''],
    ];
    assert.deepEqual(await json(database, 'client', 'update', 'my-job', ...changes), {
      ...shrunk,
      clientName: 'Mine',
      expireDuration: 60,
      allowedClientCredentials: false,
      redirectUris: ['https://a.example/cb'],
      useRefreshTokens: true,
      attributes: {},
    });
    const none = await json(database, 'client', 'update', 'my-job', '--scope', '', '--redirect-uri', '');
    assert.deepEqual([none.scopes, none.redirectUris, none.clientName], [[], [], 'Mine']);
    for (const args of [
      ['client', 'update', 'my-job', '--redirect-uri', 'javascript:x'],
      ['client', 'update', 'nobody', '--name', 'x'],
      ['resource-server', 'update', 'my-api', '--name', ''],
      ['resource-server', 'show', 'nobody'],
    ]) {
      assert.equal((await watchword([...args, '--database', database])).code, 1, args.join(' '));
    }
    for (const args of [
      ['client', 'update', 'my-job', '--skip-consent', 'yes'],
      ['resource-server', 'update', 'my-api', '--owner-identity-provider', 'password'],
    ]) {
      assert.equal((await watchword([...args, '--database', database])).code, 2, args.join(' '));
    }
    assert.deepEqual(await json(database, 'client', 'show', 'my-job'), none);
  });

  it('changes a running server without a restart: new clients, issued and revoked tokens, deletions', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await using server = await startServer({ database, ...unlimited });
    const api = await json(database, ...createApi);
    const client = await json(database, ...createClient, '--allow-client-credentials');
    const credentials = `my-api:${api.secret}`;
    const status = async (access_token: string) =>
      (await server.post('/v1/tokeninfo', { access_token }, credentials)).status;
    const issue = () =>
      server.post('/oauth2/token', { grant_type: 'client_credentials' }, `my-job:${client.secret}`);
    await eventually(async () => (await issue()).status === 200);
    const issued = await json(database, 'token', 'issue', '--client', 'my-job');
    const { access_token } = (await issue()).json;
    assert.equal(await status(issued.token), 200);

    const listed = await json(database, 'token', 'list', '--client', 'my-job');
    const { token, ...record } = issued;
    assert.deepEqual(
      listed.find(({ id }: { id: string }) => id === issued.id),
      record,
    );
    assert.deepEqual(record.principal.name, 'my-job');
    await json(database, 'token', 'revoke', issued.id);
    assert.equal(await status(issued.token), 404);

    const piped = await json(database, 'token', 'issue', '--client', 'my-job', '--scope', 'read');
    const revoked = await watchword(['token', 'revoke', '-', '--database', database], {
      stdin: `${piped.token}\n`,
    });
    assert.equal(revoked.code, 0, revoked.stderr);
    assert.equal(await status(piped.token), 404);

    await json(database, 'token', 'revoke', '--client', 'my-job');
    await eventually(async () => (await status(access_token)) === 404);

    const again = (await issue()).json;
    await json(database, 'client', 'delete', 'my-job', '--yes');
    await eventually(async () => (await status(again.access_token)) === 404);
    assert.equal((await issue()).status, 401);
    const purged = await json(database, 'purge');
    assert.ok(purged.revokedTokens >= 1);
  });

  it('keeps the old secret valid during the overlap of a rotation, and makes it invalid at once without one', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await using server = await startServer({ database, ...unlimited });
    await json(database, ...createApi);
    const first = await json(database, ...createClient, '--allow-client-credentials');
    const status = async (secret: string) =>
      (await server.post('/oauth2/token', { grant_type: 'client_credentials' }, `my-job:${secret}`)).status;
    const second = await json(database, 'client', 'rotate-secret', 'my-job', '--overlap', '3600');
    await eventually(async () => (await status(second.secret)) === 200);
    assert.equal(await status(first.secret), 200);
    const third = await json(database, 'client', 'rotate-secret', 'my-job');
    await eventually(async () => (await status(third.secret)) === 200);
    assert.equal(await status(second.secret), 401);
    assert.equal(await status(first.secret), 401);
  });

  it('prints tables for people with resource servers by their keys, and a secret last and apart, with a note that it is shown once', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    const database = ['--database', directory.file('x.db')];
    assert.equal((await watchword(['client', 'list', ...database])).stdout, 'None.\n');
    const created = await watchword([...createApi, ...database]);
    assert.match(
      created.stdout,
      /^name +My API$[\s\S]*\n\nThe secret is shown only once\..*\n\nkey +my-api\nsecret +wws_\S+\n$/m,
    );
    const { stdout } = await watchword(['resource-server', 'list', ...database]);
    const [head = '', row = ''] = stdout.split('\n');
    assert.match(head, /^ID +KEY +NAME +SCOPES/);
    assert.equal(row.indexOf('my-api'), head.indexOf('KEY'));
    const callback = ['--redirect-uri', 'https://a.example/cb'];
    const registered = await watchword([...createClient, '--public', ...callback, ...database]);
    assert.match(registered.stdout, /\n\nA public client has no secret.*\n\nclientId +my-job\n$/);
    const [titles = '', client = ''] = (await watchword(['client', 'list', ...database])).stdout.split('\n');
    assert.equal(client.indexOf('my-api'), titles.indexOf('RESOURCESERVER_KEY'));
    assert.doesNotMatch(titles, /RESOURCESERVER_ID/);
  });

  it('leaves a record that exists as it is with --if-missing, by its identifier or its name', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    const database = ['--database', directory.file('x.db')];
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await watchword([...args, '--if-missing', '--json', ...database]);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    };
    const server = ['resource-server', 'create', '--name', 'Once'];
    assert.match((await json(...server)).secret, /^wws_/);
    assert.deepEqual(await json(...server), { key: 'once', created: false });
    const byKey = ['resource-server', 'create', '--name', 'Other', '--key', 'once'];
    assert.deepEqual(await json(...byKey), { key: 'once', created: false });
    const client = ['client', 'create', '--resource-server', 'once', '--allow-client-credentials', '--name'];
    assert.match((await json(...client, 'Job')).secret, /^wws_/);
    assert.deepEqual(await json(...client, 'Job'), { clientId: 'job', created: false });
    assert.deepEqual(await json(...client, 'X', '--client-id', 'job'), { clientId: 'job', created: false });
    const { stdout } = await watchword([...server, '--if-missing', ...database]);
    assert.equal(stdout, 'There is a resource server once already. Nothing was changed.\n');
  });

  it('shows what is deleted with a resource server and with a client, and needs --yes in a script', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await copyMigrated(database);
    await json(database, ...createApi);
    for (const name of ['My Job', 'Other Job']) {
      await json(database, ...createClient, '--name', name, '--allow-client-credentials');
    }
    for (const client of ['my-job', 'my-job', 'other-job']) {
      await json(database, 'token', 'issue', '--client', client);
    }
    const { id } = await json(database, 'token', 'issue', '--client', 'my-job');
    await json(database, 'token', 'revoke', id);
    for (const [deletion, lost] of [
      [['client', 'delete', 'my-job'], 'my-job with 2 active tokens'],
      [['resource-server', 'delete', 'my-api'], 'my-api with 1 client and 1 active token'],
    ] as const) {
      const kept = await watchword([...deletion, '--database', database, '--json']);
      assert.deepEqual([kept.code, kept.stdout], [2, '']);
      assert.match(
        kept.stderr,
        /--yes: expected it, because there is no terminal to ask at\. Nothing was deleted/,
      );
      const { code, stdout, stderr } = await watchword([...deletion, '--database', database, '--yes']);
      assert.equal(code, 0, stderr);
      assert.match(stdout, new RegExp(`^Deleted ${lost}\\. This takes effect `));
      assert.equal(stderr, '');
    }
  });

  it('asks at a terminal before it deletes a client, but not with --yes', async () => {
    await using directory = await temporaryDirectory();
    await copyDemo(directory.file('x.db'));
    const remove = (stdin: string, ...args: readonly string[]) =>
      watchword(['client', 'delete', ...args, '--database', directory.file('x.db')], {
        stdin,
        isTyped: true,
      });
    const refused = await remove('n\n', 'demo-app');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^Delete demo-app with 0 active tokens\? \[y\/N\] .*Nothing was deleted/);
    const agreed = await remove('y\n', 'demo-app');
    assert.match(agreed.stdout, /^Deleted demo-app with 0 active tokens/, agreed.stderr);
    const unasked = await remove('', 'demo-service', '--yes');
    assert.deepEqual([unasked.code, unasked.stderr], [0, '']);
  });

  it('exits 1 with a reason on failure, and names every broken rule of a record at once', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    const database = ['--database', directory.file('x.db')];
    await watchword([...createApi, ...database]);
    for (const [args, reason] of [
      [createApi, /has a resource server of this name/],
      [['client', 'delete', 'nobody'], /no client with this clientId; "watchword client list" shows/],
      [['resource-server', 'delete', 'nobody'], /no resource server with this key/],
      [
        ['client', 'create', '--name', 'x', '--resource-server', 'nobody'],
        /"watchword resource-server list"/,
      ],
      [['token', 'issue', '--client', 'nobody'], /"watchword client list"/],
      [['token', 'revoke', '01980000-0000-7000-8000-000000000000'], /no such token/],
    ] as const) {
      const { code, stderr, stdout } = await watchword([...args, ...database]);
      assert.equal(code, 1, stderr);
      assert.match(stderr, reason);
      assert.equal(stdout, '');
    }
    const { code, stderr } = await watchword([
      ...['client', 'create', '--name', ' ', '--resource-server', 'my-api', '--scope', 'admin'],
      ...['--redirect-uri', 'javascript:alert(1)', '--contact-email', 'nonsense', ...database],
    ]);
    assert.equal(code, 1);
    for (const field of ['clientName', 'scopes', 'redirectUris', 'contactEmail']) {
      assert.match(stderr, new RegExp(`^ {2}${field}: `, 'm'));
    }
    assert.equal((await watchword(['client', 'list', ...database])).stdout, 'None.\n');
  });

  it('exits 2 on wrong usage, and refers to the help', async () => {
    for (const args of [
      ['nonsense'],
      ['client', 'nonsense'],
      ['client', 'create'],
      ['client', 'list', '--limit', '0'],
      ['client', 'list', '--unknown'],
      ['token', 'revoke'],
      ['token', 'revoke', 'id', '--client', 'x'],
      ['token', 'revoke', `wwa_${'A'.repeat(70)}`],
      ['serve', '--port', 'eighty'],
    ]) {
      const { code, stderr, stdout } = await watchword(args);
      assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
      assert.notEqual(stderr, '');
      assert.equal(stdout, '');
      assert.doesNotMatch(stderr, /A{70}|\n\s+at /);
    }
  });

  it('prints its help and its version, and exits 0', async () => {
    const help = await watchword(['--help']);
    assert.equal(help.code, 0);
    for (const command of [
      'serve',
      'migrate',
      'bootstrap',
      'resource-server',
      'client',
      'token',
      'user',
      'import',
      'purge',
      'config',
    ]) {
      assert.match(help.stdout, new RegExp(`^ {2}${command}\\b`, 'm'));
      const own = await watchword([command, '--help']);
      assert.equal(own.code, 0);
      assert.match(own.stdout, /^Usage: watchword /m);
    }
    assert.match((await watchword(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  });
});

/** Polls until the condition is true. The time is a limit for a broken server, not a promise. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, 'not so within 30 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
