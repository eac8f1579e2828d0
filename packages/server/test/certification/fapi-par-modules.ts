import assert from 'node:assert/strict';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type FapiModule, type FapiPlan, now, pushFails } from './fapi-plan.ts';

/** The user sees an error, and no page that goes on. */
async function errorPage(plan: FapiPlan, url: string, agent = new UserAgent()): Promise<void> {
  const { status, text } = await plan.page(url, agent);
  assert.equal(status, 400);
  assert.match(text, /request_uri|no longer valid/i);
}

const pushAsserting = (claims: (plan: FapiPlan) => object) => async (plan: FapiPlan) =>
  plan.refused(await plan.push({}, { assertion: { claims: { ...claims(plan) } } }), 'invalid_client');

/** The modules of pushed requests, which both plans have. */
export const parModules: readonly FapiModule[] = [
  [
    'par-ensure-reused-request-uri-prior-to-auth-completion-succeeds',
    'shows the login page twice',
    async (plan) => {
      const url = plan.url(await plan.reference());
      const agent = new UserAgent();
      assert.equal((await plan.page(url, agent)).status, 200);
      assert.ok((await plan.respond(url, agent)).has('code'));
    },
  ],
  [
    'par-attempt-reuse-request_uri',
    'shows an error page',
    async (plan) => {
      const url = plan.url(await plan.reference());
      const agent = new UserAgent();
      assert.ok((await plan.respond(url, agent)).has('code'));
      await errorPage(plan, url, agent);
    },
  ],
  [
    'par-attempt-to-use-expired-request_uri',
    'shows an error page after a minute',
    async (plan) => {
      using clock = stoppedClock();
      const url = plan.url(await plan.reference());
      clock.advance(61);
      await errorPage(plan, url);
    },
  ],
  [
    'par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted',
    'accepts it',
    (plan) => plan.reference({}, { assertion: { claims: { iat: now() + 8, nbf: now() + 8 } } }),
  ],
  [
    'par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails',
    'refuses it',
    pushAsserting(() => ({ iat: now() + 70, nbf: now() + 70, exp: now() + 130 })),
  ],
  [
    'par-attempt-to-use-request_uri-for-different-client',
    'shows an error page',
    async (plan) => errorPage(plan, plan.url(await plan.reference(), plan.second)),
  ],
  [
    'par-authorization-request-containing-request_uri-form-param',
    'refuses it',
    async (plan) =>
      plan.refused(plan.pushForm({ ...plan.request(), request_uri: 'urn:x' }), 'invalid_request'),
  ],
  [
    'par-attempt-invalid-http-method',
    'answers 405',
    async (plan) => assert.equal((await plan.get('/oauth2/par')).status, 405),
  ],
  [
    'par-ensure-pkce-required',
    'refuses it',
    pushFails({ code_challenge: '', code_challenge_method: '' }, 'invalid_request'),
  ],
  ['par-plain-pkce-rejected', 'refuses it', pushFails({ code_challenge_method: 'plain' }, 'invalid_request')],
  ['par-without-duplicate-parameters', 'needs client_id and request_uri alone', (plan) => plan.logIn()],
  [
    'par-test-array-as-audience-fails',
    'refuses it',
    pushAsserting(({ issuer }) => ({ aud: [issuer, 'https://other.example'] })),
  ],
  [
    'par-test-par-endpoint-url-as-audience-fails',
    'refuses it',
    pushAsserting(({ issuer }) => ({ aud: `${issuer}/oauth2/par` })),
  ],
  [
    'par-test-token-endpoint-url-as-audience-fails',
    'refuses it',
    pushAsserting(({ issuer }) => ({ aud: `${issuer}/oauth2/token` })),
  ],
];
