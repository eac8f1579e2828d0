import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { codeOf, logIn, optionsFor, requestLogin, type Service, startService } from './support/service.ts';
import { firstKey, secondKey, startTestProvider, type TestProvider } from './support/test-provider.ts';

// Each test is a module of the plan oidcc-client-config-certification-test-plan of the OpenID Foundation, by its name.
describe('as a relying party of the plan Config', () => {
  let provider: TestProvider;
  let service: Service;
  before(async () => {
    provider = await startTestProvider();
    provider.keys = [secondKey, firstKey];
    service = await startService(optionsFor(provider));
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    provider.twist = {};
  });

  it('oidcc-client-test-discovery-openid-config: finds the endpoints in the discovery document', async () => {
    assert.deepEqual(provider.paths, ['/.well-known/openid-configuration']);
    codeOf(await logIn(service));
    assert.deepEqual(provider.paths.slice(1), ['/authorize', '/token', '/jwks', '/userinfo']);
  });

  it('oidcc-client-test-discovery-jwks-uri-keys: verifies by the keys of jwks_uri, which it asks for once', async () => {
    for (let logins = 0; logins < 2; logins += 1) codeOf(await logIn(service));
    assert.equal(provider.paths.filter((path) => path === '/jwks').length, 1);
  });

  it('oidcc-client-test-discovery-issuer-mismatch: uses no discovery document with another issuer', async () => {
    await using provider = await startTestProvider();
    provider.twist = { metadata: ({ issuer }) => ({ issuer: `${issuer}/` }) };
    await using service = await startService(optionsFor(provider));
    const page = await requestLogin(service);
    assert.equal(page.status, 503, page.text);
    assert.match(page.text, /The other service does not answer/);
    const [{ check, detail } = assert.fail()] = service.rejected();
    assert.equal(check, 'metadata');
    assert.match(detail, /expected the issuer .+ in the discovery document, got .+\/"$/);
    assert.equal(provider.requests.length, 0);
  });

  it('oidcc-client-test-idtoken-sig-none: rejects an ID token without a signature', async () => {
    provider.twist = { idToken: (claims) => provider.sign(claims, { alg: 'none' }) };
    assert.equal((await logIn(service)).status, 403);
    assert.equal(service.rejected()[0]?.check, 'signature');
  });

  it('oidcc-client-test-signing-key-rotation-just-before-signing: asks for the keys again for one that is not known', async () => {
    await using provider = await startTestProvider();
    await using service = await startService(optionsFor(provider));
    codeOf(await logIn(service));
    provider.twist = {
      idToken(claims) {
        provider.keys = [secondKey];
        return provider.sign(claims);
      },
    };
    codeOf(await logIn(service));
    assert.equal(provider.paths.filter((path) => path === '/jwks').length, 2);
  });

  it('oidcc-client-test-signing-key-rotation: goes on over every rotation, and asks for keys at most once a minute', async () => {
    using clock = stoppedClock();
    await using provider = await startTestProvider();
    await using service = await startService(optionsFor(provider));
    const asked = () => provider.paths.filter((path) => path === '/jwks').length;
    codeOf(await logIn(service));
    provider.keys = [secondKey];
    codeOf(await logIn(service));
    assert.equal(asked(), 2);
    // Tokens of a key that nobody publishes cause no further request.
    provider.twist = { idToken: (claims) => provider.sign(claims, { kid: 'unknown' }) };
    for (let logins = 0; logins < 3; logins += 1) assert.equal((await logIn(service)).status, 403);
    assert.equal(asked(), 2);
    clock.advance(60);
    assert.equal((await logIn(service)).status, 403);
    assert.equal(asked(), 3);
    provider.twist = {};
    clock.advance(60);
    provider.keys = [firstKey, secondKey];
    codeOf(await logIn(service));
    assert.equal(asked(), 4);
  });
});
