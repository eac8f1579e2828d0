import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  type RequestParameters,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertRedirectedError } from '../../support/browser-answers.ts';

const uris = { a: 'https://a.example', b: 'https://b.example/mcp', c: 'https://c.example' };

/** One application, which can use A and B beside its own API, and not C. All know the scope `read`. */
describe('a client of several resource servers', () => {
  let server: TestServer;
  let app: Application;
  let apis: Readonly<Record<'a' | 'b' | 'c', { readonly id: number; readonly credentials: string }>>;
  before(async () => {
    server = await startServer();
    const register = async (name: 'a' | 'b' | 'c') => {
      const scopes = ['read', name];
      const made = await registerResourceServer(server, `API ${name}`, { resources: [uris[name]], scopes });
      return { id: made.resourceServer.id, credentials: made.credentials };
    };
    apis = { a: await register('a'), b: await register('b'), c: await register('c') };
    app = await registerApplication(server, {
      otherResourceServers: [
        { resourceServerId: apis.a.id, scopes: ['read', 'a'] },
        { resourceServerId: apis.b.id, scopes: ['read', 'b'] },
      ],
    });
  });
  after(() => server[Symbol.asyncDispose]());

  const obtain = async (request: RequestParameters, form: Record<string, string> = {}) =>
    (await app.redeem(await app.obtainCode(request), form)).json;

  /** What each API reads of a token; nothing of one for others. */
  async function seen(token: string): Promise<Record<string, string>> {
    const all: Record<string, string> = {};
    for (const [name, { credentials }] of Object.entries(apis)) {
      const info = await server.post('/v1/tokeninfo', { access_token: token }, credentials);
      const about = (await server.post('/oauth2/introspect', { token }, credentials)).json;
      assert.deepEqual([info.status === 200, about.active], Array(2).fill(info.status === 200), info.text);
      if (about.active) all[name] = `${about.scope} @ ${about.aud}`;
    }
    return all;
  }

  it('RI-1: gets a token for A that is none at B, for the same scope', async () => {
    const { access_token, scope } = await obtain({ resource: uris.a, scope: 'read' });
    assert.equal(scope, 'read');
    assert.deepEqual(await seen(access_token), { a: `read @ ${uris.a}` });
  });

  it('RI-2: cannot be led by one API to a token for another that the user does not see', async () => {
    const page = await (async () => {
      const agent = new UserAgent();
      const login = await app.open({ resource: [uris.a, uris.b], scope: 'read' }, agent);
      return agent.submit(login, { username: 'emma', password: 'emma' });
    })();
    for (const name of ['API a', 'API b', uris.a, uris.b]) assert.ok(page.text.includes(name), name);
    assert.doesNotMatch(page.text, /Demo API/);
  });

  it('RI-3: has a box for a scope at each, and gets what is ticked there alone', async () => {
    const answers = { scopes: [`${apis.a.id}\\read`, `${apis.b.id}\\b`] };
    const { parameters } = await app.authorize(
      { resource: [uris.a, uris.b], scope: 'read a b', prompt: 'consent' },
      answers,
    );
    const { json } = await app.redeem(parameters.get('code') ?? '');
    assert.deepEqual(await seen(json.access_token), { a: `read @ ${uris.a}`, b: `b @ ${uris.b}` });
  });

  it('RI-4: redeems a code for A and B with A, B or neither, and with no other', async () => {
    const request = { resource: [uris.a, uris.b], scope: 'read a b' };
    const { access_token, refresh_token } = await obtain(request, { resource: uris.a });
    assert.deepEqual(await seen(access_token), { a: `read a @ ${uris.a}` });
    const both = await app.refresh(refresh_token);
    assert.deepEqual(Object.keys(await seen(both.json.access_token)), ['a', 'b']);
    const ofB = await app.refresh(both.json.refresh_token, { resource: uris.b });
    assert.deepEqual(await seen(ofB.json.access_token), { b: `read b @ ${uris.b}` });
    const code = await app.obtainCode(request);
    const refused = await app.redeem(code, { resource: uris.c });
    assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_target']);
    assert.deepEqual(await seen((await app.redeem(code)).json.access_token), {
      a: `read a @ ${uris.a}`,
      b: `read b @ ${uris.b}`,
    });
  });

  it('RI-5: names several at the token endpoint, each in a parameter of its own', async () => {
    const code = await app.obtainCode({ resource: [uris.a, uris.b], scope: 'a b' });
    const form = new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, resource: uris.a },
    });
    form.append('resource', uris.b);
    const { json } = await server.post('/oauth2/token', form.toString(), app.credentials);
    assert.deepEqual(Object.keys(await seen(json.access_token)), ['a', 'b']);
    form.append('code', code);
    const repeated = await server.post('/oauth2/token', form.toString(), app.credentials);
    assert.equal(repeated.json.error, 'invalid_request');
  });

  it('RI-6: gets the error at its redirect URI, with state and iss, also for hostile texts', async () => {
    const issuer = server.service.baseUrl;
    for (const resource of [
      uris.c,
      'https://unknown.example',
      `${uris.b}#x`,
      '/relative',
      `${uris.b}\u202e`,
      'https://b.example\\@evil.example/mcp',
      `https://x.example/${'x'.repeat(4000)}`,
      '<script>alert(1)</script>',
    ]) {
      const page = await app.open({ resource, prompt: 'none' });
      assertRedirectedError(page, 'invalid_target', { issuer });
    }
  });

  it('RI-7: shows the user in the account what it may do at each, and the record owner too', async () => {
    const agent = new UserAgent();
    await app.authorize({ resource: uris.b, scope: 'b', prompt: 'consent' }, {}, agent);
    const { text } = await agent.get(`${server.baseUrl}/account`);
    assert.match(text, /API b/);
  });

  it('RI-8: is the client of its own API alone if it names none', async () => {
    const { access_token, scope } = await obtain({});
    assert.equal(scope, 'read write');
    assert.deepEqual(await seen(access_token), {});
  });

  it('RI-9: names APIs apart whose names look the same, also long ones, each above its own boxes', async () => {
    const long = 'x'.repeat(120);
    const names = ['Invoices', 'Invoices', 'Ｉnvoices', `${long}1`, `${long}2`];
    const hosts = ['one.example', 'two.example', 'two.example', 'three.example', 'four.example'];
    const twins = hosts.map((host, at) => `https://${host}/${at}`);
    const register = (uri: string, owner: number) => {
      const of = { identityProvider: '', name: `owner-${owner}` };
      return registerResourceServer(server, names[owner] ?? '', { resources: [uri], scopes: ['see'] }, of);
    };
    const made = await Promise.all(twins.map(register));
    const keys = made.map(({ resourceServer }) => resourceServer.key);
    const shop = await registerApplication(server, {
      otherResourceServers: made.map(({ resourceServer }) => ({
        ...{ resourceServerId: resourceServer.id, scopes: ['see'] },
      })),
    });
    const agent = new UserAgent();
    const login = await shop.open({ resource: twins, scope: 'see' }, agent);
    const { text } = await agent.submit(login, { username: 'emma', password: 'emma' });
    const headings = [
      ...['Invoices (one.example)', `Invoices (two.example) (${keys[1]})`],
      ...[`Ｉnvoices (two.example) (${keys[2]})`, 'x… (three.example)', 'x… (four.example)'],
    ];
    const shown = text.replaceAll(/x{2,}/g, 'x');
    const boxes = headings.map((heading) => `${heading} see`).join(' ');
    assert.ok(shown.includes(boxes), `expected "${boxes}" in "${shown}"`);
  });
});
