import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  type RequestParameters,
  redirectUri,
} from '@watchword/server-testkit/clients/application';
import { anyPerson } from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeProtectedHeader, type JWTPayload } from 'jose';
import { persona, registerOpenidClient, userinfo, verified } from '../support/openid-client.ts';

// The modules of the plans oidcc-implicit- and oidcc-formpost-implicit-certification-test-plan. The clients are trusted. In `npm test`,
// code-plans.test.ts has them with a code, and test/openid/front-channel.test.ts what is of the implicit flow alone.

const claimsOf: Readonly<Record<string, readonly string[]>> = {
  profile: ['name', 'given_name', 'family_name', 'preferred_username'],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number'],
};
const everyScope = Object.keys(claimsOf).join(' ');

describe('the certification plans of the implicit flow', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer({ authenticator: anyPerson });
    app = await registerOpenidClient(server, { allowedImplicitGrant: true, confidential: false });
  });
  after(() => server[Symbol.asyncDispose]());

  const hold = (responseType: string, responseMode: string) => {
    const hasToken = responseType.includes(' ');
    const ask = (parameters: RequestParameters = {}, agent?: UserAgent) =>
      app.authorize(
        {
          ...{ response_type: responseType, response_mode: responseMode, scope: 'openid' },
          ...{ nonce: 'nonce-1', state: 'state-2', ...parameters },
        },
        { password: persona },
        agent,
      );

    /** A successful response, checked as every module of the plan checks it. */
    async function succeed(parameters: RequestParameters = {}, agent?: UserAgent) {
      const { parameters: answered, location, redirect, pages } = await ask(parameters, agent);
      assert.equal(answered.get('error'), null, location);
      assert.deepEqual([answered.get('state'), answered.get('iss')], ['state-2', server.service.baseUrl]);
      const place = [redirect.status, location.startsWith(`${redirectUri}#`), new URL(location).search];
      assert.deepEqual(place, responseMode === 'form_post' ? [200, false, ''] : [303, true, '']);
      const idToken = answered.get('id_token') ?? assert.fail(location);
      const claims = await verified(server, idToken, app);
      assert.equal(claims.nonce, 'nonce-1');
      for (const claim of ['iss', 'sub', 'aud', 'exp', 'iat']) assert.ok(claims[claim] !== undefined, claim);
      assert.equal(answered.has('access_token'), hasToken);
      const token = answered.get('access_token') ?? '';
      if (hasToken) assert.equal((await userinfo(server, token)).status, 200);
      return { idToken, claims, token, questions: pages.length - 1 };
    }

    /** The claims of the scope: from the userinfo endpoint, or in the ID token if there is no access token. */
    async function delivered(parameters: RequestParameters): Promise<JWTPayload> {
      const { claims, token } = await succeed(parameters);
      if (!hasToken) return claims;
      const answer = await userinfo(server, token);
      assert.equal(answer.json.sub, claims.sub);
      for (const name of ['name', 'email']) assert.ok(!(name in claims), name);
      return answer.json;
    }

    async function fail(parameters: RequestParameters, expected: string, agent?: UserAgent): Promise<void> {
      const { parameters: answered } = await ask(parameters, agent);
      assert.equal(answered.get('error'), expected);
      assert.equal(answered.get('state'), 'state-2');
      for (const name of ['code', 'id_token', 'access_token']) assert.equal(answered.get(name), null);
    }

    it('oidcc-server: answers in the fragment, and at_hash is that of the access token', async () => {
      const { claims, token } = await succeed();
      const half = createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
      assert.equal(claims.at_hash, hasToken ? half : undefined);
      assert.ok(!('name' in claims));
    });

    it('oidcc-response-type-missing: answers with an error', async () => {
      const { parameters } = await ask({ response_type: '' });
      assert.equal(parameters.get('error'), 'invalid_request');
    });

    it('oidcc-idtoken-signature: signs with RS256 and names the key', async () => {
      const { alg, kid } = decodeProtectedHeader((await succeed()).idToken);
      assert.equal(alg, 'RS256');
      assert.ok(kid);
    });

    it('oidcc-ensure-request-without-nonce-fails: answers with invalid_request', () =>
      fail({ nonce: '' }, 'invalid_request'));

    for (const [scope, claims] of Object.entries(claimsOf)) {
      it(`oidcc-scope-${scope}: delivers the claims of the scope, and no others`, async () => {
        const answered = await delivered({ scope: `openid ${scope}` });
        for (const claim of claims) assert.ok(answered[claim] !== undefined, claim);
        const others = Object.entries(claimsOf).flatMap(([name, each]) => (name === scope ? [] : each));
        for (const claim of others) assert.ok(!(claim in answered), claim);
      });
    }

    it('oidcc-scope-all: delivers the claims of all scopes', async () => {
      const answered = await delivered({ scope: `openid ${everyScope}` });
      for (const claim of Object.values(claimsOf).flat()) assert.ok(answered[claim] !== undefined, claim);
    });

    it('oidcc-alternate-happy-flow: takes the parameters in another order, and posted', async () => {
      const agent = new UserAgent();
      const url = new URL(
        app.authorizeUrl({
          ...{ response_type: responseType, response_mode: responseMode },
          ...{ scope: 'openid', nonce: 'nonce-1' },
        }),
      );
      const reordered = [...url.searchParams]
        .reverse()
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
      assert.equal((await agent.get(`${url.origin}${url.pathname}?${reordered.join('&')}`)).status, 200);
      await succeed({ response_type: responseType.split(' ').reverse().join(' ') });
    });

    for (const display of ['page', 'popup']) {
      it(`oidcc-display-${display}: logs in`, async () => {
        await succeed({ display });
      });
    }

    it('oidcc-prompt-login: asks the user again, and auth_time is later', async () => {
      using clock = stoppedClock();
      const agent = new UserAgent();
      const first = await succeed({}, agent);
      clock.advance(2);
      const second = await succeed({ prompt: 'login' }, agent);
      assert.ok(second.questions > 0);
      assert.ok(Number(second.claims.auth_time) > Number(first.claims.auth_time));
      assert.equal(second.claims.sub, first.claims.sub);
    });

    it('oidcc-prompt-none-not-logged-in: answers with login_required', () =>
      fail({ prompt: 'none' }, 'login_required'));

    it('oidcc-prompt-none-logged-in: answers at once, with the same login', async () => {
      const agent = new UserAgent();
      const first = await succeed({}, agent);
      const second = await succeed({ prompt: 'none' }, agent);
      assert.equal(second.questions, 0);
      for (const claim of ['sub', 'auth_time']) assert.equal(second.claims[claim], first.claims[claim]);
    });

    it('oidcc-max-age-1: asks the user again after the time, and auth_time is later', async () => {
      using clock = stoppedClock();
      const agent = new UserAgent();
      const first = await succeed({}, agent);
      clock.advance(2);
      const second = await succeed({ max_age: '1' }, agent);
      assert.ok(second.questions > 0);
      assert.ok(Number(second.claims.auth_time) > Number(first.claims.auth_time));
      assert.ok(Number(second.claims.iat) - Number(second.claims.auth_time) <= 1);
    });

    it('oidcc-max-age-10000: does not ask the user again, and auth_time stays', async () => {
      const agent = new UserAgent();
      const first = await succeed({}, agent);
      const second = await succeed({ max_age: '10000' }, agent);
      assert.equal(second.questions, 0);
      assert.equal(second.claims.auth_time, first.claims.auth_time);
    });

    for (const [module, parameters] of [
      ['ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
      ['login-hint', { login_hint: 'emma@example.org' }],
      ['ui-locales', { ui_locales: 'se' }],
      ['claims-locales', { claims_locales: 'se' }],
    ] as const) {
      it(`oidcc-${module}: logs in`, async () => {
        await succeed(parameters);
      });
    }

    it('oidcc-ensure-request-with-acr-values-succeeds: answers with acr', async () => {
      const { claims } = await succeed({ acr_values: '1 2' });
      assert.equal(claims.acr, 'urn:example:strong');
    });

    it('oidcc-id-token-hint: with prompt=none, answers for the user whom the hint names', async () => {
      const agent = new UserAgent();
      const first = await succeed({}, agent);
      const second = await succeed({ prompt: 'none', id_token_hint: first.idToken }, agent);
      assert.equal(second.claims.sub, first.claims.sub);
    });

    it('oidcc-ensure-registered-redirect-uri: shows an error and does not redirect', async () => {
      const page = await app.open({
        response_type: responseType,
        scope: 'openid',
        nonce: 'nonce-1',
        redirect_uri: 'https://app.example/cb/unregistered',
      });
      assert.equal(page.status, 400);
      assert.equal(page.location, undefined);
    });

    it('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: rejects', () =>
      fail({ request_uri: 'https://app.example/request.jwt' }, 'request_uri_not_supported'));

    /** A login by a request object. @param outside beside it */
    const succeedByObject = async (outside: RequestParameters = {}) => {
      const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const mode = responseMode === '' ? {} : { response_mode: responseMode };
      const inside = { nonce: 'nonce-1', state: 'state-2', redirect_uri: redirectUri, ...mode };
      const request = `${encoded({ alg: 'none' })}.${encoded(inside)}.`;
      return succeed({ nonce: '', state: '', response_mode: '', request, ...outside });
    };
    it('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: takes all of the object', async () => {
      await succeedByObject();
    });

    it('oidcc-ensure-request-object-with-redirect-uri: takes the redirect URI of the object', async () => {
      await succeedByObject({ redirect_uri: 'https://app.example/invalid' });
    });

    it('oidcc-claims-essential: delivers the essential claim name', async () => {
      const part = hasToken ? 'userinfo' : 'id_token';
      const claims = JSON.stringify({ [part]: { name: { essential: true } } });
      assert.equal((await delivered({ claims })).name, 'Emma de Vries');
    });

    if (hasToken) {
      for (const [module, inBody, init] of [
        ['get', false, { method: 'GET' }],
        ['post-header', false, { method: 'POST' }],
        ['post-body', true, { method: 'POST' }],
      ] as const) {
        it(`oidcc-userinfo-${module}: answers with the sub of the ID token`, async () => {
          const { claims, token } = await succeed();
          const body = new URLSearchParams({ access_token: token });
          const answer = await userinfo(
            server,
            inBody ? undefined : token,
            inBody ? { ...init, body } : init,
          );
          assert.deepEqual([answer.status, answer.json.sub], [200, claims.sub]);
        });
      }
    }
  };

  describe('Implicit OP, id_token', () => hold('id_token', ''));
  describe('Implicit OP, id_token token', () => hold('id_token token', ''));
  describe('Form Post Implicit OP, id_token', () => hold('id_token', 'form_post'));
  describe('Form Post Implicit OP, id_token token', () => hold('id_token token', 'form_post'));
});
