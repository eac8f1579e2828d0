import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { dpopAlgorithms } from '@watchword/proofs';
import { testKey } from '@watchword/testkit/certificate';
import { type AccessRules, requireScope, type TokenInfo, type TokenVerifier } from '../../src/index.ts';
import { dpopClient, type FakeVerifier, fakeVerifier } from '../../src/testing.ts';

/**
 * An API with one address that answers `GET` with `{"name": "<name of the principal>"}`, and a preflight with
 * `x-preflight: passed`.
 */
export interface Api extends AsyncDisposable {
  /** @param path default: `/orders` */
  send(method: string, headers: readonly (readonly [string, string])[], path?: string): Promise<Response>;
  /** Where its requests come from; `undefined` where the platform does not tell it. */
  readonly peer?: string;
  /** How often the handler of the API ran. */
  readonly calls: () => number;
}

/** What the handler answers, if the token has the scope of the header `x-scope`, should that have come. */
export function answerFor(tokenInfo: TokenInfo | undefined, scope: unknown): { name: string | undefined } {
  if (typeof scope === 'string') requireScope(tokenInfo, scope);
  return { name: tokenInfo?.principal.name };
}

/** The address of a request that is not sent: its header may name the host. */
export function addressOf(headers: readonly (readonly [string, string])[], path: string): string {
  const [, host = 'api.example'] = headers.find(([name]) => name === 'host') ?? [];
  return `http://${host}${path}`;
}

export type StartApi = (verifier: TokenVerifier, rules: AccessRules) => Promise<Api>;

const rules: AccessRules = { scope: ['read', 'write'], realm: 'orders' };
const noStore = 'no-store';
const offer = `DPoP algs="${dpopAlgorithms.join(' ')}"`;

/** What every middleware has to do, over its real framework. */
export function middlewareConformance(name: string, startApi: StartApi): void {
  describe(`the middleware for ${name}`, () => {
    it('accepts a valid token and adds its token info to the request', async () => {
      const test = await usual();
      const token = test.verifier.issue({ scopes: ['read', 'write'], principal: { name: 'emma' } });
      for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
        const answer = await test.get(`${scheme} ${token}`);
        assert.equal(answer.status, 200);
        assert.deepEqual(await answer.json(), { name: 'emma' });
      }
      assert.equal(test.api.calls(), 3);
    });

    it('asks for a missing token, without an error code', async () => {
      const test = await usual();
      const challenge = 'Bearer realm="orders", scope="read write"';
      for (const header of [undefined, 'Basic YTpi', 'abc', '']) {
        await refused(await test.get(header), 401, 'missing_token', challenge);
      }
      assert.equal(test.api.calls(), 0);
    });

    it('rejects a token that is unknown, revoked or expired with 401 invalid_token', async () => {
      const test = await usual();
      const challenge = (description: string) =>
        `Bearer realm="orders", scope="read write", error="invalid_token", error_description="${description}"`;
      const expired = test.verifier.issue({ scopes: ['read', 'write'], expires_in: 1 });
      const revoked = test.verifier.issue({ scopes: ['read', 'write'] });
      test.verifier.reject(revoked);
      const notValid = challenge('The access token is not valid.');
      await refused(await test.get('Bearer made-up'), 401, 'invalid_token', notValid);
      await refused(await test.get(`Bearer ${revoked}`), 401, 'invalid_token', notValid);
      const hasExpired = challenge('The access token has expired.');
      await refused(await test.get(`Bearer ${expired}`), 401, 'invalid_token', hasExpired);
      assert.equal(test.api.calls(), 0);
    });

    it('rejects a header that cannot be read with 400 invalid_request', async () => {
      const test = await usual();
      const challenge =
        /^Bearer realm="orders", scope="read write", error="invalid_request", error_description="[^"]+"$/;
      for (const header of ['Bearer', 'Bearer a b', 'Bearer a, Bearer b', 'Bearer "a"', 'Bearer a;b']) {
        await refused(await test.get(header), 400, 'invalid_request', challenge);
      }
      assert.equal(test.api.calls(), 0);
    });

    it('rejects two Authorization headers, because another program can use the other one', async () => {
      const test = await usual();
      const good = `Bearer ${test.verifier.issue({ scopes: ['read', 'write'] })}`;
      for (const pair of [
        [good, good],
        [good, 'Bearer made-up'],
        ['Bearer made-up', good],
        [good, 'Basic YTpi'],
      ]) {
        const headers = pair.map(
          (value, index) => [index ? 'AUTHORIZATION' : 'authorization', value] as const,
        );
        const answer = await test.api.send('GET', headers);
        assert.equal(answer.status, 400, pair.join());
      }
      assert.equal(test.api.calls(), 0);
    });

    it('rejects a token without a required scope with 403 insufficient_scope, which names the scope', async () => {
      const test = await usual();
      const token = test.verifier.issue({ scopes: ['read'] });
      const challenge =
        'Bearer realm="orders", scope="read write", error="insufficient_scope", ' +
        'error_description="The request requires the scope read write."';
      await refused(await test.get(`Bearer ${token}`), 403, 'insufficient_scope', challenge);
      assert.equal(test.api.calls(), 0);
    });

    it('rejects a principal without a required role or group with 403', async () => {
      await using test = await start({ role: ['clerk', 'boss'], group: 'sales' });
      const issue = (roles: string[], groups: string[]) =>
        test.verifier.issue({ principal: { roles, groups } });
      const good = issue(['boss', 'clerk'], ['it', 'sales']);
      assert.equal((await test.get(`Bearer ${good}`)).status, 200);
      for (const token of [issue(['clerk'], ['sales']), issue(['boss', 'clerk'], [])]) {
        const challenge = /^Bearer realm="api", error="insufficient_scope", error_description="[^"]+"$/;
        await refused(await test.get(`Bearer ${token}`), 403, 'insufficient_scope', challenge);
      }
      assert.equal(test.api.calls(), 1);
    });

    it('asks for a stronger or more recent login with 401 insufficient_user_authentication (RFC 9470)', async () => {
      await using test = await start({ ...rules, acrValues: 'gold', maxAge: 300 });
      const now = Math.floor(Date.now() / 1000);
      const issue = (acr: string, auth_time: number) =>
        test.verifier.issue({ scopes: ['read', 'write'], acr, auth_time });
      assert.equal((await test.get(`Bearer ${issue('gold', now - 200)}`)).status, 200);
      const challenge =
        /^Bearer realm="orders", scope="read write", error="insufficient_user_authentication", error_description="[^"]+", acr_values="gold", max_age="300"$/;
      for (const token of [issue('silver', now), issue('gold', now - 400)]) {
        await refused(await test.get(`Bearer ${token}`), 401, 'insufficient_user_authentication', challenge);
      }
      assert.equal(test.api.calls(), 1);
    });

    it('accepts a token with one of several scopes, roles or groups, and names the first scope to others', async () => {
      const any = { scope: ['read', { any: ['write', 'admin'] }], role: { any: ['clerk', 'boss'] } };
      await using test = await start({ ...any, group: { any: ['sales', 'it'] } });
      const answerTo = (scopes: string[], roles: string[], groups: string[]) =>
        test.get(`Bearer ${test.verifier.issue({ scopes, principal: { roles, groups } })}`);
      assert.equal((await answerTo(['read', 'admin'], ['boss'], ['it'])).status, 200);
      assert.equal((await answerTo(['write', 'read'], ['clerk', 'x'], ['sales'])).status, 200);
      const lacking = await answerTo(['read'], ['boss'], ['it']);
      const named = /^Bearer realm="api", scope="read write", error="insufficient_scope"/;
      await refused(lacking, 403, 'insufficient_scope', named);
      for (const [scopes, roles, groups] of [
        [['write', 'admin'], ['boss'], ['it']],
        [['read', 'write'], ['x'], ['it']],
        [['read', 'write'], ['boss'], []],
      ] as const) {
        assert.equal((await answerTo([...scopes], [...roles], [...groups])).status, 403);
      }
      assert.equal(test.api.calls(), 2);
    });

    it('lets a request without a token pass as nobody where the rules say so, and refuses a bad token as ever', async () => {
      await using test = await start({ ...rules, optional: true });
      for (const header of [undefined, 'Basic YTpi']) {
        const answer = await test.get(header);
        assert.equal(answer.status, 200);
        assert.deepEqual(await answer.json(), {});
      }
      const known = await test.get(`Bearer ${test.verifier.issue({ scopes: ['read', 'write'] })}`);
      assert.deepEqual(await known.json(), { name: 'test-user' });
      const invalid = /^Bearer realm="orders", scope="read write", error="invalid_token"/;
      await refused(await test.get('Bearer made-up'), 401, 'invalid_token', invalid);
      await refused(await test.get('Bearer a b'), 400, 'invalid_request', /error="invalid_request"/);
      const lacking = await test.get(`Bearer ${test.verifier.issue({ scopes: ['read'] })}`);
      await refused(lacking, 403, 'insufficient_scope', /scope="read write", error="insufficient_scope"/);
      test.verifier.fail();
      await refused(await test.get('Bearer abc'), 503, 'temporarily_unavailable', null);
      assert.equal(test.api.calls(), 3);
      // What nobody lacks is a token.
      const asked = await test.api.send('GET', [['x-scope', 'read']]);
      assert.equal(asked.status, 401);
      assert.match(asked.headers.get('www-authenticate') ?? '', /^Bearer realm="api", scope="read"$/);
    });

    it('answers 503 with Retry-After while no lookup succeeds, and gives no access', async () => {
      const test = await usual();
      const token = test.verifier.issue({ scopes: ['read', 'write'] });
      test.verifier.fail();
      const answer = await test.get(`Bearer ${token}`);
      assert.equal(answer.headers.get('retry-after'), '1');
      await refused(answer, 503, 'temporarily_unavailable', null);
      assert.equal(test.api.calls(), 0);
      test.verifier.recover();
      assert.equal((await test.get(`Bearer ${token}`)).status, 200);
    });

    it('accepts a CORS preflight, and no other request without a token', async () => {
      const test = await usual();
      const origin = ['origin', 'https://shop.example'] as const;
      const follows = ['access-control-request-method', 'PUT'] as const;
      const answer = await test.api.send('OPTIONS', [origin, follows]);
      assert.equal(answer.headers.get('x-preflight'), 'passed');
      assert.equal((await test.api.send('GET', [origin, follows])).status, 401);
      assert.equal((await test.api.send('OPTIONS', [origin])).status, 401);
      assert.equal(test.api.calls(), 0);
    });

    it('reads a token from the header only', async () => {
      const test = await usual();
      const token = test.verifier.issue({ scopes: ['read', 'write'] });
      const answer = await test.api.send('GET', [
        ['access_token', token],
        ['cookie', `access_token=${token}`],
        ['x-authorization', `Bearer ${token}`],
        ['proxy-authorization', `Bearer ${token}`],
      ]);
      assert.equal(answer.status, 401);
    });

    it('gives an error of a helper to the framework, which answers it with the challenge and the realm', async () => {
      const test = await usual();
      const authorization = ['authorization', `Bearer ${test.verifier.issue({ scopes: ['read', 'write'] })}`];
      const lacking = 'error="insufficient_scope", error_description="The request requires';
      for (const [scope, challenge] of [
        ['delete', `scope="read write delete", ${lacking} the scope read write delete."`],
        ['tenant:caf\u00e9', `${lacking} higher privileges than the access token gives."`],
        ['tenant:"', `${lacking} higher privileges than the access token gives."`],
        ['tenant:\\', `${lacking} higher privileges than the access token gives."`],
      ] as const) {
        const answer = await test.api.send('GET', [authorization as [string, string], ['x-scope', scope]]);
        assert.equal(answer.status, 403, scope);
        assert.equal(answer.headers.get('www-authenticate'), `Bearer realm="orders", ${challenge}`);
      }
      assert.equal((await test.api.send('GET', [['x-scope', 'read']])).status, 401);
    });

    it('serves the metadata of the API to everybody, and names them in each challenge (RFC 9728)', async () => {
      const resource = 'https://api.example/orders';
      await using test = await start(rules, fakeVerifier({ resource }));
      const path = '/.well-known/oauth-protected-resource/orders';
      const answer = await test.api.send('GET', [], path);
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      assert.deepEqual(await answer.json(), {
        resource,
        authorization_servers: ['https://id.test.example'],
        bearer_methods_supported: ['header'],
        dpop_signing_alg_values_supported: dpopAlgorithms,
        scopes_supported: ['read', 'write'],
      });
      assert.equal((await test.api.send('HEAD', [], path)).status, 200);
      const named = `resource_metadata="https://api.example${path}"`;
      const token = (...scopes: string[]) => `Bearer ${test.verifier.issue({ scopes })}`;
      const challenges = [];
      for (const [method, header, at] of [
        ['GET', undefined, undefined],
        ['GET', 'Bearer made-up', undefined],
        ['GET', 'Bearer a b', undefined],
        ['GET', token('read'), undefined],
        ['POST', undefined, path],
        ['GET', undefined, '/.well-known/oauth-protected-resource'],
        ['GET', undefined, `${path}/x`],
      ] as const) {
        const refusal = await test.api.send(method, header ? [['authorization', header]] : [], at);
        challenges.push(refusal.headers.get('www-authenticate'));
      }
      const [missing, ...others] = challenges.filter((challenge) => challenge !== null);
      assert.equal(missing, `Bearer realm="orders", scope="read write", ${named}, ${offer}`);
      assert.ok(others.every((challenge) => challenge.includes(`, ${named}`)));
      const helper = await test.api.send('GET', [
        ['authorization', token('read', 'write')],
        ['x-scope', 'pay'],
      ]);
      assert.match(
        helper.headers.get('www-authenticate') ?? '',
        /scope="read write pay", .*, resource_metadata=/,
      );
      assert.equal(test.api.calls(), 1);
    });

    it('of several URIs, the one that was asked for has its metadata', async () => {
      const resource = ['https://api.example', 'https://API.example.org', 'https://api.example.org/orders'];
      await using test = await start(rules, fakeVerifier({ resource }));
      const documented = async (host: string, path: string) => {
        const answer = await test.api.send(
          'GET',
          [['host', host]],
          `/.well-known/oauth-protected-resource${path}`,
        );
        return (await answer.json()).resource;
      };
      assert.equal(await documented('api.example', ''), resource[0]);
      assert.equal(await documented('api.example.org', ''), resource[1]);
      assert.equal(await documented('api.example.org', '/orders'), resource[2]);
      assert.equal(await documented('behind-a-proxy:3000', '/orders'), resource[2]);
      for (const [host, document] of [
        ['api.example', 'https://api.example/.well-known/oauth-protected-resource'],
        ['api.example.org', 'https://api.example.org/.well-known/oauth-protected-resource/orders'],
        ['behind-a-proxy:3000', 'https://api.example/.well-known/oauth-protected-resource'],
      ] as const) {
        const challenge = (await test.api.send('GET', [['host', host]])).headers.get('www-authenticate');
        assert.ok(challenge?.endsWith(`resource_metadata="${document}", ${offer}`), `${host}: ${challenge}`);
      }
    });

    it('accepts a token that is bound to a key with a proof for method and URL of the request, once (RFC 9449)', async () => {
      await using test = await start(rules, fakeVerifier({ publicUrl: 'https://api.example/v1/' }));
      const client = await dpopClient();
      const token = test.verifier.issue({ scopes: ['read', 'write'], cnf: client.cnf });
      const url = 'https://api.example/v1/orders';
      const good = await client.headers({ url, token });
      const send = (headers: { authorization: string; dpop?: string }, ...more: [string, string][]) =>
        test.api.send('GET', [...Object.entries(headers), ...more]);
      assert.equal((await send(good)).status, 200);
      const refusedBy = (error: string) =>
        new RegExp(`^DPoP realm="orders", scope="read write(?: pay)?", error="${error}", .*, algs="ES256 `);
      for (const [headers, error] of [
        [good, 'invalid_dpop_proof'],
        [{ authorization: good.authorization }, 'invalid_dpop_proof'],
        [await client.headers({ url: 'https://api.example/orders', token }), 'invalid_dpop_proof'],
        [await client.headers({ url, token, method: 'POST' }), 'invalid_dpop_proof'],
        [await client.headers({ url, token: 'another' }), 'invalid_token'],
        [{ ...(await client.headers({ url, token })), authorization: `Bearer ${token}` }, 'invalid_token'],
      ] as const) {
        const challenge = headers.authorization.endsWith('another') ? /^DPoP / : refusedBy(error);
        await refused(await send(headers), 401, error, challenge);
      }
      const { dpop } = await client.headers({ url, token });
      const twice = await send(await client.headers({ url, token }), ['DPoP', dpop]);
      await refused(twice, 401, 'invalid_dpop_proof', refusedBy('invalid_dpop_proof'));
      assert.equal(test.api.calls(), 1);
      const helper = await send(await client.headers({ url, token }), ['x-scope', 'pay']);
      assert.equal(helper.status, 403);
      assert.match(helper.headers.get('www-authenticate') ?? '', refusedBy('insufficient_scope'));
    });

    it('accepts a token that is bound to a certificate if a trusted proxy names it (RFC 8705)', async () => {
      const { certificateBase64 } = testKey('client', { type: 'ec' });
      const thumbprint = createHash('sha256').update(certificateBase64, 'base64').digest('base64url');
      const form = { header: 'Client-Cert', form: 'rfc9440' } as const;
      const own = [['client-cert', `:${certificateBase64}:`]] as const;
      const other = [['client-cert', `:${testKey('other', { type: 'ec' }).certificateBase64}:`]] as const;
      const answersOf = async (
        trustedProxies: '*' | readonly string[],
        ...requests: (readonly (readonly [string, string])[])[]
      ) => {
        const verifier = fakeVerifier({ clientCertificate: { ...form, trustedProxies } });
        await using test = await start(rules, verifier);
        const token = verifier.issue({ scopes: ['read', 'write'], cnf: { 'x5t#S256': thumbprint } });
        const answers = [];
        for (const headers of requests) {
          answers.push(await test.api.send('GET', [['authorization', `Bearer ${token}`], ...headers]));
        }
        return answers;
      };
      const [accepted, ...others] = await answersOf('*', own, [], other, [...own, ...own]);
      assert.equal(accepted?.status, 200);
      const [untrusted] = await answersOf(['10.0.0.0/8'], own);
      const bound = /^Bearer realm="orders", scope="read write", error="invalid_token"/;
      for (const answer of [...others, untrusted ?? assert.fail()]) {
        await refused(answer, 401, 'invalid_token', bound);
      }
      const [trusted] = await answersOf(['10.0.0.0/8', '127.0.0.0/24', '::1'], own);
      assert.equal(trusted?.status, (await usual()).api.peer === undefined ? 401 : 200);
    });

    it('without a URI of its own, has no metadata and names none', async () => {
      const test = await usual();
      const answer = await test.api.send('GET', [], '/.well-known/oauth-protected-resource');
      assert.ok(answer.status === 401 || answer.status === 404, `expected no metadata, got ${answer.status}`);
    });

    it('rejects unknown rules', async () => {
      await assert.rejects(startApi(fakeVerifier(), { scopes: 'read' } as AccessRules), {
        name: 'ConfigurationError',
      });
    });

    let shared: (TestApi & AsyncDisposable) | undefined;
    after(() => shared?.[Symbol.asyncDispose]());

    /** The API that the tests with the usual rules share; its calls count from now on. */
    async function usual(): Promise<TestApi> {
      shared ??= await start();
      const { api, verifier, get } = shared;
      const before = api.calls();
      return { verifier, get, api: { ...api, calls: () => api.calls() - before } };
    }

    async function start(given = rules, verifier = fakeVerifier()): Promise<TestApi & AsyncDisposable> {
      const api = await startApi(verifier, given);
      return {
        verifier,
        api,
        get: (authorization) =>
          api.send('GET', authorization === undefined ? [] : [['authorization', authorization]]),
        [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
      };
    }
  });
}

interface TestApi {
  readonly verifier: FakeVerifier;
  readonly api: Api;
  get(authorization: string | undefined): Promise<Response>;
}

async function refused(
  answer: Response,
  status: number,
  error: string,
  challenge: string | RegExp | null,
): Promise<void> {
  assert.equal(answer.status, status);
  const sent = answer.headers.get('www-authenticate');
  if (challenge instanceof RegExp) assert.match(sent ?? '', challenge);
  else assert.equal(sent, challenge);
  assert.equal(answer.headers.get('cache-control'), noStore);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  const body = (await answer.json()) as Record<string, string>;
  assert.equal(body.error, error);
  assert.match(body.error_description ?? '', /^[A-Z].+\.$/);
}
