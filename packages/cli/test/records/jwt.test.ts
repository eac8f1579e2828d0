import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { watchword } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { decodeJwt } from 'jose';

describe('JWT access tokens at the command line', () => {
  let server: TestServer;
  let database: readonly string[];
  let apiCredentials: string;
  before(async () => {
    server = await startServer();
    database = ['--database', server.database];
    const api = await local(
      ...['resource-server', 'create', '--name', 'My API', '--scope', 'read', '--contact-name', 'Ann'],
      ...['--access-token-format', 'jwt'],
    );
    apiCredentials = `my-api:${api.secret}`;
    await local(
      ...['client', 'create', '--name', 'My Job', '--resource-server', 'my-api', '--scope', 'read'],
      ...['--allow-client-credentials', '--expire-duration', '600', '--contact-name', 'Ann'],
    );
  });
  after(() => server[Symbol.asyncDispose]());

  /** A command on the database, with the base URL of the server. */
  const run = (args: readonly string[], stdin = '') =>
    watchword([...args, ...database], { stdin, env: { WATCHWORD_BASE_URL: server.service.baseUrl } });
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
  async function json(args: readonly string[], stdin?: string): Promise<any> {
    const { code, stdout, stderr } = await run([...args, '--json'], stdin);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    return JSON.parse(stdout);
  }
  const local = (...args: string[]) => json(args);
  const status = async (token: string) =>
    (await server.post('/v1/tokeninfo', { access_token: token }, apiCredentials)).status;
  const issue = () => local('token', 'issue', '--client', 'my-job');

  it('are issued, shown and revoked on a database, by their id and by their text', async () => {
    const { token, ...record } = await issue();
    assert.equal(record.format, 'jwt');
    assert.equal(record.id.split('.')[0], decodeJwt(token).jti);
    assert.equal(await status(token), 200);
    const { id: _, ...shown } = await local('token', 'show', record.id);
    const { id: __, ...expected } = record;
    assert.deepEqual(shown, expected);
    const { id, ...found } = await json(['token', 'show', '-'], token);
    assert.deepEqual(found, expected);
    assert.deepEqual(await local('token', 'list', '--client', 'my-job'), []);
    assert.deepEqual(await local('token', 'revoke', id), { revoked: id });
    assert.equal(await status(token), 404);

    const other = await issue();
    await json(['token', 'revoke', '-'], `${other.token}\n`);
    assert.equal(await status(other.token), 404);
  });

  it('cannot be changed, and a change says why', async () => {
    const { id, token } = await issue();
    const { code, stderr } = await run(['token', 'update', id, '--scope', '']);
    assert.equal(code, 1);
    assert.match(stderr, /JWT/);
    assert.equal(await status(token), 200);
  });

  it('are known by the base URL of the server alone', async () => {
    const { token } = await issue();
    const env = { WATCHWORD_BASE_URL: 'https://other.example' };
    const { code, stderr } = await watchword(['token', 'show', '-', ...database], { env, stdin: token });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /no such token/);
    assert.ok(!stderr.includes(token), stderr);
  });

  // The first test has the same client of the same routes (administration.ts).
  slowTest('are shown and revoked over --url', async () => {
    const administrator = await local(
      ...['client', 'create', '--name', 'Deployer', '--resource-server', 'authorization-server-admin'],
      ...['--scope', 'read', '--scope', 'write', '--allow-client-credentials', '--expire-duration', '60'],
    );
    const registrar = {
      WATCHWORD_ADMIN_CLIENT_ID: administrator.clientId,
      WATCHWORD_ADMIN_CLIENT_SECRET: administrator.secret,
    };
    const remote = async (args: readonly string[], stdin = '') => {
      const result = await watchword(['--url', server.service.baseUrl, ...args, '--json'], {
        env: registrar,
        stdin,
      });
      assert.equal(result.code, 0, result.stderr);
      return JSON.parse(result.stdout);
    };
    await remote([
      ...['resource-server', 'create', '--name', 'Far API', '--scope', 'read', '--contact-name', 'Ann'],
      ...['--access-token-format', 'jwt'],
    ]);
    await remote([
      ...['client', 'create', '--name', 'Far Job', '--resource-server', 'far-api', '--scope', 'read'],
      ...['--allow-client-credentials', '--expire-duration', '600', '--contact-name', 'Ann'],
    ]);
    const { token, ...record } = await remote(['token', 'issue', '--client', 'far-job']);
    const { id, ...shown } = await remote(['token', 'show', '-'], token);
    const { id: _, ...expected } = record;
    assert.deepEqual(shown, expected);
    assert.deepEqual(await remote(['token', 'revoke', id]), { revoked: id });
    const { code } = await watchword(['--url', server.service.baseUrl, 'token', 'show', '-'], {
      env: registrar,
      stdin: token,
    });
    assert.equal(code, 1);
  });
});
