import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { createAdminClient, readAll } from '@watchword/admin-client';
import { usedRowsInWords } from '@watchword/cli/records/grants/grants-in-words';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import {
  type Administering,
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { assertError } from '../support/error-answers.ts';

const path = '/admin/identityProvider';
const idp = 'https://idp.example';

describe('the administration of identity providers', () => {
  let server: AdministrationServer;
  let root: Administering;
  let emma: Administering;
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
    emma = await server.person('emma', { identityProvider: idp });
    await server.person('paul', { identityProvider: idp });
  });
  after(() => server[Symbol.asyncDispose]());

  it('shows administrators the records of each identity provider, and whether the server is configured with it', async () => {
    assert.deepEqual((await root.get(path)).json, [
      { identityProvider: 'any-person', configured: true, loginSessions: 1, grants: 1, consents: 0 },
      { identityProvider: idp, configured: true, loginSessions: 2, grants: 2, consents: 2 },
    ]);
    assert.deepEqual((await root.get(`${path}?configured=false`)).json, []);
    const admin = createAdminClient({ baseUrl: server.baseUrl, token: () => root.token });
    const { items } = await readAll((page) => admin.identityProviders.list({ ...page, limit: 1 }));
    assert.deepEqual(items, (await root.get(`${path}?configured=true`)).json);
  });

  it('is for administrators only', async () => {
    assert.deepEqual((await emma.get(path)).json, []);
    const body = { identityProvider: idp };
    assertError(await emma.call('POST', `${path}/revocation`, body), 404, 'not_found');
    const robot = await server.actingClient('Robot');
    assert.deepEqual((await robot.get(path)).json, []);
    assertError(await robot.call('POST', `${path}/revocation`, body), 404, 'not_found');
    assert.equal((await emma.get('/admin/resourceServer/principal')).json.name, 'emma');
  });

  it('ends all grants and sessions of its users, returns their number, and writes an audit event', async () => {
    const body = { identityProvider: idp };
    const ended = await root.call('POST', `${path}/revocation`, body);
    assert.deepEqual(ended.json, { loginSessions: 2, grants: 2, consents: 2 });
    assert.equal((await emma.get('/admin/resourceServer')).status, 401);
    assert.equal((await root.get('/admin/resourceServer')).status, 200);
    assert.ok((await root.get(path)).json.every((each: typeof body) => each.identityProvider !== idp));
    const [{ id: _, time: __, ...event }] = (await root.get('/admin/auditEvent?recordType=identityProvider'))
      .json;
    assert.deepEqual(event, {
      actor: 'root',
      actorAuthority: 'any-person',
      clientId: 'authorization-server-admin-js-client',
      clientName: 'Administration',
      source: '127.0.0.1',
      action: 'revokeTokens',
      recordType: 'identityProvider',
      recordId: idp,
      recordName: idp,
      owner: 'watchword',
      ownerAuthority: 'system',
      before: { loginSessions: 2, grants: 2, consents: 2 },
      after: null,
    });
    assertError(await root.call('POST', `${path}/revocation`, body), 404, 'not_found');
    assertError(await root.call('POST', `${path}/revocation`, {}), 400, 'invalid_request');
  });
});

/** A module for an identity provider. Its options say whether there is a second one. */
const twoProviders = `
export default ({ settings }) => ({
  name: 'two',
  begin: async () => ({
    type: 'authenticated',
    principal: { name: 'emma', roles: [], groups: [], adminPrincipal: true, attributes: {} },
    identityProvider: settings.providers.at(-1),
  }),
  resume: async () => ({ type: 'form' }),
  isConfigured: (identityProvider) => settings.providers.includes(identityProvider),
});`;

describe('the command identity-provider', () => {
  it('shows and ends the records of one that is no longer configured, on a database and on a server', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('two.mjs'), twoProviders);
    const database = ['--database', directory.file('x.db')];
    const serve = (...providers: string[]) =>
      startServer({
        database: directory.file('x.db'),
        authenticator: directory.file('two.mjs'),
        authenticatorOptions: JSON.stringify({ providers }),
        consent: 'noop',
      });
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await watchword(['identity-provider', ...args, '--json']);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    };
    /** A user logs in at the last of the identity providers. Resolves with a token for the administration. */
    const signIn = async ({ baseUrl, service }: TestServer) => {
      const query = new URLSearchParams({
        response_type: 'token',
        client_id: 'authorization-server-admin-js-client',
        redirect_uri: `${service.baseUrl}/client/client.html`,
      });
      const { headers } = await fetch(`${baseUrl}/authorize?${query}`, { redirect: 'manual' });
      const { hash } = new URL(headers.get('location') ?? '');
      return new URLSearchParams(hash.slice(1)).get('access_token') ?? '';
    };

    const used = { loginSessions: 1, grants: 1, consents: 0 };
    {
      await using server = await serve('https://a.example', 'https://b.example');
      await signIn(server);
    }
    assert.deepEqual(await run('list', ...database), [
      { identityProvider: 'https://b.example', ...used, configured: null },
    ]);
    {
      await using server = await serve('https://a.example');
      const remote = { env: { WATCHWORD_ADMIN_TOKEN: await signIn(server) } };
      const args = ['--url', server.baseUrl, 'identity-provider'];
      const { stdout } = await watchword([...args, 'list'], remote);
      assert.match(stdout, /^IDENTITYPROVIDER +CONFIGURED +LOGINSESSIONS +GRANTS +CONSENTS$/m);
      assert.match(stdout, /^https:\/\/a\.example +true +1 +1 +0$/m);
      assert.match(stdout, /^https:\/\/b\.example +false +1 +1 +0$/m);
      const ended = await watchword([...args, 'end', 'https://b.example', '--yes'], remote);
      const words = '1 login session, 1 grant with its tokens and 0 remembered consents of https://b.example';
      assert.equal(ended.stdout, `Ended ${words}, at once.\n`);
    }
    const a = { identityProvider: 'https://a.example', ...used };
    assert.deepEqual(await run('end', 'https://a.example', '--yes', ...database), a);
    assert.deepEqual(await run('list', ...database), []);
    const again = await watchword(['identity-provider', 'end', 'https://a.example', '--yes', ...database]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /"watchword identity-provider list" shows/);
  });

  it('shows the numbers of records in words', () => {
    assert.equal(
      usedRowsInWords({ loginSessions: 1, grants: 2, consents: 1 }),
      '1 login session, 2 grants with their tokens and 1 remembered consent',
    );
  });
});
