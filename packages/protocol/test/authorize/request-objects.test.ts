import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import {
  answeredParameters,
  buildClient,
  buildResourceServer,
  type FlowDependencies,
  flowDependencies,
  protocolError,
  sent,
  submission,
  TestBrowser,
  type TestForm,
} from '@watchword/testkit';
import { ClientKey } from '@watchword/testkit/client-key';
import type { RequestDependencies } from '../../src/authorize/request/read-request.ts';
import { type RequestObjectDependencies, requestObjects } from '../../src/authorize/request-objects.ts';
import { authorizationEndpoint } from '../../src/endpoints/authorization.ts';
import type { Client } from '../../src/model/records/client.ts';
import { profileChecks } from '../../src/rules/profile-checks.ts';

const redirect_uri = 'https://app.example/cb';
const beside = { response_type: 'code', client_id: 'web-app', scope: 'openid' };
const typ = 'oauth-authz-req+jwt';
const jar = { header: { typ } };

let keys: Readonly<Record<'own' | 'rsa' | 'foreign', ClientKey>>;
before(async () => {
  const [own, rsa, foreign] = await Promise.all([
    ClientKey.create('ES256', 'one'),
    ClientKey.create('PS256', 'two'),
    ClientKey.create('ES256', 'one'),
  ]);
  keys = { own, rsa, foreign };
});

let deps: FlowDependencies;
let asked: string[];
let atUrls: Readonly<Record<string, string>>;
beforeEach(async () => {
  deps = await flowDependencies();
  register({});
  asked = [];
  atUrls = {};
});

function register(fields: Partial<Client>): void {
  const jwks = { keys: [keys.own.jwk, keys.rsa.jwk] };
  deps.store.putClient({ ...deps.webApp, redirectUris: [redirect_uri, `${redirect_uri}2`], jwks, ...fields });
}

type Overrides = Partial<RequestObjectDependencies & Pick<RequestDependencies, 'requiresSigned'>>;

function ask(parameters: TestForm, overrides: Overrides = {}) {
  const { clock, issuer, clientKeySets } = deps;
  const objectsAtUrls = {
    async read({ uri }: { readonly uri: string }) {
      asked.push(uri);
      const text = atUrls[uri];
      return text === undefined ? { problem: 'answered with status 404; expected 200' } : { text };
    },
  };
  const { registry } = deps.store;
  const requestSources = [
    requestObjects({ registry, clock, issuer, clientKeySets, objectsAtUrls, ...overrides }),
  ];
  const { authorize } = authorizationEndpoint({ ...deps.dependencies, ...overrides, requestSources });
  return authorize(submission(parameters), new TestBrowser().state);
}

/** Claims of a request that is valid by itself, with these in place of them; `undefined` leaves one out. */
const claimsOf = (claims: object = {}) => ({
  iss: 'web-app',
  aud: deps.issuer,
  client_id: 'web-app',
  response_type: 'code',
  redirect_uri,
  state: 'inside',
  ...claims,
});
const signed = (
  claims: object = {},
  { key = keys.own, header = {} }: { key?: ClientKey; header?: object } = {},
) => key.sign(claimsOf(claims), { ...header });
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = (claims: object = {}, header: object = {}) =>
  `${encoded({ alg: 'none', ...header })}.${encoded(claimsOf(claims))}.`;

/** Of the login page: what the request asks for. */
async function pageOf(...given: Parameters<typeof ask>) {
  const answer = await ask(...given);
  assert.ok(
    answer.type === 'login' && answer.request !== undefined,
    `${answer.type} ${answer.error?.message}`,
  );
  const { scopes, target, prompt, loginHint } = answer.request;
  return { scopes, prompt, loginHint, address: target.address, state: target.state };
}

/** The error with its rule, and where it goes. */
async function refusalOf(...given: Parameters<typeof ask>) {
  const answer = await ask(...given);
  assert.ok(answer.type === 'redirect' && answer.error !== undefined, answer.type);
  const answered = answeredParameters(answer.location);
  return [sent(answer), answer.error.rule, answered.get('state'), new URL(answer.location).pathname];
}

const invalidObject = (rule: string, state: string | null = 'inside') => [
  'invalid_request_object',
  rule,
  state,
  '/cb',
];

describe('a request object', () => {
  it('has the parameters of the request, signed by a key of the client', async () => {
    for (const key of [keys.own, keys.rsa]) {
      const request = await signed({ scope: 'read', login_hint: 'emma' }, { key, ...jar });
      const page = await pageOf({ client_id: 'web-app', request });
      assert.deepEqual(page, {
        ...{ scopes: ['read'], prompt: [], loginHint: 'emma' },
        ...{ address: redirect_uri, state: 'inside' },
      });
    }
  });

  it('has all parameters by RFC 9101, and supersedes those beside it by OpenID Connect', async () => {
    const outside = { ...beside, redirect_uri: `${redirect_uri}2`, state: 'outside', login_hint: 'emma' };
    const openid = await pageOf({ ...outside, request: await signed({ scope: 'openid read' }) });
    assert.deepEqual(
      [openid.scopes, openid.address, openid.state, openid.loginHint],
      [['openid', 'read'], redirect_uri, 'inside', 'emma'],
    );
    for (const alone of [
      { ...outside, request: await signed({ state: undefined }, jar) },
      { ...outside, request: await signed({ state: undefined }, { header: { typ: `application/${typ}` } }) },
      { ...outside, scope: 'read', request: await signed({ state: undefined }) },
    ]) {
      const page = await pageOf(alone);
      assert.deepEqual([page.address, page.state, page.loginHint], [redirect_uri, undefined, undefined]);
    }
  });

  it('has numbers, objects and lists as members', async () => {
    const request = await signed({
      ...{ scope: 'openid', max_age: 0, claims: { id_token: { acr: null } }, unknown: [{}] },
      ...{ prompt: null, exp: 2_000_000_000, nbf: 0 },
    });
    assert.deepEqual((await pageOf({ ...beside, request })).prompt, []);
    for (const wrong of [{ scope: ['openid', 1] }, { state: { a: '\0' }, nonce: [['x']] }]) {
      const object = await signed(wrong);
      assert.deepEqual((await refusalOf({ ...beside, request: object }))[1], 'request_object_claims');
    }
  });

  it('without a signature is one of OpenID Connect, of a client that registered no algorithm', async () => {
    const request = unsigned({ scope: 'openid read' });
    assert.deepEqual((await pageOf({ ...beside, request })).scopes, ['openid', 'read']);
    register({ requestObjectSigningAlg: 'none' });
    assert.equal((await pageOf({ ...beside, request })).state, 'inside');
    const refused = invalidObject('request_object_signature');
    assert.deepEqual(await refusalOf({ ...beside, request: await signed() }), refused);
    register({});
    assert.deepEqual(await refusalOf({ ...beside, scope: 'read', request }), refused);
    assert.deepEqual(await refusalOf({ ...beside, request: unsigned({}, { typ }) }), refused);
    assert.deepEqual(await refusalOf({ ...beside, request: `${request}AAAA` }), refused);
    register({ requestObjectSigningAlg: 'ES256' });
    assert.deepEqual(await refusalOf({ ...beside, request }), refused);
    register({});
    for (const name of ['oauth-2.1', 'mcp'] as const) {
      const profile = profileChecks(name) ?? assert.fail();
      const strict = await refusalOf({ ...beside, request }, { profile });
      assert.deepEqual(strict, invalidObject('profile_signed_request_objects'));
    }
  });

  it('is refused unless a registered key signed it, by the registered algorithm', async () => {
    const refused = invalidObject('request_object_signature');
    const request = async (...given: Parameters<typeof signed>) => ({
      client_id: 'web-app',
      request: await signed(...given),
    });
    const [header = '', payload = '', signature = ''] = (await signed({}, jar)).split('.');
    const other = encoded(claimsOf({ scope: 'write' }));
    for (const wrong of [
      await request({}, { key: keys.foreign }),
      await request({}, { header: { kid: 'two' } }),
      { client_id: 'web-app', request: `${header}.${other}.${signature}` },
      { client_id: 'web-app', request: `${header}.${payload}.` },
      { client_id: 'web-app', request: `${encoded({ alg: 'HS256' })}.${payload}.${signature}` },
      { client_id: 'web-app', request: `${encoded({ alg: 'None' })}.${payload}.` },
    ]) {
      assert.deepEqual(await refusalOf(wrong), refused);
    }
    register({ requestObjectSigningAlg: 'PS256' });
    assert.deepEqual(await refusalOf(await request()), refused);
    await pageOf(await request({}, { key: keys.rsa }));
    register({ jwks: { keys: [] } });
    assert.deepEqual(await refusalOf(await request()), refused);
  });

  it('is refused with the keys of another client', async () => {
    const jwks = { keys: [keys.foreign.jwk] };
    deps.store.putClient(
      buildClient({ id: 12, clientId: 'other', redirectUris: [redirect_uri], jwks, trusted: true }),
    );
    const request = await signed({}, jar);
    const [error, rule] = await refusalOf({ client_id: 'other', request });
    assert.deepEqual([error, rule], ['invalid_request_object', 'request_object_claims']);
    const unnamed = await signed({ iss: undefined, client_id: undefined }, jar);
    assert.equal((await refusalOf({ client_id: 'other', request: unnamed }))[1], 'request_object_signature');
  });

  it('is refused where it contradicts the request, is for another server, or is not valid now', async () => {
    const seconds = Math.floor(deps.clock.now() / 1000);
    for (const wrong of [
      { client_id: 'other' },
      { iss: 'other' },
      { aud: 'https://other.example' },
      { aud: ['https://other.example'] },
      { aud: [] },
      { sub: 'web-app' },
      { exp: seconds - 60 },
      { exp: '2000000000' },
      { nbf: seconds + 61 },
      { iat: seconds + 61 },
      { request: 'x' },
      { request_uri: 'https://app.example/object' },
    ]) {
      const request = await signed(wrong, jar);
      const refusal = await refusalOf({ client_id: 'web-app', request });
      assert.deepEqual(refusal, invalidObject('request_object_claims'), JSON.stringify(wrong));
    }
    const request = await signed({ response_type: 'token' });
    assert.equal((await refusalOf({ ...beside, request }))[1], 'request_object_claims');
    const proof = await signed({}, { header: { typ: 'dpop+jwt' } });
    assert.equal((await refusalOf({ ...beside, request: proof }))[1], 'request_object_claims');
    const times = { exp: seconds - 59, nbf: seconds + 60, iat: seconds + 60 };
    const fitting = { ...times, aud: ['https://other.example', deps.issuer], sub: undefined };
    await pageOf({ client_id: 'web-app', request: await signed(fitting, jar) });
  });

  it('that cannot be read is an error where the request beside it says', async () => {
    const outside = { ...beside, redirect_uri, state: 'outside' };
    const encrypted = 'eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d';
    for (const request of ['x', 'a.b.c', encrypted, await signed({ state: 'x'.repeat(17_000) })]) {
      const refusal = await refusalOf({ ...outside, request });
      assert.deepEqual(refusal, invalidObject('request_object_form', 'outside'));
    }
    const alone = ask({ client_id: 'web-app', request: 'x' });
    await assert.rejects(alone, protocolError('invalid_request_object'));
  });

  it('is no larger as parameters than a request without it', async () => {
    const request = await signed({ login_hint: 'x'.repeat(6000) }, jar);
    await assert.rejects(ask({ client_id: 'web-app', request }), protocolError('invalid_request'));
  });

  it('never leads to an address that is not registered, also with an error', async () => {
    const evil = { redirect_uri: 'https://evil.example/cb' };
    for (const request of [
      await signed(evil, jar),
      await signed(evil, { key: keys.foreign, ...jar }),
      unsigned(evil),
    ]) {
      await assert.rejects(ask({ ...beside, request }));
      await assert.rejects(ask({ client_id: 'nobody', request }), protocolError('invalid_request'));
    }
  });

  it('says how its error is answered', async () => {
    const request = unsigned({ response_mode: 'form_post', aud: 'https://other.example' });
    const answer = await ask({ ...beside, request });
    assert.ok(answer.type === 'formPost', answer.type);
    assert.deepEqual([answer.fields.error, answer.fields.state], ['invalid_request_object', 'inside']);
  });
});

describe('a client that must sign its requests', () => {
  const missing = async (parameters: TestForm, overrides: Overrides = {}) => {
    const [error, rule] = await refusalOf(parameters, overrides);
    assert.deepEqual([error, rule], ['invalid_request', 'signed_request'], JSON.stringify(parameters));
  };
  const plain = { ...beside, redirect_uri };
  const whole = async (claims: object = {}) => ({
    ...beside,
    request: await signed({ scope: 'openid', ...claims }),
  });

  it('cannot ask by parameters, nor by an object without a signature', async () => {
    register({ requireSignedRequestObject: true });
    await missing(plain);
    await missing({ ...beside, request: unsigned({ scope: 'openid' }) });
    await pageOf(await whole());
    await pageOf({ client_id: 'web-app', request: await signed({}, jar) });
  });

  it('has no parameter beside the object, where somebody could add one', async () => {
    register({ requireSignedRequestObject: true });
    await missing({ ...(await whole()), login_hint: 'mallory' });
    await missing({ ...beside, request: await signed({ scope: undefined }) });
    // By RFC 9101 it is ignored.
    const request = await signed({}, jar);
    assert.equal((await pageOf({ ...beside, login_hint: 'mallory', request })).loginHint, undefined);
    register({});
    assert.equal((await pageOf({ ...(await whole()), login_hint: 'emma' })).loginHint, 'emma');
  });

  it('is every client where the server asks for it, but those of the administration', async () => {
    await missing(plain, { requiresSigned: true });
    await pageOf(await whole(), { requiresSigned: true });
    deps.store.putResourceServer(buildResourceServer({ owner: 'watchword', ownerAuthority: 'system' }));
    await pageOf(plain, { requiresSigned: true });
  });
});

describe('a request_uri', () => {
  const uri = 'https://app.example/object#GkurKxf5T0Y-mnPFCHqWOMiZi4VS138cQO_V7PZHAdM';

  it('is one that the client registered, with its fragment, and has the object', async () => {
    register({ requestUris: [uri] });
    atUrls = { [uri]: await signed({ scope: 'read' }, jar) };
    assert.deepEqual((await pageOf({ client_id: 'web-app', request_uri: uri })).scopes, ['read']);
    assert.deepEqual(asked, [uri]);
  });

  it('is not asked for otherwise', async () => {
    register({ requestUris: [uri] });
    const internal = ['http://169.254.169.254/latest', 'https://localhost/object', 'file:///etc/passwd'];
    for (const request_uri of [...internal, uri.split('#')[0] ?? '', `${uri}A`, `${uri}?x`]) {
      const refusal = await refusalOf({ ...beside, redirect_uri, state: 's', request_uri });
      assert.deepEqual(refusal, ['invalid_request_uri', 'registered_request_uri', 's', '/cb'], request_uri);
    }
    deps.store.putClient(
      buildClient({ id: 12, clientId: 'other', redirectUris: [redirect_uri], trusted: true }),
    );
    const other = { ...beside, redirect_uri, client_id: 'other', request_uri: uri };
    assert.equal((await refusalOf(other))[0], 'invalid_request_uri');
    await assert.rejects(ask({ ...other, client_id: 'nobody' }), protocolError('invalid_request'));
    assert.deepEqual(asked, []);
  });

  it('whose object cannot be read is an error of the request', async () => {
    register({ requestUris: [uri] });
    const refusal = await refusalOf({ ...beside, redirect_uri, state: 's', request_uri: uri });
    assert.deepEqual(refusal, ['invalid_request_uri', 'request_uri_object', 's', '/cb']);
    atUrls = { [uri]: '<html>' };
    const [error] = await refusalOf({ ...beside, redirect_uri, request_uri: uri });
    assert.equal(error, 'invalid_request_object');
  });

  it('excludes request, and comes once', async () => {
    register({ requestUris: [uri] });
    const both = { ...beside, redirect_uri, request_uri: uri, request: await signed() };
    assert.deepEqual((await refusalOf(both)).slice(0, 2), ['invalid_request', 'one_request_object']);
    for (const twice of [{ request_uri: [uri, uri] }, { request: ['x', 'y'] }])
      assert.equal((await refusalOf({ ...beside, redirect_uri, ...twice }))[0], 'invalid_request');
    assert.deepEqual(asked, []);
  });

  it('is not supported where the operator does not want it', async () => {
    register({ requestUris: [uri] });
    const off = { objectsAtUrls: undefined };
    const refusal = await refusalOf({ ...beside, redirect_uri, request_uri: uri }, off);
    assert.equal(refusal[0], 'request_uri_not_supported');
  });
});
