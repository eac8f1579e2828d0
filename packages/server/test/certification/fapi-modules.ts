import assert from 'node:assert/strict';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { DpopKey } from '@watchword/testkit/dpop-key';
import { UserAgent } from '@watchword/testkit/user-agent';
import { type FapiModule, type FapiPlan, now, type Parameters, pushFails, type Sent } from './fapi-plan.ts';

const succeedsWith = (parameters: Parameters) => (plan: FapiPlan) => plan.logIn(parameters);

/** A login whose proofs have these claims at every endpoint. */
const provesWith = (claims: () => object) => (plan: FapiPlan) =>
  plan.logIn({}, { proof: { claims: { ...claims() } } });

/** @param form of the token request; an empty text leaves a parameter out */
const redeemFails =
  (form: Parameters, sent: (plan: FapiPlan) => Sent | Promise<Sent>, ...errors: readonly string[]) =>
  async (plan: FapiPlan) => {
    const { code } = await plan.code();
    await plan.refused(await plan.redeem(code, form, await sent(plan)), ...errors);
  };

const asserts = (claims: () => object) => (): Sent => ({ assertion: { claims: { ...claims() } } });
const redeemAsserting = (claims: () => object) => redeemFails({}, asserts(claims), 'invalid_client');
/** A state that stands beside the reference in the address of the browser is of no effect. */
const ignoresState = (state: string) => async (plan: FapiPlan) => {
  const request_uri = await plan.reference({ state });
  const response = await plan.respond(plan.url(request_uri, plan.first, { state: 'out' }));
  assert.equal(response.get('state') ?? '', state);
  await plan.finish(response.get('code') ?? '');
};

/** The error of a request that the browser brings instead of a reference. */
async function unpushed(plan: FapiPlan): Promise<void> {
  const { location = '' } = await new UserAgent().get(
    `${plan.issuer}/oauth2/authorize?${new URLSearchParams(plan.request())}`,
  );
  assert.equal((await plan.responseAt(location)).get('error'), 'invalid_request');
}

async function discovery(plan: FapiPlan): Promise<void> {
  const { json } = await plan.get('/.well-known/openid-configuration');
  assert.deepEqual(json.response_types_supported, ['code']);
  assert.deepEqual(json.code_challenge_methods_supported, ['S256']);
  assert.deepEqual(json.token_endpoint_auth_methods_supported, ['private_key_jwt']);
  assert.ok(
    json.authorization_response_iss_parameter_supported && json.require_pushed_authorization_requests,
  );
  assert.equal(json.pushed_authorization_request_endpoint, `${plan.issuer}/oauth2/par`);
  for (const name of ['token_endpoint_auth', 'dpop', 'request_object']) {
    const algorithms = json[`${name}_signing_alg_values_supported`];
    assert.deepEqual([...algorithms].sort(), ['ES256', 'Ed25519', 'EdDSA', 'PS256'], name);
  }
  assert.ok(json.response_modes_supported.includes('jwt'));
  assert.equal(json.require_signed_request_object, plan.variant.isSigned);
}

async function refreshToken(plan: FapiPlan): Promise<void> {
  const { first, second } = plan;
  const { tokens } = await plan.logIn();
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  const refreshed = await plan.token(form);
  assert.equal(refreshed.status, 200, refreshed.text);
  assert.ok([undefined, tokens.refresh_token].includes(refreshed.json.refresh_token), 'it is not rotated');
  assert.equal(await plan.resource(refreshed.json.access_token), 200);
  const anonymous = await plan.token({ ...form, client_id: first.clientId }, { assertion: null });
  await plan.refused(anonymous, 'invalid_client');
  await plan.refused(plan.token(form, { proof: null }), 'invalid_dpop_proof');
  await plan.refused(plan.token(form, { by: second }), 'invalid_grant');
}

/** Codes are bound to the key of the pushed request: by its proof, or by `dpop_jkt`. */
const binding =
  (push: (key: DpopKey) => { parameters?: Parameters; sent?: Sent }, isOther: boolean) =>
  async (plan: FapiPlan) => {
    const { parameters, sent } = push(plan.first.dpop);
    const { code } = await plan.code(parameters, sent);
    const dpop = isOther ? await DpopKey.create() : plan.first.dpop;
    const answer = await plan.redeem(code, {}, { dpop });
    if (isOther) await plan.refused(answer, 'invalid_grant', 'invalid_dpop_proof');
    else assert.equal(answer.status, 200, answer.text);
  };
const byJkt = ({ jkt }: DpopKey) => ({ parameters: { dpop_jkt: jkt } });
const byProof = () => ({ sent: { proof: {} } });

/** The modules of the Security Profile, in the order of the plan. The Message Signing plan has them too. */
export const securityModules: readonly FapiModule[] = [
  ['discovery-end-point-verification', 'says in its metadata what the profile asks', discovery],
  [
    'happy-flow',
    'logs users of two clients in, and gives tokens that are bound to their keys',
    async (plan) => {
      await plan.logIn();
      const { tokens } = await plan.logIn({}, { by: plan.second });
      assert.equal(await plan.resource(tokens.access_token, { dpop: plan.first.dpop }), 401);
    },
  ],
  [
    'user-rejects-authentication',
    'answers access_denied',
    async (plan) => {
      const { asking } = plan;
      const url = plan.url(await plan.reference({}, { by: asking }), asking);
      const response = await plan.respond(url, new UserAgent(), { decision: 'deny' });
      assert.equal(response.get('error'), 'access_denied');
    },
  ],
  [
    'ensure-authorization-request-without-state-success',
    'answers without a state',
    succeedsWith({ state: '' }),
  ],
  [
    'ensure-other-scope-order-succeeds',
    'reads scopes in any order',
    (plan) => plan.logIn({ scope: plan.variant.isOpenid ? 'read profile openid' : 'write read' }),
  ],
  [
    'access-token-type-header-case-sensitivity',
    'reads the scheme in any letters',
    async (plan) => {
      const { tokens } = await plan.logIn();
      assert.equal(await plan.resource(tokens.access_token, {}, 'dPOP'), 200);
    },
  ],
  [
    'check-dpop-proof-nbf-exp',
    'takes nbf and exp in proofs',
    provesWith(() => ({ nbf: now(), exp: now() + 300 })),
  ],
  [
    'ensure-dpopproof-with-iat-10seconds-before-succeeds',
    'takes them',
    provesWith(() => ({ iat: now() - 10 })),
  ],
  [
    'ensure-dpopproof-with-iat-10seconds-after-succeeds',
    'takes them',
    provesWith(() => ({ iat: now() + 8 })),
  ],
  [
    'ensure-mismatched-dpop-jkt-fails',
    'refuses the pushed request',
    async (plan) => {
      const answer = await plan.push({ dpop_jkt: plan.second.dpop.jkt }, { proof: {} });
      await plan.refused(answer, 'invalid_dpop_proof');
    },
  ],
  ['ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt', 'redeems no code', binding(byProof, true)],
  ['ensure-token-endpoint-fails-with-mismatched-dpop-jkt', 'redeems no code', binding(byJkt, true)],
  ['ensure-dpopproof-at-par-endpoint-binding-success', 'redeems the code', binding(byProof, false)],
  ['ensure-dpop-auth-code-binding-success', 'redeems the code', binding(byJkt, false)],
  ['ensure-different-state-inside-and-outside-request-object', 'ignores the outer one', ignoresState('in')],
  [
    'ensure-authorization-request-with-long-state',
    'answers with it',
    succeedsWith({ state: 's'.repeat(1000) }),
  ],
  ['state-only-outside-request-object-not-used', 'answers without a state', ignoresState('')],
  [
    'ensure-request-object-without-redirect-uri-fails',
    'refuses the pushed request',
    pushFails({ redirect_uri: '' }, 'invalid_request'),
  ],
  [
    'ensure-registered-redirect-uri',
    'refuses another one',
    pushFails({ redirect_uri: 'https://app.example/cb/x' }, 'invalid_request'),
  ],
  [
    'plain-fapi-tolerate-unregistered-redirect-uri',
    'does not tolerate one',
    pushFails({ redirect_uri: 'https://app.example/cb?x' }, 'invalid_request'),
  ],
  ['ensure-unsigned-authorization-request-without-using-par-fails', 'answers invalid_request', unpushed],
  [
    'ensure-redirect-uri-in-authorization-request',
    'refuses the pushed request',
    pushFails({ redirect_uri: '' }, 'invalid_request'),
  ],
  [
    'ensure-response-type-code-idtoken-fails',
    'refuses it',
    pushFails({ response_type: 'code id_token', nonce: 'n' }, 'unsupported_response_type'),
  ],
  [
    'ensure-response-type-token-fails',
    'refuses it',
    pushFails({ response_type: 'token' }, 'unsupported_response_type'),
  ],
  [
    'ensure-client-id-in-token-endpoint',
    'redeems no code for another client',
    redeemFails({}, ({ second: by }) => ({ by }), 'invalid_grant'),
  ],
  [
    'ensure-holder-of-key-required',
    'redeems no code without a proof',
    redeemFails({}, () => ({ proof: null }), 'invalid_dpop_proof'),
  ],
  [
    'ensure-authorization-code-is-bound-to-client',
    'redeems no code for another client',
    redeemFails({}, ({ first, second: by }) => ({ by, dpop: first.dpop }), 'invalid_grant'),
  ],
  [
    'attempt-reuse-authorization-code-after-one-second',
    'refuses the code and revokes its token',
    async (plan) => {
      using clock = stoppedClock();
      const { code, tokens } = await plan.logIn();
      clock.advance(1);
      await plan.refused(plan.redeem(code), 'invalid_grant');
      assert.equal(await plan.resource(tokens.access_token), 401);
    },
  ],
  [
    'ensure-token-endpoint-fails-with-expired-auth-code',
    'refuses it after a minute',
    async (plan) => {
      using clock = stoppedClock();
      const { code } = await plan.code();
      clock.advance(61);
      await plan.refused(plan.redeem(code), 'invalid_grant');
    },
  ],
  [
    'ensure-signed-client-assertion-with-RS256-fails',
    'refuses it',
    redeemFails({}, ({ first }) => ({ by: { ...first, key: first.rsa } }), 'invalid_client'),
  ],
  [
    'ensure-client-assertion-in-token-endpoint',
    'redeems no code without one',
    redeemFails({}, () => ({ assertion: null }), 'invalid_client'),
  ],
  [
    'ensure-client-assertion-with-exp-is-5-minutes-in-past-fails',
    'refuses it',
    redeemAsserting(() => ({ exp: now() - 300 })),
  ],
  [
    'ensure-client-assertion-with-wrong-aud-fails',
    'refuses it',
    redeemAsserting(() => ({ aud: 'https://other.example' })),
  ],
  ['ensure-client-assertion-with-no-sub-fails', 'refuses it', redeemAsserting(() => ({ sub: undefined }))],
  ['refresh-token', 'keeps it, for its client alone and with a proof', refreshToken],
  [
    'ensure-pkce-code-verifier-required',
    'redeems no code',
    redeemFails({ code_verifier: '' }, () => ({}), 'invalid_grant'),
  ],
  [
    'incorrect-pkce-code-verifier-rejected',
    'redeems no code',
    redeemFails({ code_verifier: 'x'.repeat(43) }, () => ({}), 'invalid_grant'),
  ],
];
