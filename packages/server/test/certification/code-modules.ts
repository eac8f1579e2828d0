import assert from 'node:assert/strict';
import { codeVerifier, pkce, redirectUri } from '@watchword/server-testkit/clients/application';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeProtectedHeader } from 'jose';
import { persona, userinfo } from '../support/openid-client.ts';
import type { CodePlan, PlanVariant, RequestParameters } from './code-plan.ts';

/** A module of the plan: its name, what the server must do, and the test of it. */
export type Module = readonly [name: string, outcome: string, run: (plan: CodePlan) => Promise<unknown>];

const claimsOf = {
  profile: ['name', 'given_name', 'family_name'],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number'],
};

/** The claims of the scopes are at the userinfo endpoint, and not in the ID token. */
function scopes(...names: readonly (keyof typeof claimsOf)[]) {
  return async (plan: CodePlan) => {
    const { userinfo: user, claims, tokens } = await plan.logIn({ scope: ['openid', ...names].join(' ') });
    assert.equal(tokens.scope, ['openid', ...names].join(' '));
    for (const [scope, ofScope] of Object.entries(claimsOf)) {
      for (const claim of ofScope) {
        assert.equal(claim in user.json, (names as readonly string[]).includes(scope), claim);
        assert.equal(claim in claims, false, claim);
      }
    }
  };
}

function succeedsWith(parameters: RequestParameters) {
  return (plan: CodePlan) => plan.logIn(parameters);
}

/** Two logins in one browser. The second shows no page, and reports the same login. */
async function sameLogin(
  plan: CodePlan,
  first: RequestParameters,
  second: (idToken: string) => RequestParameters,
): Promise<void> {
  const agent = new UserAgent();
  const before = await plan.logIn(first, agent);
  const request = plan.request(second(before.tokens.id_token));
  const after = await plan.complete(await plan.app.open(request, agent), request);
  assert.equal(after.claims.sub, before.claims.sub);
  assert.equal(after.claims.auth_time, before.claims.auth_time);
}

/** Two logins in one browser. The second must ask for the password again, and reports a later login. */
async function newLogin(plan: CodePlan, second: RequestParameters): Promise<void> {
  using clock = stoppedClock();
  const agent = new UserAgent();
  const before = await plan.logIn({}, agent);
  clock.advance(2);
  const request = plan.request(second);
  const page = await plan.app.open(request, agent);
  assert.ok(plan.isLoginPage(page), page.text);
  const answered = await agent.submit(page, { username: 'emma', password: persona });
  const after = await plan.complete(answered, request);
  assert.equal(after.claims.sub, before.claims.sub);
  assert.ok(Number(after.claims.auth_time) > Number(before.claims.auth_time));
}

async function reuse(plan: CodePlan, seconds: number): Promise<void> {
  using clock = stoppedClock();
  const { parameters, tokens } = await plan.logIn();
  clock.advance(seconds);
  const again = await plan.app.redeem(parameters.get('code') ?? '');
  assert.equal(again.status, 400);
  assert.equal(again.json.error, 'invalid_grant');
  for (const token of [tokens.access_token, parameters.get('access_token')]) {
    if (token !== null) assert.equal((await userinfo(plan.server, token)).status, 401);
  }
}

async function userinfoBy(plan: CodePlan, init: RequestInit, isInHeader = true): Promise<void> {
  const { tokens, claims } = await plan.logIn({ scope: 'openid profile' });
  const { access_token } = tokens;
  const answer = isInHeader
    ? await userinfo(plan.server, access_token, init)
    : await userinfo(plan.server, undefined, { ...init, body: new URLSearchParams({ access_token }) });
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer.json.sub, claims.sub);
}

/** A request object without a signature. */
function unsigned(claims: object): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
}

/** A login by a request object, which alone has state, nonce and response mode. @param outside beside it */
async function logInByObject(plan: CodePlan, outside: RequestParameters = {}): Promise<void> {
  const request = plan.request();
  const { clientId: client_id } = plan.app.client;
  const object = unsigned({ client_id, redirect_uri: redirectUri, ...request });
  const { response_type = '' } = request;
  const parameters = { response_type, scope: 'openid', state: '', request: object, ...outside };
  const { redirect } = await plan.app.authorize(parameters, { password: persona });
  await plan.complete(redirect, request);
}

/** The modules of the plans Basic OP and Form Post OP, in their order. */
export const basicModules: readonly Module[] = [
  [
    'server',
    'answers a login with a code, tokens, a valid ID token with at_hash and no claim that was not requested',
    async (plan) => {
      const { claims, parameters } = await plan.logIn();
      assert.ok((parameters.get('code') ?? '').length >= 22);
      const names = 'acr amr at_hash aud auth_time exp iat iss nonce sid sub'.split(' ');
      assert.deepEqual(Object.keys(claims).sort(), names);
    },
  ],
  [
    'response-type-missing',
    'answers the client with invalid_request',
    (plan) => plan.expectError({ response_type: '' }, ['invalid_request']),
  ],
  [
    'idtoken-signature',
    'signs with RS256 and names the key, for a client without another algorithm',
    async (plan) => {
      const { alg, kid } = decodeProtectedHeader((await plan.logIn()).tokens.id_token);
      assert.equal(alg, 'RS256');
      assert.ok(kid);
    },
  ],
  [
    'idtoken-unsigned',
    'does not offer none, so the module is skipped',
    async ({ server }) => {
      const { json } = await server.get('/.well-known/openid-configuration');
      assert.deepEqual(json.id_token_signing_alg_values_supported, ['RS256']);
    },
  ],
  ['userinfo-get', 'answers GET with the token in the header', (plan) => userinfoBy(plan, {})],
  [
    'userinfo-post-header',
    'answers POST with the token in the header',
    (plan) => userinfoBy(plan, { method: 'POST' }),
  ],
  [
    'userinfo-post-body',
    'answers POST with the token in the body',
    (plan) => userinfoBy(plan, { method: 'POST' }, false),
  ],
  [
    'ensure-request-without-nonce-succeeds-for-code-flow',
    'issues an ID token without nonce',
    async (plan) => assert.ok(!('nonce' in (await plan.logIn({ nonce: '' })).claims)),
  ],
  ['scope-profile', 'returns the claims of profile', scopes('profile')],
  ['scope-email', 'returns the claims of email', scopes('email')],
  ['scope-address', 'returns the claims of address', scopes('address')],
  ['scope-phone', 'returns the claims of phone', scopes('phone')],
  ['scope-all', 'returns the claims of all scopes', scopes('email', 'phone', 'address', 'profile')],
  [
    'alternate-happy-flow',
    'accepts scopes and parameters in another order',
    async (plan) => {
      const request = plan.request({ scope: 'email openid' });
      const reversed = Object.fromEntries(Object.entries(request).toReversed());
      const login = await plan.logIn(reversed);
      assert.equal(login.userinfo.json.email, 'emma@example.org');
    },
  ],
  ['display-page', 'accepts display=page', succeedsWith({ display: 'page' })],
  ['display-popup', 'accepts display=popup', succeedsWith({ display: 'popup' })],
  [
    'prompt-login',
    'asks for a new login, with a later auth_time',
    (plan) => newLogin(plan, { prompt: 'login' }),
  ],
  [
    'prompt-none-not-logged-in',
    'answers the client with login_required, and with a long state unchanged',
    (plan) => plan.expectError({ prompt: 'none', state: 's'.repeat(128) }, ['login_required']),
  ],
  [
    'prompt-none-logged-in',
    'answers at once, with the same login',
    (plan) => sameLogin(plan, {}, () => ({ prompt: 'none' })),
  ],
  ['max-age-1', 'asks for a new login, with a later auth_time', (plan) => newLogin(plan, { max_age: '1' })],
  [
    'max-age-10000',
    'answers at once, with the same login',
    (plan) => sameLogin(plan, { max_age: '15000' }, () => ({ max_age: '10000' })),
  ],
  [
    'ensure-request-with-unknown-parameter-succeeds',
    'ignores an unknown parameter',
    succeedsWith({ extra: 'foobar' }),
  ],
  [
    'id-token-hint',
    'answers prompt=none at once for the user of the hint',
    (plan) => sameLogin(plan, {}, (idToken) => ({ prompt: 'none', id_token_hint: idToken })),
  ],
  ['login-hint', 'accepts login_hint', succeedsWith({ login_hint: 'buffy@as.example' })],
  ['ui-locales', 'accepts ui_locales', succeedsWith({ ui_locales: 'se' })],
  ['claims-locales', 'accepts claims_locales', succeedsWith({ claims_locales: 'se' })],
  [
    'ensure-request-with-acr-values-succeeds',
    'answers with acr, and with a value that was asked for where the login is of it',
    async (plan) => {
      assert.equal((await plan.logIn({ acr_values: '1 2' })).claims.acr, 'urn:example:strong');
      const { json } = await plan.server.get('/.well-known/openid-configuration');
      const supported = await plan.logIn({ acr_values: json.acr_values_supported.join(' ') });
      assert.equal(supported.claims.acr, 'https://refeds.org/profile/sfa');
    },
  ],
  [
    'codereuse',
    'rejects a second use of a code with invalid_grant, and revokes every access token of the login',
    (plan) => reuse(plan, 0),
  ],
  [
    'codereuse-30seconds',
    'rejects a second use after 30 seconds with invalid_grant, and revokes its access token',
    (plan) => reuse(plan, 30),
  ],
  [
    'ensure-registered-redirect-uri',
    'shows an error page for a redirect URI that is not registered, and never redirects',
    async (plan) => {
      const page = await plan.app.open(plan.request({ redirect_uri: `${redirectUri}/unregistered` }));
      assert.deepEqual([page.status, page.location], [400, undefined]);
      assert.match(page.text, /redirect_uri is not one that the client has registered/);
    },
  ],
  [
    'ensure-post-request-succeeds',
    'accepts the request by POST',
    async (plan) => {
      const agent = new UserAgent();
      const request = plan.request();
      const url = new URL(plan.app.authorizeUrl(request));
      const repeated = await agent.postFromElsewhere(
        `${url.origin}${url.pathname}`,
        Object.fromEntries(url.searchParams),
      );
      const login = await agent.submit(repeated, {});
      const consent = await agent.submit(login, { username: 'emma', password: persona });
      const isAsked = consent.forms.some(({ controls }) => controls.some(({ name }) => name === 'decision'));
      const answered = isAsked ? await agent.submit(consent, { decision: 'allow' }) : consent;
      await plan.complete(answered, request);
    },
  ],
  [
    'server-client-secret-post',
    'authenticates the client by its secret in the body',
    async (plan) => {
      const { redirect } = await plan.app.authorize(plan.request(), { password: persona });
      const [client_id = '', client_secret = ''] = plan.app.credentials?.split(':') ?? [];
      const answer = await plan.server.post('/oauth2/token', {
        grant_type: 'authorization_code',
        code: plan.responseIn(redirect).get('code') ?? '',
        redirect_uri: redirectUri,
        client_id,
        client_secret,
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(typeof answer.json.id_token, 'string');
    },
  ],
  [
    'request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
    'answers request_uri_not_supported',
    (plan) =>
      plan.expectError({ request_uri: 'https://app.example/object.jwt' }, ['request_uri_not_supported']),
  ],
  [
    'unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    'takes all parameters of the object',
    (plan) => logInByObject(plan),
  ],
  [
    'claims-essential',
    'returns name from the userinfo endpoint, and not in the ID token',
    async (plan) => {
      const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
      const login = await plan.logIn({ claims });
      assert.equal(login.userinfo.json.name, 'Emma de Vries');
      assert.ok(!('name' in login.claims));
      assert.ok(!('given_name' in login.userinfo.json));
    },
  ],
  [
    'ensure-request-object-with-redirect-uri',
    'takes the redirect URI of the object, and not the invalid one beside it',
    (plan) => logInByObject(plan, { redirect_uri: `${redirectUri}_invalid` }),
  ],
  [
    'refresh-token',
    'issues a refresh token that only its client can use, and an ID token of the same login',
    async (plan) => {
      const scope = 'openid offline_access';
      const { tokens, claims } = await plan.logIn({ scope, prompt: 'consent' });
      assert.equal(tokens.scope, scope);
      const answer = await plan.app.refresh(tokens.refresh_token);
      assert.equal(answer.status, 200, answer.text);
      const user = await userinfo(plan.server, answer.json.access_token);
      assert.equal(user.json.sub, claims.sub);
      const stolen = { grant_type: 'refresh_token', refresh_token: answer.json.refresh_token };
      const other = await plan.server.post('/oauth2/token', stolen, plan.other.credentials);
      assert.deepEqual([other.status, other.json.error], [400, 'invalid_grant']);
    },
  ],
  [
    'ensure-request-with-valid-pkce-succeeds',
    'accepts a code_challenge, and the code only with its verifier',
    async (plan) => {
      const { redirect } = await plan.app.authorize(plan.request(pkce), { password: persona });
      const code = plan.responseIn(redirect).get('code') ?? '';
      assert.equal((await plan.app.redeem(code)).json.error, 'invalid_grant');
      assert.equal((await plan.app.redeem(code, { code_verifier: codeVerifier })).status, 200);
    },
  ],
];

const withoutNonce: Module = [
  'ensure-request-without-nonce-fails',
  'answers the client with invalid_request',
  (plan) => plan.expectError({ nonce: '' }, ['invalid_request']),
];

/** The modules of the plans Hybrid OP and Form Post Hybrid OP, which have the most of those of Basic OP. */
export function hybridModules({ responseType }: PlanVariant): readonly Module[] {
  return basicModules.flatMap((module) => {
    switch (module[0]) {
      case 'idtoken-unsigned':
      case 'ensure-post-request-succeeds':
        return [];
      case 'ensure-request-without-nonce-succeeds-for-code-flow':
        return [responseType.includes('id_token') ? withoutNonce : module];
      default:
        return [module];
    }
  });
}
