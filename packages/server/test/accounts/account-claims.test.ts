import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Application } from '@watchword/server-testkit/clients/application';
import {
  type AccountServer,
  accountsPath,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import { demoResourceServer } from '@watchword/server-testkit/servers/server';
import { slowTest, variants } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertError } from '../support/error-answers.ts';
import { openidScope, registerOpenidClient, userinfo, verified } from '../support/openid-client.ts';

const claims = {
  email: 'emma@example.org',
  emailVerified: true,
  givenName: 'Emma',
  familyName: 'de Vries',
  nickname: 'Em',
  picture: 'https://pictures.example/emma.png',
  locale: 'nl-NL',
  zoneinfo: 'Europe/Amsterdam',
  phoneNumber: '+31 6 12345678',
  phoneNumberVerified: false,
  address: { streetAddress: 'Dam 1', locality: 'Amsterdam', country: 'NL' },
};

const ofScope = {
  profile: {
    name: 'The emma',
    given_name: 'Emma',
    family_name: 'de Vries',
    nickname: 'Em',
    picture: 'https://pictures.example/emma.png',
    locale: 'nl-NL',
    zoneinfo: 'Europe/Amsterdam',
    preferred_username: 'emma',
  },
  email: { email: 'emma@example.org', email_verified: true },
  phone: { phone_number: '+31 6 12345678', phone_number_verified: false },
  address: { address: { street_address: 'Dam 1', locality: 'Amsterdam', country: 'NL' } },
};

describe('the standard claims of a local account', () => {
  let server: AccountServer;
  let root: Administering;
  let app: Application;
  before(async () => {
    server = await startAccountServer();
    root = await server.logIn('root');
    app = await registerOpenidClient(server);
  });
  after(() => server[Symbol.asyncDispose]());

  const pathOf = async (username: string) =>
    `${accountsPath}/${(await root.get(`${accountsPath}?username=${username}`)).json[0].id}`;
  const change = async (username: string, body: unknown, method = 'PATCH') =>
    root.call(method, await pathOf(username), body);

  async function logIn(username: string, parameters: Record<string, string> = {}) {
    const answers = { username, password: 'correct horse battery' };
    const { parameters: answered } = await app.authorize({ scope: openidScope, ...parameters }, answers);
    return (await app.redeem(answered.get('code') ?? '')).json;
  }

  it('reach userinfo under the scopes profile, email, phone and address', async () => {
    await server.addAccount('emma');
    assert.equal((await change('emma', claims)).status, 200);
    const { sub: _, ...all } = (await userinfo(server, (await logIn('emma')).access_token)).json;
    assert.deepEqual(all, { ...ofScope.profile, ...ofScope.email, ...ofScope.phone, ...ofScope.address });
    for (const [scope, expected] of variants(1, Object.entries(ofScope))) {
      const { access_token } = await logIn('emma', { scope: `openid ${scope}` });
      const { sub, ...others } = (await userinfo(server, access_token)).json;
      assert.deepEqual(others, expected, scope);
    }
  });

  it('reach the ID token where a request names them', async () => {
    await server.addAccount('iris');
    await change('iris', { email: 'iris@example.org', phoneNumber: '+31 6 12345678' });
    const named = { email: null, email_verified: null, given_name: null };
    const { id_token } = await logIn('iris', { claims: JSON.stringify({ id_token: named }) });
    const { email, email_verified, given_name, phone_number } = await verified(server, id_token, app);
    assert.deepEqual(
      [email, email_verified, given_name, phone_number],
      ['iris@example.org', false, undefined, undefined],
    );
  });

  it('make no longer ID token than the server accepts as a hint', async () => {
    const long = '€'.repeat(255);
    const names = ['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'];
    const longest = {
      ...{ displayName: long, givenName: long, familyName: long, nickname: long },
      email: `${'a'.repeat(242)}@example.org`,
      picture: `https://${'a'.repeat(1992)}`,
      phoneNumber: '+31 6 12345678',
      address: Object.fromEntries(names.map((name) => [name, long])),
    };
    await server.addAccount('long');
    const { status, text } = await change('long', longest);
    assert.equal(status, 200, text);
    const reader = await registerOpenidClient(server, { claimsInIdToken: true });
    const agent = new UserAgent();
    const answers = { username: 'long', password: 'correct horse battery' };
    const { parameters } = await reader.authorize({ scope: openidScope }, answers, agent);
    const { id_token } = (await reader.redeem(parameters.get('code') ?? '')).json;
    assert.ok(id_token.length > 12_000 && id_token.length < 16_384, String(id_token.length));
    const request = { scope: openidScope, prompt: 'none', id_token_hint: id_token };
    const again = await reader.authorize(request, {}, agent);
    assert.ok(again.parameters.has('code'), again.location);
  });

  it('are attributes of the principal in token info, under their standard names', async () => {
    await server.addAccount('tina');
    await change('tina', { email: 'tina@example.org', address: { country: 'NL' } });
    const { access_token } = await server.grantTo('tina');
    const { json } = await server.post('/v1/tokeninfo', { access_token }, demoResourceServer);
    assert.deepEqual(json.principal.attributes, {
      DISPLAY_NAME: 'The tina',
      email: 'tina@example.org',
      email_verified: 'false',
      country: 'NL',
    });
  });

  it('are shown to the user at the account page, with whether they are verified, and with nothing to change them', async () => {
    await server.addAccount('vera');
    const { address } = claims;
    await change('vera', { ...claims, email: 'vera@example.org', address: { ...address, country: '<b>' } });
    const page = await (await server.browserOf('vera')).get(`${server.baseUrl}/account`);
    const about = /<section [^>]*"profile"[\s\S]*?<\/section>/.exec(page.html)?.[0] ?? '';
    for (const shown of [
      '<dt>E-mail address</dt>\n<dd><bdi>vera@example.org</bdi> <span class="quiet">(verified)</span>',
      '<dt>Phone number</dt>\n<dd><bdi>+31 6 12345678</bdi> <span class="quiet">(not verified)</span>',
      '<dt>Given name</dt>\n<dd><bdi>Emma</bdi></dd>',
      '<dt>Time zone</dt>\n<dd><bdi>Europe/Amsterdam</bdi></dd>',
      '<dt>Postal address</dt>\n<dd><bdi>Dam 1</bdi>, <bdi>Amsterdam</bdi>, <bdi>&lt;b&gt;</bdi></dd>',
    ]) {
      assert.ok(about.includes(shown), about);
    }
    assert.doesNotMatch(about, /<input|<button|<a /);
    assert.match(page.text, /Ask an administrator/);
    const plain = await (await server.browserOf('root')).get(`${server.baseUrl}/account`);
    assert.doesNotMatch(plain.html, /E-mail address/);
  });

  it('are read and changed over REST as parts, and kept by a replacement that does not name them', async () => {
    const made = await root.call('POST', accountsPath, { username: 'rosa', ...claims });
    assert.equal(made.status, 201, made.text);
    const shown = async () => (await root.get(await pathOf('rosa'))).json;
    const part = (record: Record<string, unknown>) =>
      Object.fromEntries(Object.keys(claims).map((name) => [name, record[name]]));
    assert.deepEqual(part(await shown()), claims);
    await change('rosa', { address: { country: null, region: 'Utrecht' }, nickname: null });
    const after = {
      ...claims,
      nickname: '',
      address: { streetAddress: 'Dam 1', locality: 'Amsterdam', region: 'Utrecht' },
    };
    assert.deepEqual(part(await shown()), after);
    const whole = { displayName: 'Rosa', roles: [], groups: [], adminPrincipal: false, disabled: false };
    assert.equal((await change('rosa', whole, 'PUT')).status, 200);
    assert.deepEqual(part(await shown()), after);
    await change('rosa', { email: 'other@example.org' });
    assert.equal((await shown()).emailVerified, false);
  });

  it('are refused all at once with what was expected and what came, and change nothing', async () => {
    await server.addAccount('wim');
    const answer = await change('wim', {
      email: 'wim',
      locale: 'nl_NL',
      zoneinfo: 7,
      address: { street: 'Dam' },
      mail: 'x',
    });
    assertError(answer, 400, 'invalid_request');
    assert.deepEqual(answer.json.violations, [
      'zoneinfo: expected a text, got 7',
      'mail: is not a field of this record; did you mean email?',
      'email: expected an e-mail address such as emma@example.org, got "wim"',
      'locale: expected a language tag of BCP 47 such as nl or de-AT, got "nl_NL"',
      'address: is "street", and must be one of: formatted, streetAddress, locality, region, postalCode, country',
    ]);
    assert.equal((await root.get(await pathOf('wim'))).headers.get('etag'), '"1"');
  });

  // user-command.test.ts holds it for the claims, and account-records.test.ts over REST.
  slowTest(
    'end the logins and tokens of the account when they change, so that no application goes on with old ones',
    async () => {
      await server.addAccount('lena');
      const { access_token } = await server.grantTo('lena');
      const { json } = await change('lena', { email: 'lena@example.org' });
      assert.deepEqual(json.ended, { loginSessions: 1, grants: 1 });
      assert.equal(await server.tokenStatus(access_token), 404);
      assert.deepEqual((await change('lena', { email: 'lena@example.org' })).json.ended, {
        loginSessions: 0,
        grants: 0,
      });
    },
  );

  it('are in the audit log with both values, and in the log by their names alone', async () => {
    await server.addAccount('otto');
    await change('otto', { email: 'otto@secret.example', phoneNumber: '+31 6 99999999' });
    const [event] = (await root.get('/admin/auditEvent?recordType=account&limit=1')).json;
    assert.deepEqual(
      [event.before, event.after],
      [
        { email: '', phoneNumber: '' },
        { email: 'otto@secret.example', phoneNumber: '+31 6 99999999' },
      ],
    );
    const log = server.log();
    assert.ok(log.includes('"fields":["email","phoneNumber"]'));
    for (const value of ['secret.example', '99999999']) assert.ok(!log.includes(value));
  });

  it('find an account by a part of its e-mail address', async () => {
    await server.addAccount('finn');
    await change('finn', { email: 'Finn.Jansen@Mail.Example' });
    const found = (await root.get(`${accountsPath}?q=jansen@mail`)).json;
    assert.deepEqual(
      found.map(({ username }: { username: string }) => username),
      ['finn'],
    );
  });

  it('can be the same at two accounts: neither logs in by it, nor is the other', async () => {
    for (const username of ['anna', 'ann']) {
      await server.addAccount(username);
      assert.equal((await change(username, { email: 'ann@example.org', emailVerified: true })).status, 200);
    }
    const subjects = await Promise.all(
      ['anna', 'ann'].map(async (username) => {
        const { sub, email } = (await userinfo(server, (await logIn(username)).access_token)).json;
        assert.equal(email, 'ann@example.org');
        return sub;
      }),
    );
    assert.equal(new Set(subjects).size, 2);
    const agent = await server.browserOf('ann@example.org');
    const { forms } = await agent.get(`${server.baseUrl}/account`);
    assert.ok(forms.some(({ controls }) => controls.some(({ name }) => name === 'password')));
  });
});
