import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dpopAlgorithms } from '@watchword/proofs';
import { DpopKey } from '@watchword/testkit/dpop-key';
import { createGuard, type TokenVerifierOptions } from '../../src/index.ts';
import { composeVerifier } from '../../src/verifier/create-token-verifier.ts';
import {
  type AnswerRequest,
  accept,
  answerWith,
  emma,
  type FakeAuthorizationServer,
  fakeAuthorizationServer,
  hang,
  metadataOf,
  reject,
} from '../support/authorization-server.ts';
import { FakeSystem } from '../support/fake-system.ts';
import { eventually, jwtServer } from '../support/jwt-server.ts';

const wellKnown = '/.well-known/oauth-authorization-server';
const credentials = { key: 'orders-api', secret: 'its-secret' };

/** A server whose token info is where only its metadata say. Its answers can be exchanged by path. */
async function serverWithMetadata(path = '', options: Partial<TokenVerifierOptions> = {}) {
  const answers = new Map<string, AnswerRequest>();
  const server = await fakeAuthorizationServer((request, response) =>
    (answers.get(request.url) ?? answerWith(404, {}))(request, response),
  );
  const { origin } = new URL(server.url);
  const url = `${origin}${path}`;
  const system = new FakeSystem();
  answers.set(`${wellKnown}${path}`, answerWith(200, metadataOf(url, '/about-tokens')));
  answers.set(`${path}/about-tokens`, accept());
  return {
    server,
    system,
    url,
    answers,
    verifier: composeVerifier({ url, ...credentials, ...options }, system),
    paths: () => pathsOf(server),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

const pathsOf = ({ requests }: FakeAuthorizationServer) => requests.map(({ url }) => url);

describe('the option url', () => {
  for (const path of ['', '/auth', '/a/b']) {
    it(`finds token info by the metadata of https://host${path}, which are asked for the first token only`, async () => {
      await using test = await serverWithMetadata(path);
      assert.deepEqual(test.paths(), []);
      const infos = await Promise.all(['one', 'two'].map((token) => test.verifier.verify(token)));
      assert.equal(infos[1]?.principal.name, 'emma');
      await test.verifier.verify('three');
      const asked = `${path}/about-tokens`;
      assert.deepEqual(test.paths(), [`${wellKnown}${path}`, asked, asked, asked]);
      assert.equal(test.server.requests[0]?.headers.authorization, undefined);
    });
  }

  it('gives the algorithms of proofs that the server takes, with the first token, unless the options name some', async () => {
    const resource = 'https://api.example';
    await using test = await serverWithMetadata('', { resource });
    const own = composeVerifier(
      { url: test.url, ...credentials, resource, dpop: { algorithms: ['RS256'] } },
      test.system,
    );
    const named = ['PS256', 'EdDSA', 'ES256', 'Ed448', 7];
    const metadata = { ...metadataOf(test.url, '/about-tokens'), dpop_signing_alg_values_supported: named };
    test.answers.set(wellKnown, answerWith(200, metadata));
    const guard = createGuard(test.verifier);
    const offered = async () => {
      const { headers } = await guard(undefined).catch((error) => error);
      const { dpop_signing_alg_values_supported: ofResource } = Object(test.verifier.resources[0]?.metadata);
      return [headers['www-authenticate'].match(/algs="(.*?)"/)?.[1], ofResource.join(' ')];
    };
    assert.deepEqual(await offered(), [dpopAlgorithms.join(' '), dpopAlgorithms.join(' ')]);
    await Promise.all([test.verifier.verify('one'), own.verify('one')]);
    const taken = 'ES256 EdDSA Ed25519 PS256';
    assert.deepEqual(await offered(), [taken, taken]);
    assert.deepEqual(own.possession.algorithms, ['RS256']);
    assert.equal(test.paths().filter((path) => path === wellKnown).length, 2, 'once for each verifier');
  });

  it('is not needed for these algorithms where the start of an API checks its server', async () => {
    await using test = await serverWithMetadata();
    const metadata = { ...metadataOf(test.url), dpop_signing_alg_values_supported: ['ES256'] };
    test.answers.set(wellKnown, answerWith(200, metadata)).set('/v1/tokeninfo', reject);
    const tokenInfoUrl = `${test.url}/v1/tokeninfo`;
    const verifier = composeVerifier({ tokenInfoUrl, ...credentials, jwt: { local: false } }, test.system);
    assert.deepEqual(verifier.possession.algorithms, dpopAlgorithms);
    await verifier.check();
    assert.deepEqual(verifier.possession.algorithms, ['ES256']);
    test.answers.set(wellKnown, answerWith(500, {}));
    await verifier.check();
    assert.deepEqual(verifier.possession.algorithms, ['ES256']);
  });

  it('is what these algorithms stay as while the metadata cannot be read again', async () => {
    await using test = await serverWithMetadata();
    const named = { dpop_signing_alg_values_supported: ['ES256'] };
    test.answers.set(wellKnown, answerWith(200, { ...metadataOf(test.url, '/about-tokens'), ...named }));
    await test.verifier.verify('one');
    test.answers.set('/about-tokens', answerWith(404, {})).set(wellKnown, answerWith(500, {}));
    test.system.advance(2000);
    const refused = assert.rejects(test.verifier.verify('two'), { status: 503 });
    await eventually(() => {
      if (test.system.isWaitingFor(100)) test.system.advance(100);
      return test.system.warnings.length > 0;
    });
    await refused;
    assert.deepEqual(test.verifier.possession.algorithms, ['ES256']);
  });

  it('refuses a proof by an algorithm that the server does not take, by either name of another', async () => {
    const [rsa, ed25519] = await Promise.all(['RS256', 'Ed25519'].map((name) => DpopKey.create(name)));
    assert.ok(rsa && ed25519);
    await using test = await serverWithMetadata('', { resource: 'https://api.example' });
    const metadata = {
      ...metadataOf(test.url, '/about-tokens'),
      dpop_signing_alg_values_supported: ['EdDSA'],
    };
    test.answers.set(wellKnown, answerWith(200, metadata));
    const ask = async (key: DpopKey) => {
      test.answers.set('/about-tokens', answerWith(200, { ...emma, cnf: { jkt: key.jkt } }));
      const [url, iat] = ['https://api.example/orders', Math.floor(test.system.now() / 1000)];
      const dpop = await key.proof({ url, accessToken: key.jkt, claims: { iat } });
      return createGuard(test.verifier)(`DPoP ${key.jkt}`, new Request(url, { headers: { dpop } }));
    };
    assert.equal((await ask(ed25519)).principal.name, 'emma');
    await assert.rejects(ask(rsa), { code: 'invalid_dpop_proof', reason: 'algorithm' });
  });

  it('can end with slashes', async () => {
    await using test = await serverWithMetadata('/auth');
    const verifier = composeVerifier({ ...credentials, url: `${test.url}//` }, test.system);
    await verifier.verify('one');
    assert.equal(test.paths()[0], `${wellKnown}/auth`);
  });

  it('is enough to verify JWTs without a lookup, of its own issuer only', async () => {
    await using test = await jwtServer();
    const verifier = composeVerifier({ url: test.issuer, ...credentials }, test.system);
    await eventually(async () => (await verifier.verify(await test.issue())).claims !== undefined);
    const lookups = test.count('/v1/tokeninfo');
    await assert.rejects(verifier.verify(await test.issue({ iss: 'https://id.example' })), { status: 401 });
    assert.deepEqual([test.count('/v1/tokeninfo'), test.count(wellKnown)], [lookups, 1]);
    verifier.close();
  });

  for (const [outage, how, reason] of [
    ['is 500', answerWith(500, {}), 'server_error'],
    ['is 404', answerWith(404, {}), 'wrong_address'],
    ['is 429', answerWith(429, {}), 'rate_limited'],
    ['is a redirect', answerWith(302, {}, { location: 'https://id.example' }), 'redirected'],
    ['is HTML', answerWith(200, '<html>'), 'invalid_answer'],
    ['is a list', answerWith(200, []), 'other_issuer'],
    ['is longer than it can be', answerWith(200, ' '.repeat(1_100_000)), 'invalid_answer'],
    ['names no token info', answerWith(200, { tokeninfo_endpoint: undefined }), 'other_issuer'],
  ] as const) {
    it(`says 503 while the answer with the metadata ${outage}, and asks again for the next token`, async () => {
      await using test = await serverWithMetadata();
      const metadata = test.answers.get(wellKnown);
      test.answers.set(wellKnown, how);
      const refused = assert.rejects(test.verifier.verify('one'), { status: 503, reason });
      // A second attempt, where another one can succeed.
      await eventually(() => {
        if (test.system.isWaitingFor(100)) test.system.advance(100);
        return test.system.warnings.length > 0;
      });
      await refused;
      assert.match(test.system.warnings[0] ?? '', new RegExp(`Asked at ${test.url}${wellKnown}: `));
      test.system.advance(1000);
      test.answers.set(wellKnown, metadata ?? hang);
      assert.equal((await test.verifier.verify('one')).principal.name, 'emma');
    });
  }

  it('gives a server that hangs half of the time of a lookup, and asks it again', async () => {
    await using test = await serverWithMetadata();
    const metadata = test.answers.get(wellKnown);
    test.answers.set(wellKnown, hang);
    const first = test.verifier.verify('one');
    await test.server.received(1);
    test.answers.set(wellKnown, metadata ?? hang);
    test.system.advance(2500);
    await eventually(() => test.system.isWaitingFor(100));
    test.system.advance(100);
    assert.equal((await first).principal.name, 'emma');
  });

  it('takes no metadata of another issuer, and sends them neither token nor secret', async () => {
    await using test = await serverWithMetadata('/auth');
    for (const [issuer, shown] of [
      [`${test.url}/`, `"${test.url}/"`],
      [new URL(test.url).origin, `"${new URL(test.url).origin}"`],
      ['https://id.example', '"https://id.example"'],
      [undefined, 'nothing'],
      // What is hostile is neither another error nor a line of its own.
      [{ toString: 1 }, 'a value of type object'],
      ['x\nwarning: \u001b[2J', '"x\\nwarning: \\u001b[2J"'],
      ['y'.repeat(9999), `"${'y'.repeat(80)}"`],
    ] as const) {
      test.answers.set(`${wellKnown}/auth`, answerWith(200, { ...metadataOf(test.url), issuer }));
      test.system.advance(1000);
      await assert.rejects(test.verifier.verify('one'), { status: 503, reason: 'other_issuer' });
      const warning = test.system.warnings.at(-1) ?? '';
      assert.ok(
        warning.includes(`expected the issuer ${test.url} of the option url, letter by letter`),
        warning,
      );
      assert.ok(warning.includes(`its metadata states ${shown}`), warning);
    }
    assert.deepEqual(new Set(test.paths()), new Set([`${wellKnown}/auth`]));
  });

  it('can be another address of the server, whose issuer the option issuer names', async () => {
    await using test = await serverWithMetadata();
    const inside = { url: test.url.replace('127.0.0.1', 'localhost'), ...credentials };
    await assert.rejects(composeVerifier(inside, test.system).verify('one'), { reason: 'other_issuer' });
    const verifier = composeVerifier({ ...inside, issuer: test.url }, test.system);
    assert.equal((await verifier.verify('one')).principal.name, 'emma');
  });

  it('sends tokens and secret to no address of another origin', async () => {
    await using test = await serverWithMetadata();
    await using thief = await fakeAuthorizationServer();
    for (const member of ['tokeninfo_endpoint', 'jwks_uri', 'revocation_feed_endpoint']) {
      for (const address of [thief.url, test.url.replace('127.0.0.1', 'localhost'), 'file:///x', 7, null]) {
        const verifier = composeVerifier({ url: test.url, ...credentials }, test.system);
        const metadata = { ...metadataOf(test.url, '/about-tokens'), [member]: address };
        test.answers.set(wellKnown, answerWith(200, metadata));
        await assert.rejects(verifier.verify('one'), {
          reason: 'invalid_answer',
          detail: new RegExp(`^expected an address of ${test.url} as ${member} of its metadata, got `),
        });
      }
    }
    assert.deepEqual(thief.requests, []);
    assert.deepEqual(new Set(test.paths()), new Set([wellKnown]));
  });

  it('names the member that the metadata of an older server lack', async () => {
    await using test = await serverWithMetadata();
    test.answers.set(wellKnown, answerWith(200, { issuer: test.url }));
    const detail =
      /^expected the member tokeninfo_endpoint in its metadata; update the server, or set tokenInfoUrl/;
    await assert.rejects(test.verifier.verify('one'), { reason: 'invalid_answer', detail });
  });

  it('asks token info about each JWT while the metadata name no feed', async () => {
    await using test = await jwtServer();
    test.metadata = { revocation_feed_endpoint: undefined };
    const verifier = composeVerifier({ url: test.issuer, ...credentials }, test.system);
    assert.equal((await verifier.verify(await test.issue())).claims, undefined);
    await eventually(() => test.system.warnings.some((line) => line.includes('revocation_feed_endpoint')));
    verifier.close();
  });

  it('finds token info again after it moved', async () => {
    await using test = await serverWithMetadata();
    await test.verifier.verify('one');
    test.answers.delete('/about-tokens');
    test.answers.set('/moved', accept());
    test.answers.set(wellKnown, answerWith(200, metadataOf(test.url, '/moved')));
    // Not at each failure: metadata are at least a second old.
    await assert.rejects(test.verifier.verify('two'), { reason: 'wrong_address' });
    await assert.rejects(test.verifier.verify('two'), { reason: 'wrong_address' });
    test.system.advance(1000);
    await assert.rejects(test.verifier.verify('two'), { reason: 'wrong_address' });
    assert.equal((await test.verifier.verify('two')).principal.name, 'emma');
    const asked = ['/about-tokens', '/about-tokens', '/about-tokens', '/about-tokens'];
    assert.deepEqual(test.paths(), [wellKnown, ...asked, wellKnown, '/moved']);
  });

  it('does not ask for metadata again because a token is rejected', async () => {
    await using test = await serverWithMetadata();
    test.answers.set('/about-tokens', reject);
    for (const token of ['one', 'two']) {
      await assert.rejects(test.verifier.verify(token), { status: 401 });
      test.system.advance(5000);
    }
    assert.equal(test.paths().filter((path) => path === wellKnown).length, 1);
  });

  it('reads token info in the form that the metadata say, unless the option says another one', async () => {
    const text = ['java.util.ArrayList', ['read']];
    const principal = {
      ...emma.principal,
      roles: ['java.util.ArrayList', []],
      groups: ['java.util.ArrayList', []],
      attributes: ['java.util.HashMap', {}],
    };
    const typed = ['Response', { ...emma, scopes: text, principal: ['Principal', principal] }];
    await using test = await serverWithMetadata();
    const metadata = { ...metadataOf(test.url, '/about-tokens'), tokeninfo_json_type_info_included: true };
    test.answers.set(wellKnown, answerWith(200, metadata));
    test.answers.set('/about-tokens', answerWith(200, typed));
    assert.deepEqual((await test.verifier.verify('one')).scopes, ['read']);
    const plain = { url: test.url, ...credentials, jsonTypeInfoIncluded: false };
    await assert.rejects(composeVerifier(plain, test.system).verify('one'), { reason: 'invalid_answer' });
  });
});
