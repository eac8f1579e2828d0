import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { UserAgent } from '@watchword/testkit/user-agent';
import {
  atProvider,
  codeOf,
  logIn,
  optionsFor,
  requestLogin,
  type Service,
  sharedService,
  startService,
} from './support/service.ts';
import { json, type TestProvider } from './support/test-provider.ts';

let provider: TestProvider;
let service: Service;
sharedService((started) => {
  ({ provider, service } = started);
});

describe('a request of a client', () => {
  beforeEach(() => {
    provider.twist = {};
  });

  const asked = async (query: string) => {
    const { location, text } = await requestLogin(service, new UserAgent(), query);
    return Object.fromEntries(new URL(location ?? assert.fail(text)).searchParams);
  };

  it('is passed on: max_age, prompt, login_hint, ui_locales, acr_values, display', async () => {
    const plain = await asked('');
    for (const name of ['max_age', 'prompt', 'login_hint', 'ui_locales', 'acr_values', 'display'])
      assert.ok(!(name in plain), name);
    const { max_age, prompt, login_hint, ui_locales, acr_values, display } = await asked(
      '&scope=read+openid&max_age=600&login_hint=emma%40example.org&ui_locales=nl+de&acr_values=gold+silver&display=popup',
    );
    assert.deepEqual(
      { max_age, prompt, login_hint, ui_locales, acr_values, display },
      {
        max_age: '600',
        prompt: undefined,
        login_hint: 'emma@example.org',
        ui_locales: 'nl de',
        acr_values: 'gold silver',
        display: 'popup',
      },
    );
    const fresh = await asked('&prompt=login');
    assert.deepEqual([fresh.prompt, fresh.max_age], ['login', '0']);
    assert.equal((await asked('&prompt=select_account')).prompt, 'select_account');
  });

  it('gets acr, amr and the time of the login as the provider says them', async () => {
    const { client } = await registerApplication(service.server, {
      redirectUris: ['https://app.example/cb'],
    });
    const time = Math.floor(Date.now() / 1000) - 100;
    provider.twist = { claims: () => ({ acr: 'gold', amr: ['pwd', 'otp'], auth_time: time }) };
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: 'https://app.example/cb',
      scope: 'openid',
      max_age: '600',
      acr_values: 'gold',
    });
    const agent = new UserAgent();
    const page = await agent.get(`${service.baseUrl}/authorize?${query}`);
    codeOf(await agent.get(await atProvider(page)));
    const { authentication } = await service.session();
    assert.deepEqual(authentication.amr, ['pwd', 'otp']);
    assert.equal(authentication.acr, 'gold');
    assert.equal(authentication.authenticatedAt, time * 1000);
  });

  it('that needs a new login gets login_required where the provider had an older one, or does not say', async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const [query, auth_time, error] of [
      ['&prompt=login', now - 120, 'login_required'],
      ['&prompt=login', undefined, 'login_required'],
      ['&prompt=login', now, null],
      ['&max_age=600', now - 700, 'login_required'],
      ['&max_age=600', now - 500, null],
      ['', undefined, null],
    ] as const) {
      provider.twist = { claims: () => ({ auth_time }) };
      const { location, text } = await logIn(service, new UserAgent(), query);
      assert.equal(new URL(location ?? assert.fail(text)).searchParams.get('error'), error, query);
    }
  });

  it('gets the error with which the provider ended the login, as far as it is one for the client', async () => {
    for (const [error, mapped] of [
      ['access_denied', 'access_denied'],
      ['login_required', 'login_required'],
      ['interaction_required', 'interaction_required'],
      ['consent_required', 'interaction_required'],
      ['account_selection_required', 'interaction_required'],
      ['unmet_authentication_requirements', 'unmet_authentication_requirements'],
    ] as const) {
      provider.twist = { response: ({ state = '' }) => ({ state, error, error_description: 'No "thanks"' }) };
      const { location, text } = await logIn(service);
      const { searchParams } = new URL(location ?? assert.fail(text));
      assert.equal(searchParams.get('error'), mapped);
      assert.equal(
        searchParams.get('error_description'),
        `The identity provider answered with the error ${error}.`,
      );
    }
    for (const [error, status, check] of [
      ['temporarily_unavailable', 503, 'unreachable'],
      ['server_error', 503, 'unreachable'],
      ['invalid_scope', 403, 'status'],
      ['unauthorized_client', 403, 'status'],
      ['__proto__', 403, 'status'],
    ] as const) {
      provider.twist = { response: ({ state = '' }) => ({ state, error }) };
      const page = await logIn(service);
      assert.equal(page.status, status, page.text);
      assert.equal(service.rejected().at(-1)?.check, check);
    }
  });

  it('ends with a page that says whose fault it is not, where the provider refuses this server', async () => {
    for (const error of ['invalid_client', 'unauthorized_client']) {
      provider.twist = { tokenAnswer: (response) => json(response, { error }, 401) };
      const page = await logIn(service);
      assert.deepEqual([page.status, service.rejected().at(-1)?.check], [403, 'client']);
      assert.match(page.text, /not set up correctly.*not your fault/);
    }
  });

  it('comes back by form_post, through a page of this server that brings the cookies', async () => {
    await using posting = await startService({ ...optionsFor(provider), responseMode: 'form_post' });
    const agent = new UserAgent();
    const page = await requestLogin(posting, agent);
    assert.equal(new URL(page.location ?? '').searchParams.get('response_mode'), 'form_post');
    const fields = Object.fromEntries(new URL(await atProvider(page)).searchParams);
    const across = await agent.postFromElsewhere(`${posting.instance}/callback`, fields);
    assert.equal(across.status, 200, across.text);
    const [form] = across.forms;
    assert.equal(new URL(form?.action ?? '').pathname, '/login/corp/callback');
    codeOf(await agent.submit(across, {}));
    const query = await agent.get(`${posting.instance}/callback?${new URLSearchParams(fields)}`);
    assert.equal(query.status, 405);
  });
});

describe('the rules of a provider', () => {
  const emma = {
    sub: 'user-1',
    preferred_username: 'emma',
    'https://example.org/teams': ['dev', 'ops', 'dev'],
    realm_access: { roles: ['editor', 7] },
    email: 'Emma@Example.org',
    email_verified: true,
  };
  /** It maps claims, and takes the word of the provider on every address. */
  let mapping: Service;
  /** Its users have their addresses as names, and it takes the word of the provider on those of one domain. */
  let naming: Service;
  before(async () => {
    mapping = await startService({
      ...optionsFor(provider),
      principal: {
        name: ['upn', 'preferred_username'],
        displayName: 'preferred_username',
        groups: 'https://example.org/teams',
        roles: 'realm_access.roles',
        attributes: { EMAIL: 'email' },
      },
      adminGroup: 'ops',
      requiredGroups: ['dev'],
      emailDomains: ['*'],
    });
    naming = await startService({
      ...optionsFor(provider),
      principal: { name: 'email' },
      emailDomains: ['example.org'],
    });
  });
  after(() => Promise.all([mapping, naming].map((each) => each[Symbol.asyncDispose]())));
  beforeEach(() => {
    provider.twist = {};
    provider.person = emma;
  });

  it('map claims to name, groups, roles, attributes and administrators', async () => {
    const { principal } = await mapping.tokenInfo(await logIn(mapping));
    assert.deepEqual(principal, {
      name: 'emma',
      roles: ['editor', '7'],
      groups: ['dev', 'ops'],
      adminPrincipal: true,
      attributes: { EMAIL: 'Emma@Example.org', DISPLAY_NAME: 'emma', IDENTITY_PROVIDER: provider.issuer },
    });
    for (const [change, check, advice] of [
      [{ 'https://example.org/teams': ['guests'] }, 'membership', /You are not a member/],
      [{ preferred_username: undefined }, 'name', /did not say who you are/],
      [{ preferred_username: ['a', 'b'] }, 'name', /did not say who you are/],
      [{ preferred_username: 'a\nb' }, 'name', /did not say who you are/],
    ] as const) {
      provider.twist = {
        claims: () => change,
        userinfo: (claims) => ({ ...claims, preferred_username: undefined }),
      };
      const page = await logIn(mapping);
      assert.equal(page.status, 403);
      assert.match(page.text, advice);
      assert.equal(mapping.rejected().at(-1)?.check, check);
    }
  });

  it('make an address a name only if the provider has verified it', async () => {
    provider.person = { sub: 'user-1', email: 'victim@example.org', email_verified: false };
    assert.equal((await logIn(naming)).status, 403);
    assert.equal(naming.rejected().at(-1)?.check, 'name');
    provider.person = { sub: 'user-1', email: 'emma@example.org', email_verified: 'true' };
    assert.equal((await naming.tokenInfo(await logIn(naming))).principal.name, 'emma@example.org');
  });

  it('take the word of the provider on an address only for the domains that the operator names', async () => {
    for (const [of, email, verified] of [
      [service, emma.email, false],
      [naming, emma.email, true],
      [naming, 'emma@anexample.org', false],
      [mapping, emma.email, true],
    ] as const) {
      provider.person = { ...emma, email };
      codeOf(await logIn(of));
      const { authentication } = await of.session();
      assert.deepEqual(authentication.claims?.email_verified, verified);
    }
  });
});
