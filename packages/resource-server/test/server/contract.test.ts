import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it, mock } from 'node:test';
import { clientAdministration, resourceServerAdministration, systemCaller } from '@watchword/administration';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { demoClient, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { systemClock, systemRandom } from '../../../server/src/system.ts';
import type { TokenVerifierOptions } from '../../src/index.ts';
import { assertDemoInfo, grant, verifierFor } from '../support/demo-verifier.ts';

const system = { clock: systemClock, random: systemRandom };

async function issue(server: TestServer, credentials: string): Promise<string> {
  return (await server.post('/oauth2/token', grant, credentials)).json.access_token;
}

for (const jsonTypeInfoIncluded of [false, true]) {
  describe(`against the real server, type information ${jsonTypeInfoIncluded ? 'included' : 'left out'}`, () => {
    const options = { jsonTypeInfoIncluded };
    let server: TestServer;
    before(async () => {
      server = await startServer({ 'adminService.jsonTypeInfoIncluded': String(jsonTypeInfoIncluded) });
    });
    after(() => server[Symbol.asyncDispose]());

    // What the form of an answer does not change is asked in one form.
    const alike = jsonTypeInfoIncluded ? slowTest : it;

    it('the token info of a token is as in the contract', async () => {
      const { verify } = verifierFor(server.baseUrl, options);
      assertDemoInfo(await verify(await server.issueToken()));
    });

    alike('the base URL alone is enough', async () => {
      const { verify } = verifierFor('', { tokenInfoUrl: undefined, url: server.service.baseUrl });
      assertDemoInfo(await verify(await server.issueToken()));
    });

    it('the token info of a user has everything that the authentication module returned about the user', async () => {
      const principal = {
        name: 'emma@example.com',
        roles: ['staff', 'boss of Zürich'],
        groups: ['["java.util.ArrayList"]'],
        adminPrincipal: true,
        attributes: { DISPLAY_NAME: 'Emma "Ö" 😀', constructor: 'x' },
      };
      await using directory = await temporaryDirectory();
      const step = `async () => ({ type: 'authenticated', principal: ${JSON.stringify(principal)} })`;
      await writeFile(
        directory.file('module.mjs'),
        `export default () => ({ name: 'x', begin: ${step}, resume: ${step} });`,
      );
      await using server = await startServer({
        'adminService.jsonTypeInfoIncluded': String(jsonTypeInfoIncluded),
        authenticator: directory.file('module.mjs'),
        consent: 'noop',
      });
      const application = await registerApplication(server, { scopes: ['read'], clientName: 'Web shop' });
      const { access_token } = await application.obtainTokens();
      const info = await verifierFor(server.baseUrl, options).verify(access_token);
      assert.deepEqual([info.audience, info.scopes, info.principal], ['Web shop', ['read'], principal]);
    });

    it('the expiry is in epoch milliseconds', async () => {
      const { credentials } = await registerClient(server, { expireDuration: 3600 });
      const before = Date.now();
      const { expires_in } = await verifierFor(server.baseUrl, options).verify(
        await issue(server, credentials),
      );
      assert.ok(expires_in >= before + 3_600_000 && expires_in <= Date.now() + 3_600_000);
    });

    alike('a token is rejected as expired after its expiry', async (t) => {
      const { credentials } = await registerClient(server, { expireDuration: 60 });
      const token = await issue(server, credentials);
      const { verify } = verifierFor(server.baseUrl, options);
      await verify(token);
      const now = Date.now();
      t.after(() => mock.restoreAll());
      mock.method(Date, 'now', () => now + 61_000);
      await assert.rejects(verify(token), { name: 'TokenRejected', reason: 'expired' });
    });

    alike('unknown, foreign and revoked tokens are rejected with the same error', async () => {
      const other = await registerResourceServer(server, 'Other API');
      const foreign = await registerClient(server, {}, other.resourceServer.key);
      const revoked = await server.issueToken();
      await server.post('/oauth2/revoke', { token: revoked }, demoClient);
      const { verify } = verifierFor(server.baseUrl, options);
      const foreignToken = await issue(server, foreign.credentials);
      for (const token of ['made-up', `wwa_${'A'.repeat(70)}`, revoked, foreignToken]) {
        await assert.rejects(verify(token), { name: 'TokenRejected', reason: 'unknown', status: 401 });
      }
      const theirs = verifierFor(server.baseUrl, {
        ...options,
        key: other.resourceServer.key,
        secret: other.secret,
      });
      assert.equal((await theirs.verify(foreignToken)).audience, foreign.client.clientName);
    });

    it('a wrong setting of type information gives no access, and the warning names it', async () => {
      const warnings: string[] = [];
      const { verify } = verifierFor(server.baseUrl, {
        jsonTypeInfoIncluded: !jsonTypeInfoIncluded,
        warn: (message) => void warnings.push(message),
      });
      await assert.rejects(verify(await server.issueToken()), { status: 503, reason: 'invalid_answer' });
      assert.match(warnings.join(), /jsonTypeInfoIncluded/);
    });
  });
}

describe('against the real server', () => {
  let server: TestServer;
  before(async () => {
    // A test reads all that is ever logged.
    server = await startServer({ 'log.level': 'debug' });
  });
  after(() => server[Symbol.asyncDispose]());

  type Api = Pick<TokenVerifierOptions, 'key' | 'secret' | 'resource' | 'issuer'>;
  const lookedUp = (token: string, api: Api) =>
    verifierFor(server.baseUrl, { ...api, jwt: { local: false } }).verify(token);

  /** Verified by the list of revocations, which the verifier reads meanwhile. */
  async function verifiedHere(token: string, api: Api) {
    const verifier = verifierFor(server.baseUrl, { ...api, jwt: { local: true } });
    for (let turns = 0; turns < 1000; turns += 1) {
      await verifier.invalidate(token);
      const info = await verifier.verify(token);
      if (info.claims === undefined) continue;
      verifier.close();
      return info;
    }
    throw new Error('the token was never verified here');
  }

  it('wrong credentials give no access', async () => {
    const token = await server.issueToken();
    for (const wrong of [
      { secret: 'wrong' },
      { key: 'unknown' },
      { key: 'demo-service', secret: 'demo-service-secret' },
    ]) {
      await assert.rejects(verifierFor(server.baseUrl, wrong).verify(token), {
        status: 503,
        reason: 'credentials_refused',
      });
    }
  });

  it('the longest access token that the server issues is accepted, by a lookup of either form and verified here', async () => {
    const scopes = Array.from({ length: 99 }, (_, index) => `scope-${index}-`.padEnd(115, 's'));
    const { resourceServer, secret, credentials } = await registerResourceServer(server, 'Long tokens', {
      accessTokenFormat: 'jwt',
      scopes,
    });
    const job = await registerClient(server, { scopes, expireDuration: 600 }, resourceServer.key);
    const request = async (count: number) =>
      server.post('/oauth2/token', { ...grant, scope: scopes.slice(0, count).join(' ') }, job.credentials);
    let count = scopes.length;
    for (let answer = await request(count); answer.status !== 200; answer = await request(count)) {
      assert.equal(answer.status, 400);
      assert.equal(answer.json.error, 'invalid_scope');
      count -= 1;
    }
    assert.ok(count < scopes.length);
    const token: string = (await request(count)).json.access_token;
    assert.ok(token.length > 14_336 - 160 && token.length <= 14_336, String(token.length));
    assert.match(server.log(), new RegExp(`"clientId":"${job.client.clientId}"`));
    const asked = await server.get(`/v1/tokeninfo?access_token=${token}`, {
      authorization: `Basic ${btoa(credentials)}`,
    });
    assert.equal(asked.status, 200);
    const own = { key: resourceServer.key, secret };
    assert.equal((await lookedUp(token, own)).scopes.length, count);
    assert.equal((await verifiedHere(token, own)).scopes.length, count);
  });

  it('a JWT for two APIs gives at one none of the scopes of the other, also if it gets a scope of the same name', async () => {
    const register = (name: string) =>
      registerResourceServer(server, name, {
        ...{ accessTokenFormat: 'jwt', scopes: [name], resources: [`https://${name}.example`] },
      });
    const [orders, stock] = [await register('orders'), await register('stock')];
    const { credentials } = await registerClient(server, {
      expireDuration: 600,
      otherResourceServers: [orders, stock].map(({ resourceServer: { id, scopes } }) => ({
        ...{ resourceServerId: id, scopes },
      })),
    });
    const form = new URLSearchParams({ ...grant, scope: 'orders stock', resource: 'https://orders.example' });
    form.append('resource', 'https://stock.example');
    const { access_token: token } = (await server.post('/oauth2/token', form.toString(), credentials)).json;
    const admin = resourceServerAdministration({ ...server.service.store, ...system });
    const wider = { scopes: ['orders', 'stock'] };
    await admin.update(systemCaller, stock.resourceServer.id, { apply: () => wider });
    await server.service.store.refreshRegistry();
    const own = {
      ...{ key: stock.resourceServer.key, secret: stock.secret },
      ...{ resource: 'https://stock.example', issuer: server.service.baseUrl },
    };
    assert.deepEqual((await lookedUp(token, own)).scopes, ['stock']);
    assert.deepEqual((await verifiedHere(token, own)).scopes, ['stock']);
  });

  it('an address that the server does not have is 503 and a warning, and no token is called invalid', async () => {
    const token = await server.issueToken();
    for (const path of [
      '/v1/tokeninfo/',
      '//v1/tokeninfo',
      '/v1//tokeninfo',
      '/v1/TokenInfo',
      '/V1/tokeninfo',
      '/v1/token-info',
      '/auth/v1/tokeninfo',
    ]) {
      const warnings: string[] = [];
      const tokenInfoUrl = `${server.baseUrl}${path}`;
      const { verify } = verifierFor(server.baseUrl, { tokenInfoUrl, warn: (line) => warnings.push(line) });
      await assert.rejects(verify(token), { status: 503, reason: 'wrong_address' }, path);
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0] ?? '',
        /has nothing at the address that was asked\. .*: it answered 404: compare/,
      );
      assert.ok(warnings[0]?.includes(`Asked at ${tokenInfoUrl}: `));
    }
  });

  it('a base URL can have a path', async () => {
    await using below = await startServer({ baseUrl: 'http://127.0.0.1:8080/auth' });
    const { verify } = verifierFor(below.baseUrl);
    assert.match(below.baseUrl, /\/auth$/);
    assertDemoInfo(await verify(await below.issueToken()));
    const addresses: string[] = [];
    const byMetadata = verifierFor('', {
      tokenInfoUrl: undefined,
      url: 'http://127.0.0.1:8080/auth',
      fetch(address, init) {
        addresses.push(address);
        return fetch(address.replace(':8080', `:${below.port}`), init);
      },
    });
    assertDemoInfo(await byMetadata.verify(await below.issueToken()));
    assert.deepEqual(
      addresses.map((address) => new URL(address).pathname),
      ['/.well-known/oauth-authorization-server/auth', '/auth/v1/tokeninfo'],
    );
  });

  it('a revoked token is accepted until its answer is too old, and no longer after invalidate', async () => {
    const { verify, invalidate } = verifierFor(server.baseUrl);
    const token = await server.issueToken();
    await verify(token);
    await server.post('/oauth2/revoke', { token }, demoClient);
    assertDemoInfo(await verify(token));
    await invalidate(token);
    await assert.rejects(verify(token), { reason: 'unknown' });
  });

  it('the tokens of a deleted client are rejected', async () => {
    const { client, credentials } = await registerClient(server);
    const token = await issue(server, credentials);
    const { verify, invalidate } = verifierFor(server.baseUrl);
    await verify(token);
    const { store } = server.service;
    const admin = clientAdministration({ ...store, ...system });
    await admin.delete(systemCaller, client);
    await invalidate(token);
    await assert.rejects(verify(token), { reason: 'unknown' });
  });

  it('no token is in its log', async () => {
    const token = await server.issueToken();
    await verifierFor(server.baseUrl).verify(token);
    assert.ok(!server.log().includes(token));
  });
});
