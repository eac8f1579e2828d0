import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Application,
  pkce,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { sql, tableNames } from '@watchword/server-testkit/servers/sql';
import { protocolError, rounds, slowTest } from '@watchword/testkit';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertErrorPage, assertPageHeaders, assertRedirectedError } from '../../support/browser-answers.ts';

describe('an authorization request', () => {
  let server: TestServer;
  let app: Application;
  let publicApp: Application;
  let issuer: string;
  before(async () => {
    server = await startServer({ allowedHosts: 'evil.example' });
    issuer = server.service.baseUrl;
    app = await registerApplication(server);
    publicApp = await registerApplication(server, { allowedImplicitGrant: true });
  });
  after(() => server[Symbol.asyncDispose]());

  it('AR-1: of an unknown client is answered by a page without a redirect', async () => {
    const attacker = 'https://attacker.example/cb';
    for (const client_id of ['nobody', '']) {
      assertErrorPage(await app.open({ client_id, redirect_uri: attacker }));
      assertErrorPage(await app.open({ client_id }));
    }
  });

  it('AR-2: with an unregistered redirect URI is answered by a page, with any other error in the request', async () => {
    const redirect_uri = 'https://attacker.example/cb';
    for (const wrong of [{ response_type: 'foo' }, { response_type: '' }, { scope: 'root' }, {}]) {
      assertErrorPage(await app.open({ redirect_uri, ...wrong }));
    }
  });

  it('AR-3: needs its redirect URI exactly in the registered form', async () => {
    const registered = await registerApplication(server, { redirectUris: ['https://a.example/cb'] });
    // authorization-request.test.ts of the protocol has more.
    const variants = [
      'https://a.example/cb/x',
      'https://a.example/cb?x',
      'https://a.example/cb#f',
      'https://a.example/x/../cb',
      'https://a.example/%63b',
      'https://a.example:443/cb',
      'https://a.example@evil.example/cb',
      'https://evil.example\\@a.example/cb',
      'https://a.example\\@evil.example/cb',
      'https://a.example/cb ',
      'http://a.example/cb',
      '//a.example/cb',
      '/cb',
    ];
    for (const redirect_uri of variants) assertErrorPage(await registered.open({ redirect_uri }));
    assert.equal((await registered.open()).status, 200);
  });

  it('AR-3: can vary the port of a loopback host, and nothing else', async () => {
    const native = await registerApplication(server, {
      redirectUris: ['http://127.0.0.1/cb', 'http://localhost/cb'],
    });
    for (const redirect_uri of ['http://127.0.0.1:51234/cb', 'http://localhost:51234/cb']) {
      assert.equal((await native.open({ redirect_uri })).status, 200);
    }
    for (const redirect_uri of [
      'http://localhost:51234/other',
      'http://localhost.evil.example:51234/cb',
      'http://localhost.:51234/cb',
      'http://LOCALHOST:51234/cb',
      'https://localhost:51234/cb',
      'http://[::1]:51234/cb',
      'http://127.0.0.1:51234/other',
      'http://127.0.0.2:51234/cb',
      'http://127.0.0.1:51234@evil.example/cb',
      'https://127.0.0.1:51234/cb',
    ]) {
      const refused = await native.open({ redirect_uri });
      assertErrorPage(refused);
      assert.match(
        refused.text,
        /only the port may differ .* http:\/\/127\.0\.0\.1, http:\/\/\[::1\] or http:\/\/localhost/,
      );
    }
  });

  it('AR-3: of the administration pages cannot vary the port, because another user can listen there', async () => {
    const base = new URL(server.service.baseUrl);
    for (const port of [base.port, String(Number(base.port) - 1)]) {
      const redirect_uri = `http://${base.hostname}:${port}/client/client.html`;
      for (const request of [
        { response_type: 'token' },
        { response_type: 'code', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
      ]) {
        const client_id = 'authorization-server-admin-js-client';
        const page = await new UserAgent().get(
          `${server.baseUrl}/authorize?${new URLSearchParams({ client_id, redirect_uri, ...request })}`,
        );
        if (port === base.port) assert.equal(page.status, 200);
        else assertErrorPage(page);
      }
    }
  });

  it('AR-5: of a client without a registered redirect URI is answered by a page', async () => {
    const service = await registerClient(server, { redirectUris: [] });
    const client_id = service.client.clientId;
    for (const redirect_uri of [redirectUri, ''])
      assertErrorPage(await app.open({ client_id, redirect_uri }));
  });

  it('AR-6: can omit the redirect URI when exactly one is registered, and only for a code', async () => {
    const { parameters, location } = await app.authorize({ redirect_uri: '' });
    assert.ok(location.startsWith(`${redirectUri}?`));
    assert.ok(parameters.has('code'));
    const two = await registerApplication(server, { redirectUris: [redirectUri, 'https://b.example/cb'] });
    assertErrorPage(await two.open({ redirect_uri: '' }));
    assertErrorPage(await publicApp.open({ redirect_uri: '', response_type: 'token' }));
  });

  it('AR-7: never redirects to a URI that cannot be registered, not even one in the database', async () => {
    const dangerous = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'http://app.example/cb',
      'https://app.example/cb#fragment',
      'https://user@app.example/cb',
      'https://*.example/cb',
      'https://app.example/\u0001',
      'https://app.example/é',
      'https://*',
      'https://a;script-src.example/cb',
    ];
    const forced = await registerApplication(server);
    await forceRedirectUris(server, forced.client.id, dangerous);
    for (const uri of dangerous) {
      await assert.rejects(
        registerApplication(server, { redirectUris: [uri] }),
        protocolError('invalid_request'),
      );
      assertErrorPage(await forced.open({ redirect_uri: uri }));
    }
    await forceRedirectUris(server, forced.client.id, dangerous.slice(0, 1));
    assertErrorPage(await forced.open({ redirect_uri: '' }));
  });

  it('AR-9: reads parameters by their exact names, and an empty value as absent', async () => {
    const odd = {
      'client_id[]': 'x',
      'a[b][c]': 'x',
      '__proto__[x]': '1',
      __proto__x: '1',
      constructor: 'x',
      toString: 'x',
      hasOwnProperty: 'x',
      unknown: 'x',
    };
    const page = await new UserAgent().get(`${app.authorizeUrl(odd)}&scope=&prompt=&nonce=&__proto__=1`);
    assert.equal(page.status, 200, page.text);
    assert.equal(({} as Record<string, unknown>).x, undefined);
    assertErrorPage(await app.open({ client_id: '', 'client_id[]': app.client.clientId }));
  });

  it('AR-9: can have each parameter once that the server knows', async () => {
    const { clientId } = app.client;
    assertErrorPage(await app.open({ client_id: [clientId, clientId] }));
    assertErrorPage(await app.open({ redirect_uri: [redirectUri, redirectUri] }));
    for (const name of ['response_type', 'scope', 'state', 'code_challenge']) {
      const page = await app.open({ [name]: ['code', 'code'] });
      const state = name === 'state' ? null : 'state-1';
      assertRedirectedError(page, 'invalid_request', { issuer, state });
    }
    assert.equal((await app.open({ unknown: ['code', 'code'], audience: ['a', 'b'] })).status, 200);
  });

  it('AR-9: without strict encoding is answered by a page', async () => {
    for (const broken of ['%zz', '%FF', '%C0%AF', '%ED%A0%80', '%00']) {
      assertErrorPage(await new UserAgent().get(`${app.authorizeUrl()}&x=${broken}`));
      assertErrorPage(await new UserAgent().get(`${app.authorizeUrl({ state: '' })}&state=${broken}`));
    }
  });

  it('AR-10: is rejected for an unknown or unregistered response_type', async () => {
    assertRedirectedError(await app.open({ response_type: '' }), 'invalid_request', { issuer });
    for (const response_type of ['foo', 'CODE', 'code code', 'none', 'code none']) {
      const page = await app.open({ response_type });
      assertRedirectedError(page, 'unsupported_response_type', { issuer });
    }
    const fragment = { issuer, separator: '#' } as const;
    assertRedirectedError(await app.open({ response_type: 'token' }), 'unauthorized_client', fragment);
    for (const response_type of ['id_token', 'code token', 'code id_token', 'code id_token token']) {
      assertRedirectedError(await app.open({ response_type }), 'unauthorized_client', fragment);
    }
    const query = await publicApp.open({ response_type: 'token', response_mode: 'query' });
    assertRedirectedError(query, 'invalid_request', fragment);
  });

  it('AR-12: is rejected for a scope that the client lacks, and for an invalid scope', async () => {
    const wrong = [
      'admin',
      'read admin',
      'read "',
      'read\\',
      'read \u0001',
      'rëad',
      'read,write',
      Array.from({ length: 1000 }, (_, index) => `s${index}`).join(' '),
      'x'.repeat(5000),
    ];
    for (const scope of wrong) {
      assertRedirectedError(await app.open({ scope }), 'invalid_scope', { issuer });
    }
  });

  it('is answered by a page when it is larger than the limit, by GET and by POST', async () => {
    const agent = new UserAgent();
    await app.open({}, agent);
    const [url = ''] = app.authorizeUrl().split('?');
    const rest = { response_type: 'code', client_id: app.client.clientId, redirect_uri: redirectUri };
    const octets = (parameters: Record<string, string>) =>
      Object.entries({ ...rest, ...parameters }).reduce(
        (sum, [name, value]) => sum + Buffer.byteLength(name + value),
        0,
      );
    const room = 6000 - octets({ x: '' });
    const allowed = [
      { state: 's'.repeat(4096) },
      { state: 'é'.repeat(2048) },
      { state: '\u{1F600}'.repeat(1024) },
      { state: '%'.repeat(4096) },
      { nonce: 'n'.repeat(512) },
      { x: 'x'.repeat(room) },
      { x: '\u0001'.repeat(room) },
    ];
    const tooLarge = [
      { state: 's'.repeat(4097) },
      { state: 'é'.repeat(2049) },
      { nonce: 'n'.repeat(513) },
      { nonce: 'é'.repeat(257) },
      { x: 'x'.repeat(room + 1) },
      { ['y'.repeat(room + 2)]: '' },
      { state: 's'.repeat(4000), x: 'x'.repeat(2000) },
    ];
    for (const [index, [parameters, isAllowed]] of [
      ...allowed.map((each) => [each, true] as const),
      ...tooLarge.map((each) => [each, false] as const),
    ].entries()) {
      const form: Record<string, string> = { ...rest, ...parameters };
      for (const page of [
        await agent.get(`${url}?${new URLSearchParams(form)}`),
        await (index % 2 === 0 ? agent.post(url, form) : agent.postFromElsewhere(url, form)),
      ]) {
        if (isAllowed) assert.equal(page.status, 200, page.text);
        else assertErrorPage(page);
      }
    }
    for (const more of [{ prompt: 'none' }, { scope: 'root' }]) {
      assertErrorPage(await app.open({ state: 's'.repeat(4097), ...more }, agent));
    }
    assertErrorPage(await app.open({ state: ['s', 's'.repeat(4097)] }, agent));
  });

  it('keeps a state of the maximum size and any content through login and consent', async () => {
    for (const state of ['"'.repeat(4096), '\\\u0001\n'.repeat(1365), 'é'.repeat(2048)]) {
      const { parameters } = await app.authorize({ state }, { username: 'keeper of states' });
      assert.equal(parameters.get('state'), state);
    }
  });

  // tokens/token-endpoint.test.ts holds it.
  slowTest(
    'AR-13: can separate scopes by commas where the setting permits it, and the answer has spaces',
    async () => {
      await using lenient = await startServer({ 'scope.commaSeparated': 'true' });
      const implicit = await registerApplication(lenient, { allowedImplicitGrant: true });
      const { parameters } = await implicit.authorize({ response_type: 'token', scope: 'read,write' });
      assert.equal(parameters.get('scope'), 'read write');
    },
  );

  it('AR-14: of a public client needs a code_challenge with S256', async () => {
    const { code_challenge } = pkce;
    const wrong = [
      { code_challenge: '', code_challenge_method: '' },
      { code_challenge: '' },
      { code_challenge_method: 'plain' },
      { code_challenge_method: '' },
      { code_challenge_method: 's256' },
      { code_challenge: code_challenge.slice(1) },
      { code_challenge: code_challenge.padEnd(129, 'x') },
      { code_challenge: `${code_challenge.slice(1)}=` },
      { code_challenge: `${code_challenge.slice(1)}+` },
    ];
    for (const parameters of wrong) {
      assertRedirectedError(await publicApp.open(parameters), 'invalid_request', { issuer });
    }
  });

  it('AR-14: of any client is rejected for an invalid code_challenge', async () => {
    for (const parameters of [
      { ...pkce, code_challenge_method: 'plain' },
      { code_challenge: pkce.code_challenge },
      { code_challenge_method: 'S256' },
      { ...pkce, code_challenge: 'short' },
    ]) {
      assertRedirectedError(await app.open(parameters), 'invalid_request', { issuer });
    }
  });

  it('AR-15: is answered at every kind of redirect URI that can be registered, and does not change it', async () => {
    for (const uri of [
      'https://app.example/cb?tenant=1&x=%2F',
      'https://app.example/cb?',
      'http://[::1]:8080/cb',
      'com.example.app:/cb',
    ]) {
      const native = await registerApplication(server, { redirectUris: [uri] });
      const { location, pages } = await native.authorize({}, { username: `user of ${uri}` });
      assert.ok(location.startsWith(uri), location);
      assert.match(location.slice(uri.length), /^[?&]?code=[\w-]+&state=state-1&iss=[^&]+$/);
      assert.equal(location.split('?').length, 2);
      for (const page of pages.slice(0, -1)) assertPageHeaders(page);
    }
  });

  it('AR-16: has one iss in its answer, the issuer of the metadata, with any headers', async () => {
    const poisoned = new UserAgent({
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
    });
    const metadata = await server.get('/.well-known/oauth-authorization-server');
    assert.equal(metadata.json.issuer, issuer);
    const { parameters, pages } = await app.authorize({}, {}, poisoned);
    assert.deepEqual(parameters.getAll('iss'), [issuer]);
    for (const page of pages) assert.doesNotMatch(page.html, /evil\.example/);
    const refused = await app.open({ response_type: 'foo' }, poisoned);
    assertRedirectedError(refused, 'unsupported_response_type', { issuer });
  });

  it('AR-17: is answered by pages that no other page can frame and that run no foreign scripts', async () => {
    const { pages } = await app.authorize({}, { username: 'someone new' });
    assert.equal(pages.length, 3);
    for (const page of pages.slice(0, -1)) assertPageHeaders(page);
    assertPageHeaders(await app.open({ client_id: 'nobody' }));
    assertPageHeaders(await new UserAgent().get(`${server.baseUrl}/account`));
  });

  it('AR-18: has no answer that a script of another origin can read', async () => {
    for (const path of ['/authorize', '/oauth2/authorize', '/login', '/consent']) {
      for (const [method, expected] of [
        ['OPTIONS', 405],
        ['GET', undefined],
      ] as const) {
        const answer = await fetch(`${server.baseUrl}${path}`, {
          method,
          headers: { origin: new URL(redirectUri).origin, 'access-control-request-method': 'POST' },
          redirect: 'manual',
        });
        if (expected !== undefined) assert.equal(answer.status, expected);
        const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
        assert.deepEqual(names, []);
        await answer.text();
      }
    }
  });

  it('AR-20: is answered by 303, which turns the POST of a password into a GET, and is not cached', async () => {
    const { redirect } = await app.authorize();
    assert.equal(redirect.status, 303);
    assert.equal(redirect.headers.get('cache-control'), 'no-store');
    assert.equal(redirect.headers.get('referrer-policy'), 'no-referrer');
    const denied = (await app.authorize({}, { username: 'someone else', decision: 'deny' })).redirect;
    assertRedirectedError(denied, 'access_denied', { issuer });
  });

  it('AR-21: can be sent by POST too, and by no other method', async () => {
    const [url = '', body = ''] = app.authorizeUrl().split('?');
    const form = Object.fromEntries(new URLSearchParams(body));
    const agent = new UserAgent();
    const login = await agent.submit(await agent.post(url, form), {});
    assert.equal(login.status, 200, login.text);
    assert.ok(login.forms[0]?.controls.some(({ name }) => name === 'password'));
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await fetch(`${url}?${body}`, { method });
      assert.equal(answer.status, 405);
      assert.match(answer.headers.get('allow') ?? '', /GET.*POST/);
    }
  });

  it('AR-22: stores nothing in the database, for any number of requests', async () => {
    const before = await rowCounts(server);
    for (let batch = 0; batch < rounds(1, 10); batch += 1) {
      const pages = await Promise.all(Array.from({ length: 20 }, () => app.open()));
      for (const page of pages) assert.equal(page.status, 200);
    }
    assert.deepEqual(await rowCounts(server), before);
  });

  it('is answered at both addresses, with the state unchanged', async () => {
    const state = ' a&b=c#d%20"<é>';
    const url = app.authorizeUrl({ state }).replace('/authorize?', '/oauth2/authorize?');
    const page = await new UserAgent().get(url.replace('response_type=code', 'response_type=x'));
    assertRedirectedError(page, 'unsupported_response_type', { issuer, state });
    assert.equal(answeredBy(page.location ?? '').get('state'), state);
  });
});

/** Inserts a row that no interface of the server accepts. */
async function forceRedirectUris(server: TestServer, id: number, uris: readonly string[]): Promise<void> {
  const [client] = await sql(server.database, 'select metadata from client where id = ?', id);
  const metadata = JSON.stringify({ ...JSON.parse(String(client?.metadata)), redirectUris: uris });
  // The server looks for changes at any time: the client has the revision before it counts.
  await sql(
    server.database,
    'update client set metadata = ?, revision = (select revision + 1 from registry_revision) where id = ?',
    metadata,
    id,
  );
  await sql(server.database, 'update registry_revision set revision = revision + 1');
  await server.service.store.refreshRegistry();
}

async function rowCounts({ database }: TestServer): Promise<unknown> {
  // Background work of the server takes leases, and makes the first signing keys.
  const tables = (await tableNames(database)).filter((name) => !['lease', 'signing_key'].includes(name));
  const counts = tables.map((name) => `(select count(*) from "${name}") as "${name}"`);
  return (await sql(database, `select ${counts.join(', ')}`))[0];
}
