import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { ask } from '@watchword/server-testkit/clients/ask';
import {
  type CommandResult,
  temporaryDirectory,
  watchword,
} from '@watchword/server-testkit/processes/process';
import { anApi, startAdministration } from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { startSite } from '@watchword/testkit/site';

describe('the command line over --url', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: TestServer;
  let database: readonly string[];
  let credentials: Record<string, string>;
  before(async () => {
    directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    server = await startServer({ database: directory.file('x.db') });
    database = ['--database', server.database];
    const registered = await json([
      ...['client', 'create', '--name', 'Deployer', '--resource-server', 'authorization-server-admin'],
      ...['--scope', 'read', '--scope', 'write', '--allow-client-credentials', '--expire-duration', '60'],
      ...database,
    ]);
    credentials = {
      WATCHWORD_ADMIN_CLIENT_ID: registered.clientId,
      WATCHWORD_ADMIN_CLIENT_SECRET: registered.secret,
    };
    await server.service.store.refreshRegistry();
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  /** Runs a command that must succeed, and returns its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
  async function json(args: readonly string[], env: Record<string, string> = {}): Promise<any> {
    const { code, stdout, stderr } = await watchword([...args, '--json'], { env });
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  }
  const remote = (...args: string[]) => json(['--url', server.service.baseUrl, ...args], credentials);
  const local = (...args: string[]) => json([...args, ...database]);
  const run = (args: readonly string[], env: Record<string, string> = credentials, stdin = '') =>
    watchword(['--url', server.service.baseUrl, ...args], { env, stdin });
  /** A token of the client of the commands. */
  async function issueToken(scope: string): Promise<string> {
    const { WATCHWORD_ADMIN_CLIENT_ID: id, WATCHWORD_ADMIN_CLIENT_SECRET: secret } = credentials;
    const form = { grant_type: 'client_credentials', scope };
    return (await server.post('/oauth2/token', form, `${id}:${secret}`)).json.access_token;
  }
  const failed = ({ code, stdout, stderr }: CommandResult, expected: number, message: RegExp) => {
    assert.match(stderr, message);
    assert.equal(code, expected);
    assert.equal(stdout, '');
    assert.ok(!stderr.includes(credentials.WATCHWORD_ADMIN_CLIENT_SECRET ?? ''));
    assert.doesNotMatch(stderr, /\n {4}at /);
  };

  it('takes the secret of its client from a file, and from one place only', async () => {
    const { WATCHWORD_ADMIN_CLIENT_SECRET: secret = '', ...client } = credentials;
    const file = directory.file('client-secret');
    await writeFile(file, `${secret}\n`, { mode: 0o600 });
    const env = { ...client, WATCHWORD_ADMIN_CLIENT_SECRET_FILE: file };
    assert.equal((await run(['client', 'list'], env)).code, 0);
    failed(await run(['client', 'list'], { ...env, ...credentials }), 2, /got both; remove one/);
    const missing = { ...client, WATCHWORD_ADMIN_CLIENT_SECRET_FILE: `${file}.no` };
    failed(
      await run(['client', 'list'], missing),
      2,
      /WATCHWORD_ADMIN_CLIENT_SECRET_FILE: .*client-secret\.no cannot be read/,
    );
  });

  it('does on a server what it does on a database, with the same output', async () => {
    const names = ['--contact-name', 'Ann', '--scope', 'read'];
    const { secret, ...api } = await remote('resource-server', 'create', '--name', 'Near API', ...names);
    assert.match(secret, /^wws_/);
    assert.deepEqual(await local('resource-server', 'show', 'near-api'), api);
    assert.deepEqual(await remote('resource-server', 'show', 'near-api'), api);
    const job = ['--name', 'Near Job', '--resource-server', 'near-api', '--allow-client-credentials'];
    const client = await remote('client', 'create', ...job, ...names);
    assert.match(client.secret, /^wws_/);
    const { token, ...issued } = await remote('token', 'issue', '--client', 'near-job');
    assert.match(token, /^wwa_/);
    assert.deepEqual(await local('token', 'show', issued.id), issued);
    assert.deepEqual(await remote('token', 'list', '--client', 'near-job', '--limit', '1'), [issued]);
    assert.deepEqual(await local('token', 'list', '--client', 'near-job', '--limit', '1'), [issued]);
    assert.deepEqual(await remote('client', 'delete', 'near-job', '--yes'), {
      deleted: 'near-job',
      tokens: 1,
    });
    const deleted = { deleted: 'near-api', clients: 0, tokens: 0 };
    assert.deepEqual(await remote('resource-server', 'delete', 'near-api', '--yes'), deleted);
    assert.deepEqual(await remote('resource-server', 'list'), []);
  });

  // The test above has the network, and commands.test.ts the commands, with the same client of the same routes.
  slowTest('does everything that it does on a database, with the same output', async () => {
    const api = await remote(
      ...['resource-server', 'create', '--name', 'Far API', '--scope', 'read', '--scope', 'write'],
      ...['--contact-name', 'Ann'],
    );
    const { secret, ...apiRecord } = api;
    assert.match(secret, /^wws_/);
    assert.deepEqual(await local('resource-server', 'show', 'far-api'), apiRecord);
    assert.deepEqual(await remote('resource-server', 'show', 'far-api'), apiRecord);
    assert.deepEqual(await remote('resource-server', 'list'), [apiRecord]);
    assert.deepEqual(await remote('resource-server', 'list', '--after', String(api.id)), []);
    const renamed = await remote('resource-server', 'update', 'far-api', '--description', 'Far away.');
    assert.deepEqual(renamed, { ...apiRecord, description: 'Far away.' });

    const client = await remote(
      ...['client', 'create', '--name', 'Far Job', '--resource-server', 'far-api', '--scope', 'read'],
      ...['--allow-client-credentials', '--attribute', 'a=1', '--attribute', 'b=2', '--contact-name', 'Ann'],
      ...['--expire-duration', '0'],
    );
    const { secret: clientSecret, ...clientRecord } = client;
    assert.match(clientSecret, /^wws_/);
    assert.deepEqual(await local('client', 'show', 'far-job'), clientRecord);
    assert.deepEqual(await remote('client', 'show', 'far-job'), clientRecord);
    const withKey = { ...clientRecord, resourceserver_key: 'far-api' };
    assert.deepEqual(await remote('client', 'list', '--limit', '1'), [withKey]);
    assert.deepEqual(await remote('client', 'list', '--after', String(client.id)), []);
    assert.deepEqual(await remote('client', 'list', '--after', String(client.id - 1)), [withKey]);
    assert.deepEqual(await remote('client', 'list', '--resource-server', 'far-api'), [withKey]);
    const updated = await remote('client', 'update', 'far-job', '--attribute', 'b=3');
    assert.deepEqual(updated, { ...clientRecord, attributes: { b: '3' } });

    const issued = await remote('token', 'issue', '--client', 'far-job');
    const { token, ...tokenRecord } = issued;
    assert.match(token, /^wwa_/);
    assert.deepEqual(await remote('token', 'show', issued.id), tokenRecord);
    assert.deepEqual(await local('token', 'show', issued.id), tokenRecord);
    assert.deepEqual(await remote('token', 'list', '--client', 'far-job'), [tokenRecord]);
    const expires = '2031-01-31T12:00:00Z';
    const narrowed = await remote('token', 'update', issued.id, '--scope', '', '--expires', expires);
    assert.deepEqual(narrowed, { ...tokenRecord, scopes: [], expires: Date.parse(expires) });
    assert.deepEqual(await remote('token', 'revoke', issued.id), { revoked: issued.id });
    assert.deepEqual(await remote('token', 'revoke', '--client', 'far-job'), { revokedClient: 'far-job' });
    assert.deepEqual(await remote('token', 'list', '--client', 'far-job'), []);

    assert.notEqual((await remote('client', 'rotate-secret', 'far-job')).secret, clientSecret);
    const rotated = await remote('resource-server', 'rotate-secret', 'far-api', '--overlap', '60');
    assert.notEqual(rotated.secret, secret);
    assert.deepEqual(await remote('client', 'delete', 'far-job', '--yes'), { deleted: 'far-job', tokens: 0 });
    assert.deepEqual(await remote('resource-server', 'delete', 'far-api', '--yes'), {
      ...{ deleted: 'far-api', clients: 0, tokens: 0 },
    });
    assert.deepEqual(await remote('resource-server', 'list'), []);
  });

  slowTest('lists, shows and ends grants, and shows a token that is piped in', async () => {
    await remote('resource-server', 'create', '--name', 'Granted API', '--scope', 'read');
    const create = [
      'client',
      'create',
      '--name',
      'Granted',
      '--resource-server',
      'granted-api',
      '--scope',
      'read',
    ];
    await remote(...create, '--allow-client-credentials');
    assert.deepEqual(
      await remote('grant', 'list', '--client', 'granted', '--resource-server', 'granted-api'),
      [],
    );
    assert.deepEqual(await remote('grant', 'end', '--client', 'granted', '--yes'), {
      grants: 0,
      consents: 0,
    });
    const unknown = '019b76da-a800-7a57-899d-6e21a5a8121f';
    for (const verb of ['show', 'end'])
      failed(await run(['grant', verb, unknown]), 1, /There is no such grant/);
    failed(await run(['grant', 'list', '--client', 'unknown']), 1, /There is no client/);
    const { token, ...record } = await remote('token', 'issue', '--client', 'granted');
    const shown = await run(['token', 'show', '-', '--json'], credentials, `${token}\n`);
    assert.deepEqual(JSON.parse(shown.stdout), record);
    await remote('resource-server', 'delete', 'granted-api', '--yes');
  });

  slowTest('shows that a client is no longer trusted, and that only administrators confirm one', async () => {
    await remote(
      'resource-server',
      'create',
      '--name',
      'Trusting API',
      '--scope',
      'read',
      '--scope',
      'write',
    );
    const { trusted } = await remote(
      ...['client', 'create', '--name', 'Trusting App', '--resource-server', 'trusting-api'],
      ...['--scope', 'read', '--allow-client-credentials'],
    );
    assert.equal(trusted, false);
    const confirm = ['client', 'confirm', 'trusting-app'];
    failed(await run(confirm), 1, /lacks the right records:all:write/);
    assert.equal((await local(...confirm)).trusted, true);
    const untouched = await remote('client', 'update', 'trusting-app', '--contact-name', 'x');
    assert.deepEqual([untouched.trusted, untouched.reset], [true, undefined]);
    const update = ['client', 'update', 'trusting-app', '--redirect-uri', 'https://a.example/cb'];
    const { stdout } = await run(update);
    assert.match(stdout, /^trusted +false$/m);
    assert.match(stdout, /^reset +trusted$/m);
    assert.match(stdout, /Note: a field that an administrator had confirmed has changed/);
    const kept = await local(
      'client',
      'update',
      'trusting-app',
      '--skip-consent',
      'true',
      '--scope',
      'write',
    );
    assert.deepEqual([kept.skipConsent, kept.trusted], [true, true]);
    const narrow = ['resource-server', 'update', 'trusting-api', '--scope', 'read'];
    const { resetClients } = await remote(...narrow);
    assert.deepEqual(resetClients, ['trusting-app']);
    const { skipConsent } = await remote('client', 'show', 'trusting-app');
    assert.equal(skipConsent, false);
    await remote('resource-server', 'delete', 'trusting-api', '--yes');
  });

  slowTest('prints the same for people, and accepts --url behind the command too', async () => {
    const create = ['resource-server', 'create', '--name', 'Table API', '--contact-name', 'Ann'];
    const created = await watchword([...create, '--url', `${server.service.baseUrl}/`], { env: credentials });
    assert.match(created.stdout, /^key +table-api$/m);
    assert.match(created.stdout, /shown only once/);
    const { stdout } = await run(['resource-server', 'list']);
    assert.match(
      stdout,
      /^ID +KEY +NAME +SCOPES +OWNER +CONTACTNAME\n\d+ +table-api +Table API +deployer +Ann$/m,
    );
    const job = ['client', 'create', '--name', 'Table Job', '--resource-server', 'table-api'];
    await remote(...job, '--allow-client-credentials', '--contact-name', 'Ann');
    await remote('token', 'issue', '--client', 'table-job');
    const deleted = await run(['resource-server', 'delete', 'table-api', '--yes']);
    assert.equal(
      deleted.stdout,
      'Deleted table-api with 1 client and 1 active token. This takes effect at once.\n',
    );
  });

  it('is authorized by a token too, from the environment or from standard input', async () => {
    const access_token = await issueToken('read write');
    const list = ['resource-server', 'list', '--json'];
    const byEnvironment = await run(list, { WATCHWORD_ADMIN_TOKEN: access_token });
    assert.deepEqual([byEnvironment.code, byEnvironment.stdout], [0, '[]\n']);
    const byInput = await run([...list, '--token-stdin'], {}, `${access_token}\n`);
    assert.deepEqual([byInput.code, byInput.stdout], [0, '[]\n']);
    const reading = await issueToken('read');
    const create = ['resource-server', 'create', '--name', 'X'];
    failed(await run(create, { WATCHWORD_ADMIN_TOKEN: reading }), 1, /lacks the scope write/);
    failed(await run(list, { WATCHWORD_ADMIN_TOKEN: 'x' }), 1, /access token/);
  });

  it('says that a login is too old for what cannot be undone, and how to log in again', async () => {
    using clock = stoppedClock();
    await using demanding = await startAdministration();
    const owner = await demanding.person('emma');
    const { id, key } = await owner.create('/admin/resourceServer', anApi);
    clock.advance(901);
    const args = ['--url', demanding.service.baseUrl, 'resource-server', 'delete', key, '--yes'];
    const refused = await watchword(args, { env: { WATCHWORD_ADMIN_TOKEN: owner.token } });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /needs a login of the last 900 seconds.*"watchword login" logs in again/);
    assert.equal((await owner.get(`/admin/resourceServer/${id}`)).status, 200);
  });

  it('revokes the token that it got for itself', async () => {
    const before = await local('token', 'list', '--client', 'deployer');
    await remote('resource-server', 'list');
    assert.deepEqual(await local('token', 'list', '--client', 'deployer'), before);
  });

  it('exits 1 with the reason of the server, with every broken rule', async () => {
    failed(await run(['client', 'show', 'nobody']), 1, /There is no client with this clientId/);
    failed(
      await run(['resource-server', 'delete', 'nobody']),
      1,
      /There is no resource server with this key/,
    );
    failed(
      await run(['resource-server', 'create', '--name', '', '--contact-email', 'x']),
      1,
      /breaks these rules:\n {2}name: .*\n {2}contactEmail: is not an e-mail address/,
    );
    const wrong = { ...credentials, WATCHWORD_ADMIN_CLIENT_SECRET: 'wrong' };
    failed(
      await run(['client', 'list'], wrong),
      1,
      /did not issue an access token: .* WATCHWORD_ADMIN_CLIENT_SECRET/,
    );
    const elsewhere = ['--url', `${server.service.baseUrl}/elsewhere`, 'client', 'list'];
    failed(await watchword(elsewhere, { env: credentials }), 1, /base URL of a server, got .*\/elsewhere$/m);
    const expired = { WATCHWORD_ADMIN_TOKEN: 'expired' };
    failed(
      await run(['client', 'list'], expired),
      1,
      /does not accept the access token.*WATCHWORD_ADMIN_TOKEN/,
    );
    const nowhere = ['--url', 'http://127.0.0.1:1', 'client', 'list'];
    failed(
      await watchword(nowhere, { env: credentials }),
      1,
      /127\.0\.0\.1:1 cannot be reached\. .*(?:REFUSED|bad port)/,
    );
  });

  it('exits 2 on wrong usage', async () => {
    failed(await run(['client', 'list'], {}), 2, /expected a login or credentials/);
    failed(await run(['client', 'list', ...database]), 2, /expected only one of them/);
    failed(await run(['serve']), 2, /"serve" works only on this machine/);
    failed(await run(['user', 'digest', 'ann']), 2, /"user digest" works only on this machine/);
    failed(await run(['user', 'list']), 1, /lacks the right accounts:read/);
    failed(await run(['client', 'list', '--token-stdin'], {}), 2, /got nothing/);
    failed(await run(['resource-server', 'create', '--name', 'X', '--owner', 'ann']), 2, /--owner/);
    for (const url of [
      'http://id.example.com',
      'ftp://localhost',
      'id.example.com',
      'https://a:b@id.example',
    ]) {
      const result = await watchword(['--url', url, 'client', 'list'], { env: credentials });
      failed(result, 2, /expected the base URL of a server, with https or a loopback host/);
    }
    failed(await watchword(['client', 'list', '--token-stdin']), 2, /expected --url <baseUrl> too/);
  });

  it('administers records of others with a right, and the error without it names the right', async () => {
    const sessions = ['session', 'list'];
    failed(await run(sessions), 1, /lacks the right grants:read/);
    const clientId = credentials.WATCHWORD_ADMIN_CLIENT_ID ?? '';
    const given = await local('right', 'give', clientId, 'grants:read', 'records:all:write');
    assert.deepEqual(
      given.rights.map(({ right }: { readonly right: string }) => right),
      ['grants:read', 'records:all:write'],
    );
    assert.deepEqual(await remote(...sessions), []);
    const api = ['--contact-name', 'Ann', '--scope', 'read'];
    await local('resource-server', 'create', '--name', 'Of others', ...api);
    const app = ['--redirect-uri', 'https://a.example/cb', ...api];
    await local('client', 'create', '--name', 'Others app', '--resource-server', 'of-others', ...app);
    const set = await remote('client', 'update', 'others-app', '--skip-consent', 'true');
    assert.deepEqual([set.skipConsent, set.trusted], [true, true]);
    failed(await run(['client', 'rotate-secret', clientId]), 1, /cannot change the administration interface/);
    failed(await run(['right', 'list']), 1, /Only an administrator who logged in/);
    assert.equal((await local('right', 'list', '--client', clientId)).length, 2);
    await local('right', 'end', clientId);
    failed(await run(sessions), 1, /lacks the right grants:read/);
    assert.deepEqual(await local('right', 'list'), []);
  });

  it('applies a configuration with a right, whose secrets stay on this machine, and sets no owner', async () => {
    const file = directory.file('clients.yaml');
    const api = {
      key: 'as-code',
      name: 'As code',
      contactName: 'Ann',
      secret: 'env:AS_CODE',
      scopes: ['read'],
    };
    const app = { clientId: 'Coded.App', resourceServer: 'as-code', clientName: 'Coded', contactName: 'Ann' };
    const write = (...changes: object[]) =>
      writeFile(file, JSON.stringify(Object.assign({ version: 1, name: 'remote' }, ...changes)));
    const clients = [{ ...app, secret: 'env:AS_CODE', allowedClientCredentials: true }];
    await write({ resourceServers: [api], clients });
    const env = { ...credentials, AS_CODE: 'a secret that nobody guesses' };
    failed(await run(['apply', file], env), 1, /lacks the right records:all:write/);
    const clientId = credentials.WATCHWORD_ADMIN_CLIENT_ID ?? '';
    await local('right', 'give', clientId, 'records:all:write');
    assert.equal((await run(['plan', file], env)).code, 3);
    const { code, stdout, stderr } = await run(['apply', file], env);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /2 created, 0 unchanged/);
    const issued = await fetch(`${server.service.baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${app.clientId}:${env.AS_CODE}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    assert.equal(issued.status, 200, await issued.text());
    const refused = await run(['client', 'update', app.clientId, '--description', 'x']);
    failed(refused, 1, /The configuration remote manages this record/);
    const drifted = async () => {
      const metrics = await (await fetch(`${server.service.baseUrl}/metrics`)).text();
      return /watchword_configuration_drifted_records\{configuration="remote"\} (\d+)/.exec(metrics)?.[1];
    };
    assert.equal(await drifted(), '0');
    const { store } = server.service;
    // As a node of an older release does.
    await store.clients.update((await store.clients.find(app.clientId))?.id ?? 0, { description: 'x' });
    assert.equal(await drifted(), '1');
    await write({ resourceServers: [{ ...api, owner: 'emma' }], clients });
    failed(await run(['plan', file], env), 1, /owner: is set by commands on the database alone/);
    await write({ resourceServers: [], clients: [] });
    failed(await run(['apply', file], env), 1, /--allow-deletions/);
    assert.equal((await run(['apply', file, '--allow-deletions'], env)).code, 0);
    await local('right', 'end', clientId);
  });

  const tooLarge = /:1:1: the server takes no file of this size over the network; div/;
  it('says that a server takes no configuration of this size, and what to do', async () => {
    await using site = await startSite((_, response) => response.writeHead(413).end());
    const file = directory.file('large.yaml');
    await writeFile(file, 'version: 1\nname: large\n');
    const env = { WATCHWORD_ADMIN_TOKEN: 'any' };
    failed(await watchword(['plan', file, '--url', site.url], { env }), 1, tooLarge);
  });

  // The test above has the refusal, http-layer.test.ts the limits of servers.
  slowTest('has a server that takes no configuration of more than 8 MiB', async () => {
    const file = directory.file('large.yaml');
    await writeFile(file, JSON.stringify({ version: 1, name: 'large', clients: '€'.repeat(2_900_000) }));
    failed(await run(['plan', file]), 1, tooLarge);
  });

  slowTest('has a server that answers the calls that Terraform made for examples/terraform', async () => {
    const file = new URL('../../../../examples/terraform/main.tf', import.meta.url);
    const configuration = readFileSync(file, 'utf8');
    const calls: readonly RecordedCall[] = JSON.parse(
      readFileSync(new URL('../support/terraform-calls.json', import.meta.url), 'utf8'),
    );
    const clientId = credentials.WATCHWORD_ADMIN_CLIENT_ID ?? '';
    await local('right', 'give', clientId, 'records:all:write');
    const ids = new Map<string, string>();
    let authorization = `Basic ${btoa(`${clientId}:${credentials.WATCHWORD_ADMIN_CLIENT_SECRET}`)}`;
    for (const { method, path, contentType, body, status } of calls) {
      const called = path.replaceAll(/\{(\w+)\}/g, (_, name) => ids.get(name) ?? assert.fail(path));
      const headers = { authorization, ...(contentType && { 'content-type': contentType }) };
      const answer = await ask(`${server.service.baseUrl}${called}`, {
        method,
        headers,
        ...(body && { body }),
      });
      assert.equal(answer.status, status, `${method} ${called}: ${answer.text}`);
      if (answer.json?.access_token !== undefined) {
        authorization = `Bearer ${answer.json.access_token}`;
      } else if (answer.json !== undefined) {
        const kind = /(resourceServer|client)(?:\/\d+)?$/.exec(called)?.[1] ?? assert.fail(called);
        const { example, ignored } = exampleOf(configuration, kind);
        if (status === 201) {
          assert.deepEqual(
            JSON.parse(body ?? ''),
            example,
            'examples/terraform/main.tf has another record than the calls',
          );
          ids.set(kind, String(answer.json.id));
        }
        // Otherwise each plan finds a change.
        assert.deepEqual(
          Object.keys(answer.json).filter((field) => !(field in example) && !ignored.includes(field)),
          [],
          'examples/terraform/main.tf: fields of an answer that ignore_changes_to lacks',
        );
        const sent = body === undefined ? {} : JSON.parse(body);
        assert.deepEqual({ ...answer.json, ...sent }, answer.json, 'an answer has what was sent');
      }
    }
    await local('right', 'end', clientId);
  });
});

/** A call that the provider Mastercard/restapi 3.0.0 made under Terraform 1.11; ids in its path are names in braces. */
interface RecordedCall {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly status: number;
}

/** A record of the configuration, and the fields that the provider does not compare. */
function exampleOf(configuration: string, kind: string) {
  const name = kind === 'client' ? 'catalog_web' : 'catalog_api';
  const [, record = ''] = new RegExp(`^  ${name} = \\{\\n([\\s\\S]*?)^  \\}`, 'm').exec(configuration) ?? [];
  const [, list = ''] =
    new RegExp(`"${name}" \\{[\\s\\S]*?ignore_changes_to = ([\\s\\S]*?)\\]`).exec(configuration) ?? [];
  const members = record
    .trim()
    .replaceAll(/^ *(\w+) *= /gm, '"$1": ')
    .replaceAll('\n', ',');
  const ignored: readonly string[] = list.match(/\w+/g) ?? [];
  return { example: JSON.parse(`{${members}}`) as object, ignored };
}
