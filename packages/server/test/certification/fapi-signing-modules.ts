import { type FapiModule, type FapiPlan, now, type ObjectParts, type Parameters } from './fapi-plan.ts';

async function objectOf(plan: FapiPlan, parts: (plan: FapiPlan) => ObjectParts | Promise<ObjectParts>) {
  return plan.object(plan.request(), await parts(plan));
}

/** A request object with these claims in place of the right ones. */
const fails = (claims: () => object) => failsWith(() => ({ claims: claims() }));

const failsWith =
  (parts: (plan: FapiPlan) => ObjectParts | Promise<ObjectParts>) =>
  async (plan: FapiPlan): Promise<void> =>
    plan.refused(plan.pushForm({ request: await objectOf(plan, parts) }), 'invalid_request_object');

/** A login by an object with these claims. */
const succeeds =
  (claims: (plan: FapiPlan) => object) =>
  async (plan: FapiPlan): Promise<void> => {
    const parts = (of: FapiPlan) => ({ claims: claims(of) });
    const { json } = await plan.pushForm({ request: await objectOf(plan, parts) });
    const response = await plan.respond(plan.url(json.request_uri));
    await plan.finish(response.get('code') ?? String(response));
  };

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** @param forge makes the header and the signature */
const forged =
  (forge: (header: string, signature: string) => readonly [header: string, signature: string]) =>
  async (plan: FapiPlan): Promise<void> => {
    const [header = '', claims = '', signature = ''] = (await plan.object(plan.request())).split('.');
    const [other, wrong] = forge(header, signature);
    const form: Parameters = { request: `${other}.${claims}.${wrong}` };
    await plan.refused(plan.pushForm(form), 'invalid_request_object');
  };

/** The modules that the Message Signing plan has beside those of the Security Profile. */
export const signingModules: readonly FapiModule[] = [
  [
    'ensure-request-object-with-multiple-aud-succeeds',
    'takes a list with the issuer in it',
    succeeds(({ issuer }) => ({ aud: ['https://other.example', issuer] })),
  ],
  [
    'ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted',
    'takes it',
    succeeds(() => ({ nbf: now() + 8 })),
  ],
  ['ensure-request-object-without-exp-fails', 'refuses it', fails(() => ({ exp: undefined }))],
  ['ensure-request-object-without-nbf-fails', 'refuses it', fails(() => ({ nbf: undefined }))],
  [
    'ensure-expired-request-object-fails',
    'refuses it',
    fails(() => ({ nbf: now() - 600, iat: now() - 600, exp: now() - 300 })),
  ],
  ['ensure-request-object-with-bad-aud-fails', 'refuses it', fails(() => ({ aud: 'https://other.example' }))],
  ['ensure-request-object-with-exp-over-60-fails', 'refuses it', fails(() => ({ exp: now() + 4200 }))],
  ['ensure-request-object-with-nbf-over-60-fails', 'refuses it', fails(() => ({ nbf: now() - 4200 }))],
  [
    'ensure-signed-request-object-with-RS256-fails',
    'refuses it',
    failsWith(({ first }) => ({ key: first.rsa })),
  ],
  [
    'ensure-request-object-signature-algorithm-is-not-none',
    'refuses it',
    forged(() => [encoded({ alg: 'none', typ: 'oauth-authz-req+jwt' }), '']),
  ],
  [
    'ensure-request-object-with-invalid-signature-fails',
    'refuses it',
    forged((header, signature) => [header, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`]),
  ],
  [
    'ensure-matching-key-in-authorization-request',
    'refuses an object that another client signed',
    failsWith(({ second }) => ({ key: second.key })),
  ],
  [
    'ensure-unsigned-request-at-par-endpoint-fails',
    'refuses it',
    async (plan) => plan.refused(plan.pushForm(plan.request()), 'invalid_request'),
  ],
  [
    'par-authorization-request-containing-request_uri',
    'refuses it in an object',
    fails(() => ({ request_uri: 'urn:ietf:params:oauth:request_uri:x' })),
  ],
];
