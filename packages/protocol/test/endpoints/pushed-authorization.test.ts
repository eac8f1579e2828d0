import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  authorizationRequest,
  buildClient,
  buildPublicClient,
  clientRequest,
  emma,
  type FlowDependencies,
  flowDependencies,
  protocolError,
  sent,
  submission,
  TestBrowser,
  type TestForm,
} from '@watchword/testkit';
import { DpopKey } from '@watchword/testkit/dpop-key';
import { pushedRequests } from '../../src/authorize/pushed-requests.ts';
import { authorizationEndpoint } from '../../src/endpoints/authorization.ts';
import { pushedAuthorizationEndpoint } from '../../src/endpoints/pushed-authorization.ts';
import { tokenEndpoint } from '../../src/endpoints/token.ts';

const webApp = 'web-app:client-secret';
const redirect_uri = 'https://app.example/cb';
const asked = { response_type: 'code', client_id: 'web-app', redirect_uri, scope: 'read', state: 's-1' };

// RFC 7636 Appendix B.
const pkce = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

let deps: FlowDependencies;
let authorization: FlowDependencies['authorization'];
let paced: string[];
let secondsToWait: number;

beforeEach(async () => {
  deps = await flowDependencies();
  const requestSources = [pushedRequests({ ...deps.store, clock: deps.clock })];
  authorization = authorizationEndpoint({ ...deps.dependencies, requestSources });
  deps.store.putClient(buildClient({ id: 11, clientId: 'other', redirectUris: [redirect_uri] }));
  paced = [];
  secondsToWait = 0;
});

/** @param credentials `''` for a public client */
const push = (form: TestForm = asked, credentials = webApp, dpop?: string) => {
  const request = clientRequest(form, credentials === '' ? undefined : credentials);
  return pushedAuthorizationEndpoint({
    ...deps,
    ...deps.dependencies,
    pace: (source) => {
      paced.push(source);
      return secondsToWait;
    },
  })({ ...request, headers: { ...request.headers, ...(dpop !== undefined && { dpop }) } });
};

const reference = async (form: TestForm = asked) => (await push(form)).request_uri;

const open = async (request_uri: string, browser = new TestBrowser(), more: TestForm = {}) =>
  browser.take(
    await authorization.authorize(submission({ client_id: 'web-app', request_uri, ...more }), browser.state),
  );

/** Logs in and allows everything. */
async function finish(answer: Awaited<ReturnType<typeof open>>, browser: TestBrowser, decision = 'allow') {
  let next = answer;
  if (next.type === 'login') {
    const form = submission({ auth_state: next.authState, username: emma().name });
    next = browser.take(await authorization.login(form, browser.state));
  }
  if (next.type === 'consent') {
    const form = submission({ auth_state: next.authState, decision });
    next = browser.take(await authorization.consent(form, browser.state));
  }
  return next;
}

describe('a pushed authorization request', () => {
  it('gets a reference for 60 seconds, which begins the request', async () => {
    const answer = await push();
    assert.match(answer.request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
    assert.equal(answer.expires_in, 60);
    const browser = new TestBrowser();
    const last = await finish(await open(answer.request_uri, browser), browser);
    assert.equal(sent(last), 'code');
    assert.match(last.type === 'redirect' ? last.location : '', /^https:\/\/app\.example\/cb\?.*state=s-1/);
  });

  it('takes nothing from the browser but the reference and the client_id', async () => {
    const browser = new TestBrowser();
    const misleading = {
      redirect_uri: 'https://evil.example',
      scope: 'write',
      state: 'other',
      prompt: 'none',
    };
    const page = await open(await reference(), browser, misleading);
    assert.ok(page.type === 'login' && page.request !== undefined);
    assert.deepEqual(page.request.scopes, ['read']);
    assert.deepEqual([page.request.target.address, page.request.target.state], [redirect_uri, 's-1']);
  });

  it('is refused by the rules of the authorization endpoint, and then nothing is stored', async () => {
    for (const [wrong, kind] of [
      [{ redirect_uri: 'https://evil.example/cb' }, 'invalid_request'],
      [{ response_type: 'x' }, 'unsupported_response_type'],
      [{ scope: 'unknown' }, 'invalid_scope'],
      [{ prompt: 'x' }, 'invalid_request'],
      [{ request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
      [{ request_uri: 'https://app.example/object' }, 'invalid_request'],
      [{ state: 'x'.repeat(5000) }, 'invalid_request'],
      [{ registration: '{}' }, 'registration_not_supported'],
    ] as const) {
      await assert.rejects(push({ ...asked, ...wrong }), protocolError(kind), JSON.stringify(wrong));
    }
    assert.equal(deps.requestErrorLog.failures.length, 8);
    const { endpoint, isAuthenticated } = deps.requestErrorLog.failures[0] ?? assert.fail();
    assert.deepEqual([endpoint, isAuthenticated], ['pushedAuthorization', true]);
  });

  it('needs the authentication of the client, and is of that client', async () => {
    await assert.rejects(push(asked, 'web-app:wrong'), protocolError('invalid_client'));
    await assert.rejects(push(asked, 'other:client-secret'), protocolError('invalid_request'));
    const { client_id: _, ...unnamed } = asked;
    const { request_uri } = await push(unnamed, 'other:client-secret');
    await assert.rejects(open(request_uri), protocolError('invalid_request_uri'));
  });

  it('is bound to the key of its DPoP proof, as by dpop_jkt, which must be the same', async () => {
    const [key, other] = await Promise.all([DpopKey.create(), DpopKey.create()]);
    const claims = { iat: deps.clock.now() / 1000 };
    const url = 'https://as.example/oauth2/token';
    const proofOf = (by: DpopKey) => by.proof({ method: 'POST', url, claims });
    const differing = push({ ...asked, dpop_jkt: other.jkt }, undefined, await proofOf(key));
    await assert.rejects(differing, { kind: 'invalid_dpop_proof', rule: 'bound_key' });
    const dpop = await proofOf(key);
    const { request_uri } = await push(asked, undefined, dpop);
    await assert.rejects(push(asked, undefined, dpop), { rule: 'unused_proof' });
    const browser = new TestBrowser();
    const last = await finish(await open(request_uri, browser), browser);
    assert.ok(last.type === 'redirect');
    const code = new URL(last.location).searchParams.get('code') ?? '';
    const redeem = async (by: DpopKey) => {
      const request = clientRequest({ grant_type: 'authorization_code', code, redirect_uri }, webApp);
      const headers = { ...request.headers, dpop: await proofOf(by) };
      return tokenEndpoint(deps)({ ...request, headers });
    };
    await assert.rejects(redeem(other), { kind: 'invalid_grant', rule: 'bound_key' });
    assert.equal((await redeem(key)).token_type, 'DPoP');
  });

  it('never stores what authenticates the client', async () => {
    const { client_id, ...rest } = asked;
    const form = {
      ...rest,
      client_id,
      client_secret: 'client-secret',
      password: 'x',
      unknown: 'x',
    };
    const stored: string[] = [];
    const oneTime = {
      ...deps.store.oneTime,
      put: (key: string, value: string, expires: number) => {
        stored.push(key, value);
        return deps.store.oneTime.put(key, value, expires);
      },
    };
    const endpoint = pushedAuthorizationEndpoint({ ...deps, ...deps.dependencies, oneTime, pace: () => 0 });
    const { request_uri } = await endpoint(clientRequest(form));
    assert.equal(stored.length, 2);
    assert.doesNotMatch(stored.join(), /client-secret|client_secret|password|unknown/);
    assert.ok(!stored.join().includes(request_uri.split(':').at(-1) ?? ''));
  });

  it('can be of a client that a document describes and nobody has stored', async () => {
    const clientId = 'https://tool.example/client';
    const client = buildPublicClient({ id: 0, clientId, redirectUris: [redirect_uri] });
    const found: string[] = [];
    const documentClients = {
      async find(id: string, source: string) {
        found.push(`${id} ${source}`);
        return { client, resourceServer: deps.resourceServer };
      },
      keep: () => assert.fail(),
    };
    const all = { ...deps, ...deps.dependencies, documentClients, pace: () => 0 };
    const endpoint = pushedAuthorizationEndpoint(all);
    const form = { ...asked, ...pkce, client_id: clientId };
    assert.equal((await endpoint(clientRequest(form))).expires_in, 60);
    assert.deepEqual(new Set(found), new Set([`${clientId} 192.0.2.1`]));
    const guessed = { ...form, client_secret: 'x' };
    await assert.rejects(endpoint(clientRequest(guessed)), protocolError('invalid_client'));
  });

  it('of a client that anybody can be is stored at a limited pace, and that of another client at any', async () => {
    const { clientId } = deps.store.putClient(buildPublicClient({ redirectUris: [redirect_uri] }));
    const form = { ...asked, ...pkce, client_id: clientId };
    await push(form, '');
    await push();
    assert.deepEqual(paced, ['192.0.2.1']);
    secondsToWait = 3;
    await assert.rejects(push(form, ''), (error) => {
      protocolError('too_many_requests')(error);
      return (error as { retryAfter?: number }).retryAfter === 3;
    });
    await push();
    const client_id = 'registered.x';
    deps.store.putClient({ ...deps.webApp, id: 12, clientId: client_id, redirectUris: [redirect_uri] });
    const itself = push({ ...asked, client_id }, `${client_id}:client-secret`);
    await assert.rejects(itself, protocolError('too_many_requests'));
  });
});

describe('the reference to a pushed authorization request', () => {
  it('is used up by the response, and not by the page', async () => {
    const request_uri = await reference();
    const browser = new TestBrowser();
    await open(request_uri, browser);
    const page = await open(request_uri, browser);
    assert.equal(sent(await finish(page, browser)), 'code');
    await assert.rejects(open(request_uri, browser), protocolError('invalid_request_uri'));
    await assert.rejects(open(request_uri), protocolError('invalid_request_uri'));
  });

  it('is used up by an error too', async () => {
    const request_uri = await reference();
    const browser = new TestBrowser();
    assert.equal(sent(await finish(await open(request_uri, browser), browser, 'deny')), 'access_denied');
    await assert.rejects(open(request_uri, browser), protocolError('invalid_request_uri'));
    const silent = await reference({ ...asked, prompt: 'none' });
    assert.equal(sent(await open(silent)), 'login_required');
    await assert.rejects(open(silent), protocolError('invalid_request_uri'));
  });

  it('has one response where two browsers began with it, and the other one gets no code', async () => {
    const request_uri = await reference();
    const [one, two] = [new TestBrowser(), new TestBrowser()];
    const [first, second] = [await open(request_uri, one), await open(request_uri, two)];
    const ends = await Promise.allSettled([finish(first, one), finish(second, two)]);
    const codes = ends.filter((end) => end.status === 'fulfilled' && sent(end.value) === 'code');
    const refused = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason.kind);
    assert.deepEqual([codes.length, refused], [1, ['invalid_request_uri']]);
    const entries = await deps.store.grantList.scan({ of: 'all', limit: 10 }, deps.clock.now());
    assert.equal(entries.filter(({ type }) => type === 'grant').length, 1);
  });

  it('begins nothing after 60 seconds, and a login that began goes on', async () => {
    const request_uri = await reference();
    const browser = new TestBrowser();
    const page = await open(request_uri, browser);
    deps.clock.advance(60_000);
    await assert.rejects(open(request_uri), protocolError('invalid_request_uri'));
    assert.equal(sent(await finish(page, browser)), 'code');
    await assert.rejects(finish(page, browser), protocolError('invalid_request_uri'));
  });

  it('has no response after a day, also from a page that starts again', async () => {
    const browser = new TestBrowser();
    const page = await open(await reference(), browser);
    deps.clock.advance(86_400_000);
    const again = await finish(page, browser);
    assert.equal(again.type, 'login');
    await assert.rejects(finish(again, browser), protocolError('invalid_request_uri'));
  });

  it('is of its client alone, also in a request that names two, and names one request', async () => {
    const request_uri = await reference();
    for (const more of [
      { client_id: 'other' },
      { client_id: ['web-app', 'other'] },
      { client_id: '' },
      { request_uri: [request_uri, request_uri] },
      { request_uri: `${request_uri}x` },
    ] as TestForm[]) {
      await assert.rejects(open(request_uri, new TestBrowser(), more), protocolError('invalid_request_uri'));
    }
    assert.equal((await open(request_uri)).type, 'login');
  });

  it('does not help a client that lost its right meanwhile', async () => {
    const request_uri = await reference();
    deps.store.putClient({ ...deps.webApp, redirectUris: ['https://app.example/new'] });
    await assert.rejects(open(request_uri), protocolError('invalid_request'));
  });
});

describe('a client that must push its requests', () => {
  const plain = (parameters: TestForm = {}) =>
    authorization.authorize(authorizationRequest({ scope: 'read', ...parameters }), new TestBrowser().state);

  it('cannot ask through the browser', async () => {
    assert.equal((await plain()).type, 'login');
    deps.store.putClient({ ...deps.webApp, requirePushedAuthorizationRequests: true });
    const answer = await plain();
    assert.deepEqual([sent(answer), answer.error?.rule], ['invalid_request', 'pushed_request']);
    assert.equal((await open(await reference())).type, 'login');
  });

  it('is every client where the server asks for it', async () => {
    const requestSources = [pushedRequests({ ...deps.store, clock: deps.clock })];
    authorization = authorizationEndpoint({ ...deps.dependencies, requestSources, requiresPushed: true });
    assert.equal(sent(await plain()), 'invalid_request');
    assert.equal((await open(await reference())).type, 'login');
  });
});
