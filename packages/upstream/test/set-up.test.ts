import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { UserAgent } from '@watchword/testkit/user-agent';
import { atProvider, authorizePath, codeOf } from './support/service.ts';
import { clientId, clientSecret, startTestProvider, type TestProvider } from './support/test-provider.ts';

const path = '/admin/authenticator';

describe('an OpenID Connect provider that an administrator sets up', () => {
  let provider: TestProvider;
  let server: AdministrationServer;
  let root: Administering;
  before(async () => {
    provider = await startTestProvider();
    server = await startAdministration({ 'outbound.privateHosts': provider.host, consent: 'noop' });
    root = await server.administrator();
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  const create = (name: string, settings: object) =>
    root.call('POST', path, { name, kind: 'oidc', label: 'Example Ltd', settings });
  const right = () => ({ issuer: provider.issuer, clientId, clientSecret });
  const logIn = async (name: string) => {
    const agent = new UserAgent();
    const { baseUrl } = server.service;
    const page = await agent.get(`${baseUrl}${authorizePath}&authenticator_hint=${name}`);
    return agent.get(await atProvider(page));
  };

  it('logs users in at once, and says what its operator must know', async () => {
    const { status, json, text } = await create('corp', { ...right(), nameFrom: ['sub'] });
    assert.equal(status, 201, text);
    assert.deepEqual(json.problems, []);
    const { baseUrl } = server.service;
    assert.deepEqual(json.addresses, [
      { name: 'callback', value: `${baseUrl}/login/corp/callback` },
      { name: 'backchannelLogout', value: `${baseUrl}/login/corp/backchannel-logout` },
      { name: 'signedOut', value: `${baseUrl}/login/corp/signed-out` },
    ]);
    assert.equal(json.identityProviders[0].identityProvider, `corp:${provider.issuer}`);
    codeOf(await logIn('corp'));
  });

  it('counts for several factors where the administrator names what it says of them', async () => {
    const settings = { ...right(), mfaValues: ['urn:example:two', 'otp'], phrValues: ['hwk'] };
    assert.equal((await create('strong', settings)).status, 201);
    const levelOf = async (claims: Readonly<Record<string, unknown>>) => {
      provider.twist = { claims: () => claims };
      codeOf(await logIn('strong'));
      const [session] = await server.service.store.loginSessions.list({ limit: 1 });
      return session?.authentication.level ?? 'sfa';
    };
    assert.equal(await levelOf({ acr: 'urn:example:two' }), 'mfa');
    assert.equal(await levelOf({ amr: ['pwd', 'otp'] }), 'mfa');
    assert.equal(await levelOf({ amr: ['pwd', 'hwk'] }), 'phr');
    for (const acr of ['https://refeds.org/profile/mfa', 'phr', 'urn:example:tw'])
      assert.equal(await levelOf({ acr, amr: ['mfa'] }), 'sfa', acr);
    const changed = await root.call('PATCH', `${path}/strong`, { settings: { mfaValues: [] } });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(await levelOf({ acr: 'urn:example:two' }), 'sfa');
    provider.twist = {};
    const tooLong = await create('refused', { ...right(), phrValues: ['x'.repeat(1025)] });
    assert.match(tooLong.json.violations[0], /^settings\.phrValues: /);
  });

  it('has a secret that no answer and no audit event shows, and the database holds only sealed', async () => {
    assert.equal((await create('sealed', right())).status, 201);
    const read = await root.call('GET', `${path}/sealed`);
    assert.equal(read.json.settings.clientSecret, '');
    const audit = await root.call('GET', '/admin/auditEvent?limit=20');
    assert.ok(audit.text.includes('sealed'), audit.text);
    for (const { text } of [read, audit, await root.call('GET', path)]) {
      assert.ok(!text.includes(clientSecret));
    }
    const stored = await server.service.store.storedAuthenticators.find('sealed');
    const { clientSecret: kept = '' } = stored?.settings ?? {};
    assert.match(String(kept), /^sealed [\w-]{60,}$/);
    assert.ok(!read.text.includes(String(kept)) && !audit.text.includes(String(kept)));
    // A change of something else keeps it, also as the page of the console sends it: empty.
    for (const settings of [{ groupsFrom: ['teams'] }, { rolesFrom: ['roles'], clientSecret: '' }]) {
      const changed = await root.call('PATCH', `${path}/sealed`, { settings });
      assert.equal(changed.status, 200, changed.text);
      codeOf(await logIn('sealed'));
    }
    const other = await root.call('PATCH', `${path}/sealed`, { settings: { clientSecret: 'another' } });
    assert.equal(other.status, 200, other.text);
    const after = await server.service.store.storedAuthenticators.find('sealed');
    assert.notEqual(after?.settings.clientSecret, kept);
    // The sealed text of one provider opens nothing for another.
    const stolen = await create('thief', { ...right(), clientSecret: kept });
    assert.equal(stolen.status, 400, stolen.text);
    assert.match(stolen.json.violations[0], /^settings\.clientSecret: it was sealed with another key/);
  });

  it('is refused with every reason at the setting that has it', async () => {
    for (const [settings, violation] of [
      [{}, /^settings\.issuer: is required/],
      [
        { issuer: 'https://u:p@login.example', clientId },
        /^settings\.issuer: .*without user name and password/,
      ],
      [
        { issuer: `${provider.issuer}/`, clientId },
        /^settings\.issuer: .*expected the issuer .*\/ in the discovery/,
      ],
      [{ issuer: 'http://127.0.0.1:1', clientId }, /^settings\.issuer: .*outbound\.privateHosts|https URL/],
      [{ ...right(), metadataUrl: 'https://idp.example' }, /metadataUrl/],
    ] as const) {
      const { status, json, text } = await create('refused', settings);
      assert.equal(status, 400, text);
      assert.match(json.violations[0], violation);
    }
  });

  it('can be one that the server knows, which needs its own settings, and whose private key is never shown', async () => {
    const { issuer } = provider;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const ofApple = { preset: 'apple', issuer, clientId, teamId: 'T', keyId: 'K' };
    for (const [settings, violation] of [
      [{ preset: 'facebook', issuer, clientId }, /^settings\.preset: /],
      [{ preset: 'microsoft', clientId }, /^settings\.tenant: is missing/],
      [{ preset: 'microsoft', clientId, tenant: 'common' }, /^settings\.tenants: is missing/],
      [{ preset: 'apple', clientId }, /^settings\.teamId: is missing/],
      [{ ...ofApple, privateKey: 'x' }, /^settings\.privateKey: expected a private key/],
    ] as const) {
      const { status, json, text } = await create('refused', settings);
      assert.equal(status, 400, text);
      assert.match(json.violations[0], violation);
    }
    assert.equal((await create('code', { ...right(), preset: 'gitlab' })).status, 201);
    codeOf(await logIn('code'));
    assert.equal((await create('fruit', { ...ofApple, privateKey: pem })).status, 201);
    const read = await root.call('GET', `${path}/fruit`);
    assert.deepEqual([read.json.settings.privateKey, read.json.settings.preset], ['', 'apple']);
    const stored = await server.service.store.storedAuthenticators.find('fruit');
    assert.match(String(stored?.settings.privateKey), /^sealed /);
  });

  it('can be tried: what came is shown, and what the rules made of it or why they refuse', async () => {
    const set = { ...right(), groupsFrom: ['teams'], requiredGroups: ['dev'] };
    assert.equal((await create('tried', set)).status, 201);
    const trial = async () => {
      const { json } = await root.call('POST', `${path}/tried/testLogin`);
      const agent = new UserAgent();
      const end = await agent.get(await atProvider(await agent.get(json.url)));
      assert.match(end.url, /login-test\.html/);
      return (await root.call('POST', `${path}/testLogin`, { testId: json.testId })).json;
    };
    provider.person = { sub: 'user-1', name: 'Emma', teams: ['dev', 'ops'], address: { country: 'NL' } };
    const made = await trial();
    assert.deepEqual([made.name, made.stableId, made.refusal], ['user-1', 'user-1', null]);
    assert.deepEqual(made.groups, ['dev', 'ops']);
    assert.deepEqual(made.received.teams, ['dev', 'ops']);
    assert.deepEqual(made.received.address, ['{"country":"NL"}']);
    assert.ok(!('nonce' in made.received) && !('iss' in made.received));
    provider.person = { sub: 'user-1', teams: ['ops'] };
    const refused = await trial();
    assert.equal(refused.refusal, 'membership: expected one of the groups dev');
    assert.deepEqual(refused.received.teams, ['ops']);
    provider.twist = { claims: () => ({ nonce: 'another' }) };
    assert.match((await trial()).refusal, /^nonce: the nonce of the ID token/);
    provider.twist = {};
  });
});
