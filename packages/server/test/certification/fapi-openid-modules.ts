import assert from 'node:assert/strict';
import { DpopKey, type ProofParts } from '@watchword/testkit/dpop-key';
import { type FapiModule, type FapiPlan, now } from './fapi-plan.ts';

async function claimsParameter(plan: FapiPlan): Promise<void> {
  const claims = { id_token: { email: { essential: true }, given_name: null }, userinfo: { email: null } };
  const { tokens } = await plan.logIn({ scope: 'openid', claims: JSON.stringify(claims) });
  const idToken = await plan.verified(tokens.id_token);
  assert.deepEqual([idToken.email, idToken.given_name], ['emma@example.org', 'Emma']);
}

/** What is wrong with a proof of the resource, by what the suite calls it. */
const wrongProofs = (): Readonly<Record<string, Partial<ProofParts>>> => ({
  'without typ': { header: { typ: undefined } },
  'without jwk': { header: { jwk: undefined } },
  'without jti': { claims: { jti: undefined } },
  'without htm': { claims: { htm: undefined } },
  'without htu': { claims: { htu: undefined } },
  'without iat': { claims: { iat: undefined } },
  'without ath': { claims: { ath: undefined } },
  'of another typ': { header: { typ: 'JWT' } },
  'of another method': { method: 'PUT' },
  'of another URL': { url: 'https://other.example/oauth2/userinfo' },
  'of an hour ago': { claims: { iat: now() - 3600 } },
  'of the next hour': { claims: { iat: now() + 3600 } },
  'of another token': { accessToken: 'another' },
});

async function proofs(plan: FapiPlan): Promise<void> {
  const { access_token: accessToken } = (await plan.logIn()).tokens;
  const { dpop } = plan.first;
  const url = `${plan.issuer}/oauth2/userinfo`;
  const authorization = `DPoP ${accessToken}`;
  const proof = (parts: Partial<ProofParts> = {}, by = dpop) => by.proof({ url, accessToken, ...parts });
  const send = (header: string) => plan.userinfo(authorization, { dpop: header });
  const refuses = async (header: string, what: string) =>
    assert.ok([400, 401].includes(await send(header)), what);
  for (const [what, parts] of Object.entries(wrongProofs())) await refuses(await proof(parts), what);
  const [rsa, other] = await Promise.all([DpopKey.create('RS256'), DpopKey.create()]);
  await refuses(await proof({}, rsa), 'by RS256');
  await refuses(await proof({}, other), 'by another key');
  await refuses(await proof({ header: { jwk: { ...dpop.jwk, d: 'AA' } } }), 'with a private key');
  const [header = '', claims = '', signature = ''] = (await proof()).split('.');
  const none = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk: dpop.jwk }));
  await refuses(`${none.toString('base64url')}.${claims}.`, 'by none');
  await refuses(`${header}.${claims}.${signature.slice(1)}A`, 'with another signature');
  await refuses(`${header}.${claims}`, 'in another form');
  await refuses(`${await proof()}, ${await proof()}`, 'twice');
  assert.equal(await plan.userinfo(authorization, {}), 401);
  assert.equal(await plan.userinfo(`Bearer ${accessToken}`, {}), 401);
  const used = await proof();
  assert.equal(await send(used), 200);
  await refuses(used, 'again');
  for (const parts of [
    { claims: { htu: `${url}?a=b#c` } },
    { claims: { htu: url.replace('http://', 'HTTP://') } },
    { claims: { extra: 'x' }, header: { extra: 'x' } },
  ])
    assert.equal(await send(await proof(parts)), 200, JSON.stringify(parts));
}

const logsInWith = (nonce: string) => (plan: FapiPlan) => plan.logIn({ nonce });

/** The modules that the plans have with openid_connect alone, or whose resource is the userinfo endpoint. */
export const openidModules: readonly FapiModule[] = [
  ['ensure-authorization-request-without-nonce-success', 'gives an ID token without one', logsInWith('')],
  ['ensure-authorization-request-with-64-char-nonce-success', 'gives it back', logsInWith('n'.repeat(64))],
  ['ensure-authorization-request-with-long-nonce', 'gives it back', logsInWith('n'.repeat(384))],
  [
    'ensure-different-nonce-inside-and-outside-request-object',
    'ignores the outer one',
    async (plan) => {
      const request_uri = await plan.reference({ nonce: 'in' });
      const response = await plan.respond(plan.url(request_uri, plan.first, { nonce: 'out' }));
      const { id_token } = await plan.finish(response.get('code') ?? '');
      assert.equal((await plan.verified(id_token)).nonce, 'in');
    },
  ],
  ['test-claims-parameter-identity-claims', 'gives the single claims', claimsParameter],
  ['dpop-negative-tests', 'refuses every wrong proof', proofs],
];
