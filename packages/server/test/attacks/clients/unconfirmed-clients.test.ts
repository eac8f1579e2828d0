import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeVerifier, pkce } from '@watchword/server-testkit/clients/application';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { slowTest } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertError } from '../../support/error-answers.ts';
import { persona, userinfo } from '../../support/openid-client.ts';

const servers = '/admin/resourceServer';
const redirectUri = 'https://hr-portal.evil.example/cb';
const portal = {
  clientName: 'HR Portal (official)',
  contactName: 'HR',
  redirectUris: [redirectUri],
  useRefreshTokens: true,
  openidScopes: ['profile', 'email', 'address', 'phone'],
};
const scope = 'openid profile email address phone';
const personal = ['address', 'email', 'email_verified', 'phone_number'];

describe('an employee who registers an application that looks official', () => {
  let server: AdministrationServer;
  let root: Administering;
  let mallory: Administering;
  before(async () => {
    server = await startAdministration();
    [root, mallory] = await Promise.all([server.administrator(), server.person('mallory')]);
  });
  after(() => server[Symbol.asyncDispose]());

  let registered = 0;
  async function register(caller = mallory, fields = {}) {
    registered += 1;
    const api = await caller.create(servers, { ...anApi, name: `API ${registered}` });
    const clients = `${servers}/${api.id}/client`;
    const client = await caller.create(clients, { ...portal, ...fields });
    return {
      api: `${api.key}:${api.secret}`,
      client,
      clients,
      path: `${clients}/${client.id}`,
      credentials: `${client.clientId}:${client.secret}`,
    };
  }
  type Registered = Awaited<ReturnType<typeof register>>;

  const urlOf = ({ client }: Registered, parameters = {}) =>
    `${server.baseUrl}/authorize?${new URLSearchParams({
      ...{ response_type: 'code', client_id: client.clientId, redirect_uri: redirectUri, scope, state: 's' },
      ...{ nonce: 'n', ...pkce, ...parameters },
    })}`;

  async function logIn(app: Registered, parameters = {}, agent = new UserAgent()) {
    const answers = { username: 'victim', password: persona };
    const flow = await followFlow(agent, urlOf(app, parameters), answers);
    const code = flow.parameters.get('code') ?? assert.fail(flow.location);
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    };
    const { json } = await server.post('/oauth2/token', form, app.credentials);
    return { ...flow, tokens: json };
  }

  async function seen(token: string): Promise<string[]> {
    const { json } = await userinfo(server, token);
    return Object.keys(json)
      .filter((name) => personal.includes(name))
      .toSorted();
  }

  it('is named on the login page and the consent page, beside the host, and both say that nobody checked it', async () => {
    const { pages } = await logIn(await register());
    const [login, consent] = pages;
    for (const page of [login, consent]) {
      assert.match(page?.text ?? '', /No administrator has checked this application/);
      assert.match(page?.text ?? '', /It leads you to: *hr-portal\.evil\.example/);
      assert.match(page?.text ?? '', /Registered by .*mallory.*, who signs in at .*any-person/);
      assert.match(page?.html ?? '', /class="unconfirmed-host"><bdi>hr-portal\.evil\.example</);
    }
    assert.doesNotMatch(consent?.text ?? '', /e-mail address|postal address|phone number/);
  });

  it('gets no address to which a user can be written, in any answer of OpenID Connect, and is shown why', async () => {
    const app = await register();
    assert.deepEqual(app.client.withheldScopes, ['email', 'address', 'phone']);
    const claims = JSON.stringify({
      userinfo: { email: { essential: true } },
      id_token: { phone_number: null },
    });
    const { tokens } = await logIn(app, { claims });
    assert.equal(tokens.scope, 'openid profile');
    assert.deepEqual(await seen(tokens.access_token), []);
    assert.doesNotMatch(Buffer.from(tokens.id_token.split('.')[1], 'base64url').toString(), /emma@|\+31/);
    const { json } = await root.get(`/admin/accessToken?clientId=${app.client.clientId}`);
    assert.deepEqual(json[0].scopes, ['openid', 'profile']);
  });

  it('has an API that token info tells all attributes of the user, so registration must be narrowed where they are personal', async () => {
    const app = await register();
    const { tokens } = await logIn(app);
    const { json } = await server.post('/v1/tokeninfo', { access_token: tokens.access_token }, app.api);
    assert.match(JSON.stringify(json.principal.attributes), /\+31/);
  });

  it('cannot confirm itself: no body and no other client sets the fields, by any method', async () => {
    const app = await register(mallory, { trusted: true, keepsUserData: true, skipConsent: true });
    const claimed = { ...portal, trusted: true, keepsUserData: true, withheldScopes: [], skipConsent: true };
    for (const method of ['PUT', 'POST', 'PATCH']) {
      const { status, json } = await mallory.call(method, app.path, claimed);
      assert.deepEqual(
        [status, json.trusted, json.keepsUserData, json.skipConsent, json.withheldScopes],
        [200, false, false, false, ['email', 'address', 'phone']],
      );
    }
    assertError(await mallory.call('POST', `${app.path}/confirmation`), 403, 'access_denied');
  });

  it('gets the data once an administrator confirmed it, and loses it with the next change of a redirect URI', async () => {
    const app = await register();
    await root.call('POST', `${app.path}/confirmation`);
    const agent = new UserAgent();
    const first = await logIn(app, {}, agent);
    assert.equal(first.tokens.scope, scope);
    assert.deepEqual(await seen(first.tokens.access_token), personal);
    assert.doesNotMatch(first.pages[0]?.text ?? '', /No administrator/);

    const { json } = await mallory.call('PATCH', app.path, {
      redirectUris: [redirectUri, 'https://worse.example/cb'],
    });
    assert.deepEqual(json.reset, ['trusted']);
    assert.deepEqual(json.withheldScopes, ['email', 'address', 'phone']);
    assert.deepEqual(await seen(first.tokens.access_token), []);
    const form = { grant_type: 'refresh_token', refresh_token: first.tokens.refresh_token };
    const refreshed = await server.post('/oauth2/token', { ...form, scope }, app.credentials);
    assert.deepEqual([refreshed.status, refreshed.json.scope], [200, 'openid profile']);
    assert.deepEqual(await seen(refreshed.json.access_token), []);
    // The consent is remembered, so no page is shown.
    const { tokens, pages } = await logIn(app, { prompt: 'none' }, agent);
    assert.equal(pages.length, 1);
    assert.equal(tokens.scope, 'openid profile');
    assert.deepEqual(await seen(tokens.access_token), []);
  });

  it('is named by the name of the application when an application registered it', async () => {
    const job = await server.actingClient('Registrar');
    const page = await new UserAgent().get(urlOf(await register(job)));
    assert.match(page.text, /Registered by the application .*registrar/);
  });

  it('cannot hide behind a name: hidden characters are shown, and a host is never cut', async () => {
    const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.evil.example`;
    const hiding = await server.person('bank\u202E\u200B');
    const app = await register(hiding, { redirectUris: [`https://${host}/cb`] });
    const page = await new UserAgent().get(urlOf(app, { redirect_uri: `https://${host}/cb` }));
    assert.ok(page.html.includes(`class="unconfirmed-host"><bdi>${host}</bdi>`), page.html);
    assert.match(page.html, /bank\uFFFD\uFFFD/);
  });
});

describe('a server on which administrators register', () => {
  let server: AdministrationServer;
  let root: Administering;
  let mallory: Administering;
  let developer: Administering;
  before(async () => {
    server = await startAdministration({ 'administration.registration': 'group:developers' });
    root = await server.administrator();
    mallory = await server.person('mallory', { groups: ['Developers', 'staff'], roles: ['developers'] });
    developer = await server.person('dora', { groups: ['developers'] });
  });
  after(() => server[Symbol.asyncDispose]());

  it('refuses every way to register, with the reason, and stores nothing', async () => {
    const api = await root.create(servers, { ...anApi, name: 'Of root' });
    const own = await developer.create(servers, { ...anApi, name: 'Of dora' });
    const job = await server.actingClient('developers');
    const before = (await root.get(`${servers}?limit=1000`)).json.length;
    const reasons = [
      [mallory, /administrators and the users of one group register/],
      [job, /lacks the right records:write/],
    ] as const;
    for (const [caller, reason] of reasons) {
      const clients = [api.id, own.id, 999].map((id) => `${servers}/${id}/client`);
      for (const method of ['POST', 'PUT']) {
        for (const path of method === 'POST' ? [servers, ...clients] : [servers, ...clients.slice(0, 1)]) {
          const answer = await caller.call(method, path, { ...anApi, ...portal, name: 'Official' });
          assertError(answer, 403, 'access_denied');
          assert.match(answer.json.error_description, reason);
        }
      }
      assert.deepEqual((await caller.get('/admin/registration')).json, {
        accounts: 'off',
        registration: 'group:developers',
        mayRegister: false,
      });
    }
    assert.equal((await root.get(`${servers}?limit=1000`)).json.length, before);
    for (const caller of [root, developer]) {
      assert.equal((await caller.get('/admin/registration')).json.mayRegister, true);
    }
  });

  // Held by registration-right.test.ts and client-trust.test.ts of the administration.
  slowTest('still lets a record owner change what exists, and that ends the confirmation', async () => {
    const api = await developer.create(servers, { ...anApi, name: 'Kept' });
    const clients = `${servers}/${api.id}/client`;
    const client = await developer.create(clients, portal);
    await root.call('POST', `${clients}/${client.id}/confirmation`);
    const former = await server.person('dora');
    assertError(await former.call('POST', clients, portal), 403, 'access_denied');
    const { status, json } = await former.call('PATCH', `${clients}/${client.id}`, {
      redirectUris: ['https://evil.example/cb'],
    });
    assert.deepEqual([status, json.trusted, json.reset], [200, false, ['trusted']]);
  });
});
