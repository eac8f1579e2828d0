import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { accountDigest } from '@watchword/protocol';
import { watchword } from '@watchword/server-testkit/processes/process';
import { isLoggedIn, startAccountServer } from '@watchword/server-testkit/servers/account-server';
import { anApi, anApp } from '@watchword/server-testkit/servers/administration';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeProtectedHeader } from 'jose';

const credentials = { username: 'emma', password: 'correct horse battery' };

async function keys(database: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await watchword(['keys', ...args, '--json', '--database', database]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

describe('watchword keys seal', () => {
  it('--renew ends within a second what a running server made with the old keys, and new logins and lists work', async () => {
    await using server = await startAccountServer();
    const { store } = server.service;
    await server.addAccount('emma');
    await server.addManyAccounts(2);
    const root = await server.logIn('root');
    const list = '/admin/account?limit=1';
    const next = async () =>
      /<([^>]*)>; rel="next"/.exec((await root.get(list)).headers.get('link') ?? '')?.[1] ?? '';
    const path = (url: string) => url.slice(url.indexOf('/admin'));
    const cursor = path(await next());
    const [before] = await store.sealingKeys.list();
    const old = accountDigest(await store.digestKey.read(), { identityProvider: 'password', name: 'emma' });
    const agent = new UserAgent();
    const form = await agent.get(`${server.baseUrl}/account`);
    const browser = await server.browserOf('emma');

    const renewed = await keys(server.database, 'seal', '--renew', '--yes');
    assert.equal(renewed.keys.length, 1);
    assert.notEqual(renewed.keys[0].id, before?.id);
    assert.deepEqual(await keys(server.database, 'seal'), renewed.keys);
    // What this waits for, nodes do by themselves within a second.
    await store.refreshRegistry();

    assert.equal((await root.get(cursor)).status, 400);
    assert.equal((await root.get(path(await next()))).status, 200);
    await agent.submit(form, credentials);
    assert.deepEqual([await isLoggedIn(agent, server), await isLoggedIn(browser, server)], [false, true]);
    await server.grantTo('emma');
    const digest = await watchword(['user', 'digest', 'emma', '--database', server.database]);
    assert.notEqual(digest.stdout.trim(), old);
    const { length } = server.log();
    const other = new UserAgent();
    await other.submit(await other.get(`${server.baseUrl}/account`), { ...credentials, password: 'wrong' });
    assert.match(server.log().slice(length), new RegExp(digest.stdout.trim()));
    const [event] = (await root.get('/admin/auditEvent?kind=changes&limit=1')).json;
    assert.deepEqual([event.action, event.recordType], ['rotateSecret', 'database']);
  });

  it('--renew asks first, and needs --yes without a terminal', async () => {
    await using server = await startAccountServer();
    const [before] = await server.service.store.sealingKeys.list();
    const { code, stderr } = await watchword(['keys', 'seal', '--renew', '--database', server.database]);
    assert.deepEqual([code, /--yes/.test(stderr)], [2, true]);
    assert.deepEqual(await server.service.store.sealingKeys.list(), [before]);
  });
});

describe(
  'the file that seals signing keys',
  onlyOn('sqlite', 'the server makes the file beside the database'),
  () => {
    it('can be replaced, with the keys that it sealed, while a server runs and signs', async () => {
      await using server = await startAccountServer();
      const root = await server.logIn('root');
      const api = await root.create('/admin/resourceServer', { ...anApi, accessTokenFormat: 'jwt' });
      const client = { ...anApp, scopes: ['read'], allowedClientCredentials: true, expireDuration: 600 };
      const { clientId, secret } = await root.create(`/admin/resourceServer/${api.id}/client`, client);
      const issue = async (): Promise<string> => {
        const form = { grant_type: 'client_credentials' };
        return (await server.post('/oauth2/token', form, `${clientId}:${secret}`)).json.access_token;
      };
      const isValid = async (access_token: string) =>
        (await server.post('/v1/tokeninfo', { access_token }, `${api.key}:${api.secret}`)).status === 200;
      const stolen = await issue();
      assert.ok(await isValid(stolen));
      const { kid } = decodeProtectedHeader(stolen);

      const file = `${server.database}.key`;
      const text = await readFile(file, 'utf8');
      await rm(file);
      await keys(server.database, 'rotate', '--now');
      await keys(server.database, 'retire', kid ?? '', '--compromised', '--yes');
      assert.notEqual(await readFile(file, 'utf8'), text);
      // What this waits for, nodes do by themselves within a second.
      await server.service.store.refreshRegistry();

      assert.ok(!(await isValid(stolen)));
      const fresh = await issue();
      assert.notEqual(decodeProtectedHeader(fresh).kid, kid);
      assert.ok(await isValid(fresh));
    });
  },
);
