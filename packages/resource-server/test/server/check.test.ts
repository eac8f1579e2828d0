import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { freePort } from '@watchword/testkit/free-port';
import { CheckError, type CheckFinding, type TokenVerifierOptions } from '../../src/index.ts';
import { type System, system } from '../../src/platform/system.ts';
import { fakeVerifier } from '../../src/testing.ts';
import { composeVerifier } from '../../src/verifier/create-token-verifier.ts';
import {
  accept,
  answerWith,
  fakeAuthorizationServer,
  hang,
  metadataOf,
  reject,
} from '../support/authorization-server.ts';
import { FakeSystem } from '../support/fake-system.ts';
import { jwtServer } from '../support/jwt-server.ts';

const secret = 'demo-resource-server-secret';
const demo = { key: 'demo-resource-server', secret };
const known = { ...demo, publicUrl: 'https://api.example' };

type Levels = Partial<Record<CheckFinding['check'], CheckFinding['level']>>;

const good: Levels = {
  address: 'ok',
  credentials: 'ok',
  issuer: 'ok',
  clock: 'ok',
  format: 'ok',
  proofs: 'ok',
};
const unasked: Levels = { ...good, credentials: 'skipped', issuer: 'skipped', format: 'skipped' };

/** The findings of a check, whether one of them is broken or not. */
async function checked(options: Partial<TokenVerifierOptions>, machine: System = system) {
  const verifier = composeVerifier({ ...known, warn() {}, ...options }, machine);
  return outcomeOf(verifier.check(), options.secret ?? secret);
}

async function outcomeOf(check: Promise<readonly CheckFinding[]>, hidden = secret) {
  const error: unknown = await check.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (error !== undefined) assert.ok(error instanceof CheckError, String(error));
  const findings = error?.findings ?? (await check);
  const levels = Object.fromEntries(findings.map(({ check, level }) => [check, level]));
  assert.equal(error !== undefined, Object.values(levels).includes('broken'));
  for (const { check, level, message, expected, advice } of findings) {
    if (level === 'broken')
      assert.ok(error?.message.includes(`\n  ${check}: ${message}; expected ${expected}`));
    if (level === 'broken' || level === 'warning') assert.ok(expected && advice, check);
  }
  const said = findings.map(({ check, message, advice }) => `${check}: ${message} -> ${advice}`).join('\n');
  assert.ok(!`${said} ${error?.message}`.includes(hidden));
  return { levels, said };
}

describe('the check of a verifier, against the real server', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const byUrl = () => ({ url: server.service.baseUrl });
  const byTokenInfo = () => ({ tokenInfoUrl: `${server.baseUrl}/v1/tokeninfo` });

  for (const [option, connection] of [
    ['url', byUrl],
    ['tokenInfoUrl', byTokenInfo],
  ] as const) {
    it(`finds all good, with ${option}`, async () => {
      const { levels, said } = await checked(connection());
      assert.deepEqual(levels, good);
      assert.match(said, /^address: the server answers at http:.*\/v1\/tokeninfo /m);
      assert.ok(said.includes(`the issuer is ${server.service.baseUrl} `));
      assert.match(said, /^format: tokens are opaque; token info has no type information/m);
    });

    it(`names a wrong secret, and an unknown key, with ${option}`, async () => {
      for (const wrong of [{ secret: 'a-wrong-secret' }, { key: 'unknown' }]) {
        const { levels, said } = await checked({ ...connection(), ...wrong });
        assert.deepEqual(levels, { ...good, credentials: 'broken', format: 'skipped' });
        assert.match(said, /^credentials: .* rejected the credentials .*resource-server rotate-secret/m);
      }
    });

    it(`names an issuer that the server is not, with ${option}`, async () => {
      const issuer = 'https://id.example.com';
      const { levels, said } = await checked({ ...connection(), issuer });
      assert.equal(levels.issuer, 'broken');
      assert.ok(said.includes(`expected the issuer ${issuer} of the option issuer`));
      assert.ok(said.includes(`states "${server.service.baseUrl}" `));
    });

    it(`names a clock that is two minutes off, with ${option}`, async () => {
      for (const [ahead, which] of [
        [120_000, 'ahead of'],
        [-120_000, 'behind'],
      ] as const) {
        const machine = { ...system, now: () => Date.now() + ahead };
        const { levels, said } = await checked(connection(), machine);
        assert.deepEqual(levels, { ...good, clock: 'broken' });
        assert.match(said, new RegExp(`^clock: .* ${which} that of the server -> .*NTP`, 'm'));
      }
    });

    it(`names a form of token info that the server does not have, with ${option}`, async () => {
      const { levels, said } = await checked({ ...connection(), jsonTypeInfoIncluded: true });
      assert.deepEqual(levels, { ...good, format: 'broken' });
      assert.match(said, /^format: token info has no type information.*set jsonTypeInfoIncluded to false/m);
    });
  }

  it('warns of a clock that is off by more than its tolerance, and goes on', async () => {
    const machine = { ...system, now: () => Date.now() + 30_000 };
    const { levels } = await checked(byUrl(), machine);
    assert.deepEqual(levels, { ...good, clock: 'warning' });
  });

  it('names an address at which the server has nothing', async () => {
    for (const wrong of [
      { url: `${server.baseUrl}/auth` },
      { tokenInfoUrl: `${server.baseUrl}/v1/tokeninfo/` },
    ]) {
      const { levels, said } = await checked(wrong);
      assert.deepEqual([levels.address, levels.credentials], ['broken', 'skipped']);
      assert.match(said, /^address: .* answered 404: .* -> set url to the baseUrl of the server/m);
    }
  });

  it('verifies the list of revocations where the tokens are JWTs', async () => {
    const { resourceServer, secret } = await registerResourceServer(server, 'Orders', {
      accessTokenFormat: 'jwt',
      scopes: ['read'],
    });
    const own = { key: resourceServer.key, secret };
    for (const connection of [byUrl(), byTokenInfo()]) {
      const { levels, said } = await checked({ ...connection, ...own });
      assert.deepEqual(levels, good);
      assert.match(said, /^format: tokens are JWTs, and are verified without a lookup/m);
      const lookups = await checked({ ...connection, ...own, jwt: { local: false } });
      assert.match(lookups.said, /^format: each token is a lookup/m);
    }
  });

  it('finds the form with type information good, where it is stated or set', async () => {
    await using typed = await startServer({ 'adminService.jsonTypeInfoIncluded': 'true' });
    const tokenInfoUrl = `${typed.baseUrl}/v1/tokeninfo`;
    assert.deepEqual((await checked({ url: typed.service.baseUrl })).levels, good);
    assert.deepEqual((await checked({ tokenInfoUrl, jsonTypeInfoIncluded: true })).levels, good);
    const { levels, said } = await checked({ tokenInfoUrl });
    assert.deepEqual(levels, { ...good, format: 'broken' });
    assert.match(said, /set jsonTypeInfoIncluded to true/);
  });

  it('leaves the verifier as it was', async () => {
    const verifier = composeVerifier({ ...demo, ...byUrl(), warn() {} }, system);
    const token = await server.issueToken();
    for (const _ of [1, 2]) await verifier.check();
    assert.equal((await verifier.verify(token)).principal.name, 'demo-service');
  });
});

describe('the check of a verifier', () => {
  for (const option of ['url', 'tokenInfoUrl'] as const) {
    it(`names a server that cannot be reached, with ${option}`, async () => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const connection = option === 'url' ? { url } : { tokenInfoUrl: `${url}/v1/tokeninfo` };
      const { levels, said } = await checked(connection);
      assert.deepEqual(levels, { ...unasked, address: 'broken', clock: 'skipped' });
      assert.match(said, /^address: The authorization server could not be reached\..* -> find out whether/m);
    });

    it(`ends after its timeout where a server hangs, with ${option}`, async () => {
      await using server = await fakeAuthorizationServer(hang);
      const machine = new FakeSystem();
      const url = new URL(server.url).origin;
      const connection = option === 'url' ? { url } : { tokenInfoUrl: server.url };
      const verifier = composeVerifier({ ...known, ...connection, timeout: 1000 }, machine);
      const check = outcomeOf(verifier.check());
      // One request at a time: with tokenInfoUrl the metadata first, which it does without.
      for (let requests = 1; requests <= (option === 'url' ? 1 : 2); requests += 1) {
        await server.received(requests);
        machine.advance(500);
      }
      const { levels, said } = await check;
      assert.deepEqual(levels, { ...unasked, address: 'broken', clock: 'skipped' });
      assert.match(said, /^address: The authorization server did not answer in time/m);
      assert.equal(machine.timers, 0);
    });

    it(`takes no HTML for an answer, with ${option}`, async () => {
      await using server = await fakeAuthorizationServer(answerWith(200, '<!doctype html>'));
      const url = new URL(server.url).origin;
      const { levels, said } = await checked(option === 'url' ? { url } : { tokenInfoUrl: server.url });
      assert.deepEqual(levels, { ...unasked, address: 'broken', clock: 'skipped' });
      assert.match(said, /^address: .* gave an answer that is no token info\. .*: expected .*JSON/m);
    });
  }

  it('takes no server for the right one that accepts a made-up token', async () => {
    await using server = await fakeAuthorizationServer(accept());
    const { levels, said } = await checked({ tokenInfoUrl: server.url });
    assert.equal(levels.address, 'broken');
    assert.match(said, /it accepts a made-up token/);
  });

  it('needs no metadata with tokenInfoUrl, and then says what it does not know', async () => {
    await using server = await fakeAuthorizationServer((request, response) =>
      (request.url === '/v1/tokeninfo' ? reject : answerWith(404, { error: 'not_found' }))(request, response),
    );
    const { levels, said } = await checked({ tokenInfoUrl: server.url });
    assert.deepEqual(levels, { ...good, issuer: 'skipped', clock: 'skipped' });
    assert.match(said, /token info has a form that the server does not state/);
  });

  it('goes on with a warning where the server asks to be asked less often', async () => {
    await using server = await fakeAuthorizationServer(answerWith(429, {}));
    const { levels } = await checked({ tokenInfoUrl: server.url });
    assert.deepEqual(levels, { ...unasked, address: 'warning', clock: 'skipped' });
  });

  it('warns of a secret that travels unencrypted', async () => {
    const issuer = 'http://id.example.com';
    await using server = await fakeAuthorizationServer((request, response) =>
      (request.url === '/v1/tokeninfo' ? reject : answerWith(200, metadataOf(issuer)))(request, response),
    );
    const fetch: TokenVerifierOptions['fetch'] = (url, init) =>
      globalThis.fetch(url.replace(issuer, new URL(server.url).origin), init);
    const { levels, said } = await checked({ url: issuer, fetch });
    assert.equal(levels.address, 'warning');
    assert.match(said, /^address: .* unencrypted to http:\/\/id\.example\.com/m);
  });

  it('warns where JWTs are lookups, because the list cannot be had or relied on', async () => {
    await using test = await jwtServer({ publicUrl: 'https://api.example' });
    test.tokenInfo = reject;
    const { levels } = await outcomeOf(test.verifier.check());
    assert.deepEqual(levels, { ...good, clock: 'skipped' });
    const signed = test.listClaims;
    for (const [break_, problem] of [
      [() => (test.feed = answerWith(502, '')), /^format: each JWT is a lookup: .* answered 502 -> look at/m],
      [() => (test.feed = answerWith(404, '<h1>')), /^format: each JWT .* answered 404.* let proxies pass/m],
      [() => (test.listClaims = { aud: 'invoices-api' }), /^format: .*signed for this API/m],
    ] as const) {
      test.feed = undefined;
      test.listClaims = signed;
      break_();
      const { levels, said } = await outcomeOf(test.verifier.check());
      assert.deepEqual(levels, { ...good, clock: 'skipped', format: 'warning' });
      assert.match(said, problem);
    }
  });

  it('names the issuer of the list, where only the list tells it', async () => {
    await using test = await jwtServer({ issuer: 'https://id.example.com' });
    test.tokenInfo = reject;
    test.metadata = { issuer: undefined };
    const { levels, said } = await outcomeOf(test.verifier.check());
    assert.equal(levels.issuer, 'broken');
    assert.match(said, /^issuer: .*https:\/\/id\.example\.com .* its list of revocations states/m);
  });

  it('is the same of the fake verifier', async () => {
    const fake = fakeVerifier({ publicUrl: 'https://api.example' });
    assert.deepEqual((await outcomeOf(fake.check())).levels, good);
    fake.fail();
    assert.equal((await outcomeOf(fake.check())).levels.address, 'broken');
    fake.fail('credentials_refused');
    assert.equal((await outcomeOf(fake.check())).levels.credentials, 'broken');
    fake.recover();
    await fake.check();
  });
});
