import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask } from '@watchword/server-testkit/clients/ask';
import { bin, cleanEnvironment, until, watchword } from '@watchword/server-testkit/processes/process';
import {
  type Administering,
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { testKey } from '@watchword/testkit/certificate';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { main } from '../../cli/src/main.ts';
import { type IdentityProvider, startIdentityProvider } from './support/identity-provider.ts';
import { atProvider, authorizePath, codeOf } from './support/service.ts';

const path = '/admin/authenticator';
const uid = 'urn:mace:dir:attribute-def:uid';

describe('an identity provider that an administrator sets up', () => {
  let idp: IdentityProvider;
  let server: AdministrationServer;
  let root: Administering;
  let emma: Administering;
  let robot: Administering;
  before(async () => {
    idp = await startIdentityProvider();
    const privateHosts = new URL(idp.metadataUrl).host;
    server = await startAdministration({ 'outbound.privateHosts': privateHosts, consent: 'noop' });
    root = await server.administrator();
    emma = await server.person('emma');
    robot = await server.actingClient('Robot');
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await idp[Symbol.asyncDispose]();
  });

  const create = (name: string, settings: object, more: object = {}) =>
    root.call('POST', path, { name, kind: 'saml', label: 'University', settings, ...more });
  const violations = async (answer: ReturnType<typeof create>) => {
    const { status, json } = await answer;
    assert.equal(status, 400, JSON.stringify(json));
    return json.violations as string[];
  };
  const addressOf = (record: { addresses: { name: string; value: string }[] }, name: string) =>
    record.addresses.find((each) => each.name === name)?.value ?? assert.fail(name);
  const introduce = async (record: Parameters<typeof addressOf>[0]) => {
    idp.register((await ask(addressOf(record, 'metadata'))).text);
  };
  /** Goes on from the page that leads to the identity provider. */
  const through = async (agent: UserAgent, page: Page, acs: string): Promise<Page> => {
    const answer = await ask(acs, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ ...(await atProvider(page)) }).toString(),
    });
    return agent.get(answer.headers.get('location') ?? assert.fail(answer.text));
  };
  const hinted = (agent: UserAgent, name: string) =>
    agent.get(`${server.service.baseUrl}${authorizePath}&authenticator_hint=${name}`);
  const logIn = async (name: string, acs: string) => {
    const agent = new UserAgent();
    return through(agent, await hinted(agent, name), acs);
  };

  it('logs users in at once, until it is disabled and after it is enabled, and a deletion ends what they have', async () => {
    const created = await create('uni', { metadataUrl: idp.metadataUrl, emailFrom: 'mail' });
    assert.equal(created.status, 201, created.text);
    const { json } = created;
    assert.deepEqual(json.problems, []);
    assert.equal(json.settings.entityId, idp.entityId);
    const [{ identityProvider, certificates }] = json.identityProviders;
    assert.equal(identityProvider, `uni:${idp.entityId}`);
    assert.ok(certificates[0].validUntil > 0);
    const acs = addressOf(json, 'acs');
    assert.equal(acs, `${server.service.baseUrl}/login/uni/saml/acs`);
    await introduce(json);

    const chooser = await new UserAgent().get(`${server.service.baseUrl}${authorizePath}`);
    assert.match(chooser.text, /University/);
    idp.person = { nameId: 'e-1', attributes: { [uid]: ['emma'] } };
    codeOf(await logIn('uni', acs));
    const [event] = await server.service.store.auditEvents.list({ kind: 'logins', limit: 1 });
    assert.deepEqual([event?.owner.name, event?.owner.identityProvider], ['emma', `uni:${idp.entityId}`]);

    const begun = new UserAgent();
    const waiting = await hinted(begun, 'uni');
    assert.equal((await root.call('PATCH', `${path}/uni`, { enabled: false })).json.enabled, false);
    const only = await new UserAgent().get(`${server.service.baseUrl}${authorizePath}`);
    assert.doesNotMatch(only.text, /University/);
    const late = await through(begun, waiting, acs);
    assert.doesNotMatch(late.location ?? '', /code=/);
    assert.equal((await root.call('PATCH', `${path}/uni`, { enabled: true })).status, 200);
    codeOf(await logIn('uni', acs));

    const deleted = await root.call('DELETE', `${path}/uni`);
    assert.deepEqual(deleted.json, { loginSessions: 2, grants: 2, consents: 0 });
    assert.equal((await ask(acs, { method: 'POST' })).status, 404);
    assert.equal((await root.get(`${path}/uni`)).status, 404);
    const again = await create('uni', { metadataUrl: idp.metadataUrl });
    assert.deepEqual([again.status, again.json.error], [409, 'conflict']);
  });

  it('counts for several factors where the administrator names its class of such logins', async () => {
    const authnContext = 'urn:example:two';
    const { json } = await create('strong', { metadataUrl: idp.metadataUrl, mfaValues: [authnContext] });
    await introduce(json);
    for (const [told, level] of [
      [authnContext, 'mfa'],
      ['https://refeds.org/profile/mfa', undefined],
    ] as const) {
      idp.person = { nameId: 'e-2', attributes: { [uid]: ['ida'] }, authnContext: told };
      codeOf(await logIn('strong', addressOf(json, 'acs')));
      const [session] = await server.service.store.loginSessions.list({ limit: 1 });
      assert.equal(session?.authentication.level, level);
    }
  });

  it('is tried before users see it, with what came and what the rules made of it', async () => {
    const settings = {
      metadataUrl: idp.metadataUrl,
      nameFrom: ['login'],
      groupsFrom: ['member'],
      adminGroup: 'admins',
    };
    const { json } = await create('tried', settings, { enabled: false });
    await introduce(json);
    const acs = addressOf(json, 'acs');
    const attempt = async () => {
      const { testId, url } = (await root.call('POST', `${path}/tried/testLogin`)).json;
      const agent = new UserAgent();
      const last = await through(agent, await agent.get(url), acs);
      assert.match(last.location ?? last.url, /\/client\/login-test\.html/);
      const again = await new UserAgent().get(url);
      assert.equal(again.status, 400);
      return (await root.call('POST', `${path}/testLogin`, { testId })).json;
    };
    idp.person = { nameId: 'e-1', attributes: { login: ['<b>emma</b>'], member: ['admins', 'staff'] } };
    const tried = await attempt();
    assert.equal(tried.isFinished, true);
    assert.deepEqual(tried.received.member, ['admins', 'staff']);
    assert.deepEqual(tried.received.NameID, ['e-1']);
    assert.deepEqual(
      [tried.name, tried.groups, tried.adminPrincipal, tried.identityProvider],
      ['<b>emma</b>', ['admins', 'staff'], true, `tried:${idp.entityId}`],
    );
    idp.person = { nameId: 'e-1', attributes: { other: ['emma'] } };
    const refused = await attempt();
    assert.match(refused.refusal, /^name: /);
    assert.deepEqual(refused.received.other, ['emma']);
    const none = await server.service.store.identityProviderUse.list();
    assert.ok(none.every((each) => !each.identityProvider.startsWith('tried')));
    assert.equal((await root.call('DELETE', `${path}/tried`)).status, 200);
  });

  for (const place of ['database', 'server']) {
    it(`is set up and tried by the command line on a ${place}`, async () => {
      const { baseUrl } = server.service;
      const on = place === 'server' ? ['--url', baseUrl] : ['--database', server.database];
      const env = {
        WATCHWORD_ADMIN_TOKEN: root.token,
        WATCHWORD_BASE_URL: baseUrl,
        WATCHWORD_OUTBOUND_PRIVATE_HOSTS: new URL(idp.metadataUrl).host,
      };
      const name = `by-${place}`;
      const command = (...args: string[]) => ['identity-provider', ...args, ...on, '--json'];
      const set = ['--metadata-url', idp.metadataUrl, '--name-from', 'login', '--disabled'];
      const created = await watchword(command('create', name, ...set), { env });
      assert.equal(created.code, 0, created.stderr);
      assert.equal(JSON.parse(created.stdout).settings.entityId, idp.entityId);
      await until(async () => (await ask(`${baseUrl}/login/${name}/saml/metadata`)).status === 200);
      idp.register((await ask(`${baseUrl}/login/${name}/saml/metadata`)).text);

      const attempt = async (attributes: Record<string, string[]>) => {
        idp.person = { nameId: 'e-1', attributes };
        let [stdout, stderr] = ['', ''];
        const { promise: address, resolve } = Promise.withResolvers<string>();
        const ended = main([process.execPath, bin, ...command('test-login', name)], {
          env: cleanEnvironment(env),
          stdin: process.stdin,
          stdout: { write: (text) => (stdout += text) },
          stderr: {
            write(text) {
              stderr += text;
              const [url] = /http\S+\/test\?id=\S+/.exec(stderr) ?? [];
              if (url !== undefined) resolve(url);
            },
          },
        });
        const url = await Promise.race([address, ended.then(() => assert.fail(stderr))]);
        const agent = new UserAgent();
        await through(agent, await agent.get(url), `${baseUrl}/login/${name}/saml/acs`);
        return { code: await ended, ...JSON.parse(stdout) };
      };
      const { code, name: user, received } = await attempt({ login: ['emma'] });
      assert.deepEqual([code, user, received.login], [0, 'emma', ['emma']]);
      const refused = await attempt({ other: ['emma'] });
      assert.equal(refused.code, 1);
      assert.match(refused.refusal, /^name: /);
    });
  }

  it('is named on the login page by its text alone', async () => {
    const label = '<b onclick=x>Uni & Co</b>';
    await create('marked', { metadataUrl: idp.metadataUrl }, { label });
    const page = await new UserAgent().get(`${server.service.baseUrl}${authorizePath}`);
    assert.match(page.html, /&lt;b onclick=x&gt;Uni &amp; Co&lt;\/b&gt;/);
    assert.doesNotMatch(page.html, /<b onclick/);
    assert.equal((await root.call('DELETE', `${path}/marked`)).status, 200);
  });

  it('names every violation at once, and what is wrong with its metadata', async () => {
    assert.deepEqual(
      (
        await violations(
          root.call('POST', path, {
            name: 'Wrong Name',
            kind: 'saml',
            label: '\u202e',
            extra: 1,
            settings: { metadata: 'x', metadataUrl: 'ftp://a', nameFrom: 'uid', other: true },
          }),
        )
      ).map((each) => each.replace(/:.*/s, '')),
      [
        'extra',
        'settings.nameFrom',
        'settings.other',
        'name',
        'label',
        'label',
        'settings.metadataUrl',
        'settings.metadata',
      ],
    );
    const kind = await violations(root.call('POST', path, { name: 'a', kind: 'ldap', settings: { x: 1 } }));
    assert.match(kind.join(), /kind: /);
  });

  it('refuses metadata that could deceive the server', async () => {
    const metadata = idp.metadata();
    const of = async (text: string, more: object = {}) =>
      (await violations(create('bad', { metadata: text, ...more }))).join();
    const body = metadata.replace(/^<\?xml[^>]*\?>/, '');
    const bomb = `<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>${body}`;
    assert.match(await of(bomb), /settings\.metadata: .*cannot be read/);
    const file = `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${body.replace('</', '&x;</')}`;
    assert.match(await of(file), /cannot be read/);
    const md = 'urn:oasis:names:tc:SAML:2.0:metadata';
    const two = (...entities: string[]) =>
      `<md:EntitiesDescriptor xmlns:md="${md}">${entities.join('')}</md:EntitiesDescriptor>`;
    const foreign = body.replaceAll(/(<ds:X509Certificate>|<X509Certificate>)[^<]+/g, (_, tag) => {
      return `${tag}${testKey('stranger').certificateBase64}`;
    });
    assert.match(await of(two(body, foreign), { entityId: idp.entityId }), /twice/);
    const other = body.replaceAll(idp.entityId, 'https://other.example');
    assert.match(await of(two(body, other)), /settings\.entityId: is required: .* 2 identity providers/);
    assert.match(await of(body, { signingCertificates: testKey('stranger').certificate }), /sign/);
    assert.match(await of(body, { signingCertificates: '/etc/passwd' }), /settings\.signingCertificates: /);
    assert.match(await of(body, { entityId: 'https://nobody.example' }), /nobody\.example/);
    assert.match(await of('x'.repeat(200_001)), /longer than/);
    assert.equal((await create('bad', { metadata: 'x'.repeat(500_000) })).status, 413);
    assert.equal((await root.get(`${path}/bad`)).status, 404);
  });

  it('asks no address of a private network, and no file', async () => {
    const url = async (metadataUrl: string) => (await violations(create('bad', { metadataUrl }))).join();
    assert.match(
      await url('https://127.0.0.1:1/metadata'),
      /not an address of the public internet; the setting/,
    );
    assert.match(await url('https://[::ffff:169.254.169.254]/'), /not an address of the public internet/);
    assert.match(await url('http://idp.example/metadata'), /expected an https URL/);
    assert.match(await url('file:///etc/passwd'), /settings\.metadataUrl: /);
    assert.match(await url('./package.json'), /settings\.metadataUrl: /);
    assert.match(await url('https://u:p@idp.example/'), /settings\.metadataUrl: /);
  });

  it('is for administrators only', async () => {
    for (const caller of [emma, robot]) {
      for (const [method, at, body] of [
        ['GET', path],
        ['POST', path, { name: 'x', kind: 'saml', settings: {} }],
        ['GET', `${path}/any-person`],
        ['PATCH', `${path}/any-person`, { enabled: false }],
        ['DELETE', `${path}/any-person`],
        ['POST', `${path}/any-person/testLogin`],
        ['POST', `${path}/testLogin`, { testId: 'x' }],
      ] as const) {
        const answer = await caller.call(method, at, body);
        assert.equal(answer.status, 403, `${method} ${at} ${answer.text}`);
      }
    }
  });

  it('shows those of the configuration, which only the configuration changes, and whose names it cannot have', async () => {
    const [first] = (await root.get(path)).json;
    assert.deepEqual([first.name, first.origin, first.settings], ['any-person', 'configuration', null]);
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await root.call(method, `${path}/any-person`, method === 'PATCH' ? {} : undefined);
      assert.equal(answer.status, 404);
    }
    const taken = await create('any-person', { metadataUrl: idp.metadataUrl });
    assert.equal(taken.status, 409, taken.text);
    for (const name of ['password', 'client', 'form']) {
      assert.match((await violations(create(name, { metadataUrl: idp.metadataUrl }))).join(), /reserved/);
    }
  });
});
