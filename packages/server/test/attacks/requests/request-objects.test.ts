import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  type RequestParameters,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { type DocumentSite, startDocumentSite } from '@watchword/server-testkit/clients/document-site';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { ClientKey } from '@watchword/testkit/client-key';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertErrorPage } from '../../support/browser-answers.ts';

const typ = 'oauth-authz-req+jwt';
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a request that does not come as parameters', () => {
  let server: TestServer;
  let site: DocumentSite;
  let app: Application;
  let other: Application;
  let key: ClientKey;
  before(async () => {
    [site, key] = await Promise.all([startDocumentSite(), ClientKey.create('ES256')]);
    const { 'outbound.privateHosts': privateHosts } = site.settings;
    server = await startServer({
      'authorization.requestUris': 'true',
      'outbound.privateHosts': privateHosts,
    });
    const jwks = { keys: [key.jwk] };
    app = await registerApplication(server, { jwks, skipConsent: true });
    other = await registerApplication(server, { clientName: 'Other', skipConsent: true });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const claims = (more: object = {}) => ({
    ...{ iss: app.client.clientId, aud: server.service.baseUrl, client_id: app.client.clientId },
    ...{ response_type: 'code', redirect_uri: redirectUri, state: 'inside' },
    ...more,
  });
  /** Only the parameters that RFC 9101 asks for. */
  const open = (parameters: RequestParameters, of = app) =>
    of.open({ response_type: '', redirect_uri: '', state: '', ...parameters });
  const refusal = async (...given: Parameters<typeof open>) => {
    const page = await open(...given);
    assert.equal(page.status, 303, page.text);
    return answeredBy(page.location ?? '').get('error');
  };
  const push = async (form: Record<string, string> = {}, of = app) => {
    const { status, json } = await of.push(form);
    assert.equal(status, 201);
    return json.request_uri;
  };

  it('PA-2: is of the client that pushed it, and gives nothing to another one', async () => {
    const request_uri = await push();
    const agent = new UserAgent();
    await other.authorize({}, {}, agent);
    assertErrorPage(await agent.get(other.pushedUrl(request_uri)));
    assertErrorPage(await agent.get(app.pushedUrl(`${request_uri}x`)));
    const { location = '' } = await agent.get(app.pushedUrl(request_uri));
    assert.ok(answeredBy(location).has('code'), location);
    assertErrorPage(await agent.get(app.pushedUrl(request_uri)));
  });

  it('PA-3: is not stored for whoever does not authenticate, and never with a request_uri', async () => {
    const form = { response_type: 'code', client_id: app.client.clientId, redirect_uri: redirectUri };
    const anonymous = await server.post('/oauth2/par', form);
    assert.deepEqual([anonymous.status, anonymous.json.error], [401, 'invalid_client']);
    const wrong = await server.post('/oauth2/par', form, other.credentials);
    assert.deepEqual([wrong.status, wrong.json.error], [400, 'invalid_request']);
    for (const request_uri of [await push(), 'https://app.example/object']) {
      const { status, json } = await app.push({ request_uri });
      assert.deepEqual([status, json.error], [400, 'invalid_request']);
    }
    const evil = await app.push({ redirect_uri: 'https://evil.example/cb' });
    assert.deepEqual([evil.status, evil.json.error], [400, 'invalid_request']);
    assert.equal((await server.get('/oauth2/par')).status, 405);
  });

  it('RO-1: is refused if its object contradicts it, has expired, is for others, or has another one or an unreadable text in it', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    for (const wrong of [
      ...[
        { client_id: other.client.clientId },
        { iss: other.client.clientId },
        { aud: 'https://rs.example' },
      ],
      ...[{ exp: seconds - 61 }, { nbf: seconds + 90 }, { request: 'x' }, { request_uri: 'x' }],
      ...[{ state: '\ud800' }, { state: ['a\0'] }, { nonce: ['\udfff'] }, { ui_locales: 'de\ud83d' }],
    ]) {
      const request = await key.sign(claims(wrong), { typ });
      assert.equal(await refusal({ request }), 'invalid_request_object', JSON.stringify(wrong));
      const { status, json } = await app.push({ request });
      assert.deepEqual([status, json.error], [400, 'invalid_request_object']);
    }
    const request = await key.sign(claims());
    assert.equal(
      await refusal({ request, scope: 'openid', response_type: 'token' }),
      'invalid_request_object',
    );
    assert.ok((await open({ request })).forms.length > 0);
  });

  it('RO-2: is refused if another key signed its object, no key, or the public key as a secret', async () => {
    const foreign = await ClientKey.create('ES256');
    const start = `${encoded({ alg: 'HS256', typ })}.${encoded(claims())}`;
    const mac = (secret: string) =>
      `${start}.${createHmac('sha256', secret).update(start).digest('base64url')}`;
    const [header = '', payload = ''] = (await key.sign(claims(), { typ })).split('.');
    for (const request of [
      await foreign.sign(claims(), { typ }),
      ...[JSON.stringify(key.jwk), app.credentials?.split(':')[1] ?? ''].map(mac),
      `${encoded({ alg: 'none', typ })}.${payload}.`,
      `${header}.${payload}.`,
    ]) {
      assert.equal(await refusal({ request }), 'invalid_request_object');
      assert.equal((await app.push({ request })).json.error, 'invalid_request_object');
    }
    const request = await key.sign(claims({ iss: undefined, client_id: undefined }), { typ });
    assert.equal(await refusal({ request }, other), 'invalid_request_object');
  });

  it('RO-3: never sends a response to an address that is not registered, nor is larger than another', async () => {
    const evil = { redirect_uri: 'https://evil.example/cb' };
    for (const request of [
      await key.sign(claims(evil), { typ }),
      `${encoded({ alg: 'none' })}.${encoded(claims(evil))}.`,
      await key.sign(claims({ login_hint: 'x'.repeat(6000) }), { typ }),
    ]) {
      assertErrorPage(await open({ request, scope: 'openid' }));
    }
    const huge = await key.sign(claims({ login_hint: 'x'.repeat(20_000) }), { typ });
    assert.equal(await refusal({ request: huge }), 'invalid_request_object');
    const pushed = await app.push({ request: huge });
    assert.deepEqual([pushed.status, pushed.json.error], [400, 'invalid_request_object']);
  });

  it('RO-4: is fetched from a registered address alone, never from a private one, without a redirect, and not if it is huge', async () => {
    const object = await key.sign(claims(), { typ });
    const uri = site.answer('/object', (_, response) => response.end(object));
    const huge = site.answer('/huge', (_, response) => response.end('x'.repeat(20_000)));
    const moved = site.answer('/moved', (_, response) => response.writeHead(302, { location: uri }).end());
    const { port } = new URL(uri);
    const internal = [`https://127.0.0.1:${port}/object`, 'https://169.254.169.254/x', 'https://[::1]/x'];
    const jwks = { keys: [key.jwk] };
    const fetching = await registerApplication(server, {
      ...{ clientName: 'Fetching', jwks, skipConsent: true },
      requestUris: [uri, huge, moved, ...internal],
    });
    const own = { client_id: fetching.client.clientId, redirect_uri: redirectUri };
    site.forget();
    for (const request_uri of [
      `${uri}?x`,
      `${uri}#x`,
      ...internal,
      'http://127.0.0.1/',
      'file:///etc/passwd',
    ]) {
      assert.equal(await refusal({ ...own, request_uri }, fetching), 'invalid_request_uri', request_uri);
    }
    assert.equal(
      await refusal({ ...own, client_id: app.client.clientId, request_uri: uri }),
      'invalid_request_uri',
    );
    assert.equal(site.asked('/object'), 0);
    for (const request_uri of [huge, moved])
      assert.equal(await refusal({ ...own, request_uri }, fetching), 'invalid_request_uri', request_uri);
    assert.equal(site.asked('/object'), 0);
    assert.equal(await refusal({ ...own, request_uri: uri }, fetching), 'invalid_request_object');
    const its = claims({ iss: own.client_id, client_id: own.client_id });
    const right = await key.sign(its, { typ });
    site.answer('/object', (_, response) => response.end(right));
    assert.ok((await open({ ...own, request_uri: uri }, fetching)).forms.length > 0);
    const { json } = await server.get('/.well-known/openid-configuration');
    assert.ok(json.request_uri_parameter_supported && json.require_request_uri_registration);
  });

  it('RO-5: of a client that must sign is refused with a parameter that nobody signed, or an object that names no client, also if it is pushed', async () => {
    const jwks = { keys: [key.jwk] };
    const fields = { clientName: 'Signing', jwks, skipConsent: true, requireSignedRequestObject: true };
    const signing = await registerApplication(server, fields);
    const own = { iss: signing.client.clientId, client_id: signing.client.clientId };
    const object = await key.sign(claims(own), { typ });
    const openid = { scope: 'openid', request: await key.sign(claims({ ...own, scope: 'openid' })) };
    const unsigned = `${encoded({ alg: 'none' })}.${encoded(claims({ ...own, scope: 'openid' }))}.`;
    for (const parameters of [
      {},
      { scope: 'openid', request: unsigned },
      { ...openid, login_hint: 'mallory' },
      { request: await key.sign(claims({ iss: undefined, client_id: undefined }), { typ }) },
    ]) {
      assert.equal(
        await refusal({ redirect_uri: redirectUri, response_type: 'code', ...parameters }, signing),
        'invalid_request',
      );
      const { status, json } = await signing.push(parameters);
      assert.deepEqual([status, json.error], [400, 'invalid_request'], JSON.stringify(json));
    }
    const request_uri = await push({ request: object }, signing);
    assert.ok((await new UserAgent().get(signing.pushedUrl(request_uri))).forms.length > 0);
  });
});
