import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AccountServer,
  accountsPath,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import {
  type Administering,
  anApi,
  anApp,
  systemResourceServerId,
} from '@watchword/server-testkit/servers/administration';
import type { Answer } from '@watchword/server-testkit/servers/server';

const servers = '/admin/resourceServer';
const everything = ['records:all', 'accounts', 'grants', 'keys'].map((subject) => `${subject}:write`);

interface Machine extends Administering {
  readonly clientId: string;
  readonly path: string;
  /** A new token. */
  again(scope?: string): Promise<Administering>;
}

describe('the rights of clients that act for themselves', () => {
  let server: AccountServer;
  let root: Administering;
  let administration: string;
  let emmasClient: string;

  before(async () => {
    server = await startAccountServer();
    root = await server.logIn('root');
    administration = `${servers}/${await systemResourceServerId(root)}`;
    await server.addAccount('emma');
    const emma = await server.logIn('emma');
    const api = await emma.create(servers, anApi);
    const { id } = await emma.create(`${servers}/${api.id}/client`, anApp);
    emmasClient = `${servers}/${api.id}/client/${id}`;
  });
  after(() => server[Symbol.asyncDispose]());

  async function machine(clientName: string, rights: readonly string[] = [], by = root): Promise<Machine> {
    const registration = { ...anApp, clientName, scopes: ['read', 'write'], allowedClientCredentials: true };
    const { id, clientId, secret } = await root.create(`${administration}/client`, registration);
    const again = async (scope = 'read write') => {
      const form = { grant_type: 'client_credentials', scope };
      const answer = await server.post('/oauth2/token', form, `${clientId}:${secret}`);
      return server.as(answer.json.access_token);
    };
    const acting = { ...(await again()), again, clientId, path: `${administration}/client/${id}` };
    if (rights.length > 0) assertOk(await give(acting, rights, by));
    return acting;
  }
  const rightsOf = ({ clientId }: Pick<Machine, 'clientId'>) => `/admin/right/${clientId}`;
  const give = (of: Pick<Machine, 'clientId'>, rights: unknown, by = root) =>
    by.call('POST', rightsOf(of), { rights });
  const held = async ({ clientId }: Machine) =>
    (await root.get(`/admin/right?clientId=${clientId}`)).json.map(
      ({ right }: { readonly right: string }) => right,
    );
  const events = async ({ path }: Machine) => {
    const id = path.split('/').at(-1);
    const { json } = await root.get(`/admin/auditEvent?recordType=client&recordId=${id}`);
    return json
      .filter(({ action }: { readonly action: string }) => /Right$/.test(action))
      .map((event: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => [
        event.action,
        event.actor,
        (event.before ?? event.after)?.right,
      ]);
  };
  const accountOf = async (username: string) =>
    `${accountsPath}/${(await root.get(`${accountsPath}?username=${username}`)).json[0].id}`;

  function assertOk({ status, text }: Answer) {
    assert.ok(status < 300, `expected success, got ${status}: ${text}`);
  }
  function assertRefused({ status, json, text }: Answer, told: RegExp) {
    assert.deepEqual([status, json?.error], [403, 'access_denied'], text);
    assert.match(json.error_description, told);
  }

  it('let a machine do what an administrator does, and nothing of another right: the error names the one that it needs', async () => {
    const robot = await machine('Robot', ['records:all:write']);
    assertOk(
      await robot.call('PATCH', emmasClient, { skipConsent: true, redirectUris: ['https://a.example/'] }),
    );
    const { json } = await robot.get(emmasClient);
    assert.deepEqual([json.skipConsent, json.trusted], [true, true]);
    assertOk(await robot.call('POST', `${emmasClient}/confirmation`));
    assertOk(await robot.get('/admin/client'));
    assertRefused(await robot.get(accountsPath), /lacks the right accounts:read/);
    assertRefused(await robot.call('POST', accountsPath, { username: 'nora' }), /accounts:write/);
    assertRefused(await robot.get('/admin/signingKey'), /keys:read/);
    assertRefused(await robot.get('/admin/loginSession'), /grants:read/);
    assert.deepEqual((await robot.get('/admin/auditEvent?actor=root')).json, []);
    assert.deepEqual((await robot.get('/admin/resourceServer/stats')).json.errors, []);
  });

  it('of reading change nothing, and without any right a machine sees its own records alone', async () => {
    const reader = await machine('Reader', ['records:all:read', 'accounts:read', 'audit:read']);
    assertOk(await reader.get(emmasClient));
    assertOk(await reader.get(accountsPath));
    assert.ok((await reader.get('/admin/auditEvent')).json.length > 0);
    const refused = await reader.call('PATCH', emmasClient, { description: 'x' });
    assert.equal(refused.status, 404);
    assert.match(refused.json.error_description, /needs the right records:all:write/);
    assertRefused(await reader.call('POST', accountsPath, { username: 'nora' }), /accounts:write/);
    const plain = await machine('Plain');
    assert.equal((await plain.get(emmasClient)).status, 404);
    assert.deepEqual((await plain.get('/admin/client')).json, []);
  });

  it('need the scope of the access token too', async () => {
    const robot = await machine('Narrow token', ['accounts:write']);
    const narrow = await robot.again('read');
    const { status, json } = await narrow.call('POST', accountsPath, { username: 'nora' });
    assert.deepEqual([status, json.error], [403, 'insufficient_scope']);
  });

  it('manage accounts of people, and no account of an administrator', async () => {
    const robot = await machine('People', ['accounts:write']);
    const created = await robot.create(accountsPath, { username: 'nils', groups: ['staff'] });
    const own = `${accountsPath}/${created.id}`;
    assertOk(await robot.call('PATCH', own, { disabled: true }));
    assertOk(await robot.call('PATCH', own, { disabled: false }));
    assertOk(await robot.call('POST', `${own}/resetLink`));
    const raise = await robot.call('PATCH', own, { adminPrincipal: true });
    assertRefused(raise, /cannot make an administrator/);
    const born = await robot.call('POST', accountsPath, { username: 'eve', adminPrincipal: true });
    assertRefused(born, /cannot make an administrator/);
    const boss = await accountOf('root');
    for (const [method, path, body] of [
      ['PATCH', boss, { email: 'eve@example.org' }],
      ['PATCH', boss, { adminPrincipal: false }],
      ['PATCH', boss, { disabled: true }],
      ['PUT', boss, { displayName: 'Eve', adminPrincipal: true, disabled: false, groups: [], roles: [] }],
      ['POST', `${boss}/resetLink`, undefined],
      ['DELETE', boss, undefined],
      ['DELETE', `${boss}/link/saml`, undefined],
    ] as const) {
      assertRefused(await robot.call(method, path, body), /cannot change the account of an administrator/);
    }
    assertOk(await robot.call('DELETE', own));
  });

  it('never let a machine raise itself, by no right', async () => {
    const robot = await machine('Raises itself', everything);
    const other = await machine('Other machine');
    assertRefused(await give(other, ['audit:read'], robot), /Only an administrator who logged in can/);
    assertRefused(await give(robot, ['audit:read'], robot), /Only an administrator who logged in can/);
    assertRefused(await robot.call('DELETE', rightsOf(other)), /Only an administrator who logged in can/);
    assertRefused(await robot.get('/admin/right'), /Only an administrator who logged in can/);
    const app = {
      ...anApp,
      redirectUris: ['https://evil.example/'],
      scopes: ['read', 'write'],
      skipConsent: true,
    };
    for (const [method, path, body] of [
      ['POST', `${administration}/client`, app],
      ['PATCH', other.path, { redirectUris: ['https://evil.example/'] }],
      ['POST', `${other.path}/secret`, undefined],
      ['DELETE', other.path, undefined],
      ['PATCH', robot.path, { description: 'x' }],
      ['POST', `${robot.path}/secret`, undefined],
      ['POST', `${administration}/secret`, undefined],
      ['PATCH', administration, { description: 'x' }],
    ] as const) {
      const answer = await robot.call(method, path, body);
      assertRefused(answer, /cannot change the administration interface or its clients/);
    }
    const id = Number(administration.split('/').at(-1));
    const reached = { otherResourceServers: [{ resourceServerId: id, scopes: ['read'] }] };
    assert.equal((await robot.call('PATCH', emmasClient, reached)).status, 400);
    const token = await robot.call('POST', '/admin/accessToken', { clientId: other.clientId });
    assert.equal(token.status, 400);
    const { json: principal } = await robot.get('/admin/resourceServer/principal');
    assert.equal(principal.adminPrincipal, false);
    for (const path of ['/admin/setting', '/admin/branding', '/admin/authenticator'])
      assertRefused(await robot.get(path), /Only an administrator who logged in can/);
  });

  it('never exceed those of the giver, and are known, and of a client that can use them', async () => {
    const robot = await machine('Strict');
    const violations = async (answer: Promise<Answer>) => {
      const { status, json, text } = await answer;
      assert.equal(status, 400, text);
      return json.violations.join('\n');
    };
    assert.match(
      await violations(give(robot, ['audit:read', 'audit:write'])),
      /"audit:write" is none of records:read/,
    );
    assert.match(await violations(give(robot, ['everything'])), /is none of/);
    assert.match(await violations(give(robot, [])), /expected one or more of/);
    assert.equal((await give(robot, 'accounts:read')).status, 400);
    assert.equal((await give({ clientId: 'no-such' }, ['audit:read'])).status, 404);
    const emma = await server.logIn('emma');
    assertRefused(await give(robot, ['records:read'], emma), /Only an administrator/);
    const { json: app } = await root.get(emmasClient);
    assert.match(
      await violations(give({ clientId: app.clientId }, ['audit:read'])),
      /client of another resource server/,
    );
    const pages = { clientId: 'authorization-server-admin-js-client' };
    assert.match(await violations(give(pages, ['audit:read'])), /cannot get access tokens for itself/);
    const { json: narrow } = await root.call('PATCH', robot.path, { scopes: ['read'] });
    assert.match(
      await violations(give(narrow, ['accounts:write'])),
      /accounts:write is of no use to a client without the scope write/,
    );
    assert.deepEqual(await held(robot), []);
  });

  it('are given all or none, once, and each is audited with its giver and with who ended it', async () => {
    const robot = await machine('Audited');
    await server.addAccount('ada', true);
    const ada = await server.logIn('ada');
    assertOk(await give(robot, ['audit:read', 'accounts:write', 'audit:read'], ada));
    assertOk(await give(robot, ['audit:read']));
    assert.deepEqual(
      (await root.get(`/admin/right?clientId=${robot.clientId}`)).json.map(
        (each: Readonly<Record<string, string>>) => [each.right, each.givenBy, each.givenByAuthority],
      ),
      [
        ['accounts:write', 'ada', 'password'],
        ['audit:read', 'ada', 'password'],
      ],
    );
    assertOk(await root.call('DELETE', `${rightsOf(robot)}?right=audit:read`));
    assert.equal((await root.call('DELETE', `${rightsOf(robot)}?right=audit:read`)).status, 404);
    assert.deepEqual(await held(robot), ['accounts:write']);
    assertOk(await root.call('DELETE', rightsOf(robot)));
    assert.equal((await root.call('DELETE', rightsOf(robot))).status, 404);
    assert.deepEqual((await events(robot)).toReversed(), [
      ['giveRight', 'ada', 'accounts:write'],
      ['giveRight', 'ada', 'audit:read'],
      ['endRight', 'root', 'audit:read'],
      ['endRight', 'root', 'accounts:write'],
    ]);
  });

  it('hold and end at once for an access token that was issued before', async () => {
    const robot = await machine('Old token');
    assertRefused(await robot.get(accountsPath), /accounts:read/);
    assertOk(await give(robot, ['accounts:read']));
    assertOk(await robot.get(accountsPath));
    assertOk(await root.call('DELETE', rightsOf(robot)));
    assertRefused(await robot.get(accountsPath), /accounts:read/);
  });

  for (const [how, lose] of [
    ['is no administrator any more', (path: string) => root.call('PATCH', path, { adminPrincipal: false })],
    ['is disabled', (path: string) => root.call('PATCH', path, { disabled: true })],
    ['is deleted', (path: string) => root.call('DELETE', path)],
  ] as const) {
    it(`end in the same change in which their giver ${how}, those of others stay`, async () => {
      const username = `giver-${how.split(' ').at(-1)}-${how.length}`;
      await server.addAccount(username, true);
      const robot = await machine(`Given by ${username}`, ['audit:read'], await server.logIn(username));
      assertOk(await give(robot, ['errors:read']));
      assertOk(await lose(await accountOf(username)));
      assert.deepEqual(await held(robot), ['errors:read']);
      assert.deepEqual((await events(robot))[0], ['endRight', 'root', 'audit:read']);
      assert.deepEqual((await robot.get('/admin/auditEvent?actor=root')).json, []);
    });
  }

  it('stay with a new name or groups of their giver, and end when everything that the giver granted ends', async () => {
    await server.addAccount('petra', true);
    const robot = await machine('Of petra', ['audit:read'], await server.logIn('petra'));
    assertOk(await root.call('PATCH', await accountOf('petra'), { displayName: 'P', groups: ['x'] }));
    assert.deepEqual(await held(robot), ['audit:read']);
    const petra = { resourceOwnerId: 'petra', resourceOwnerAuthority: 'password' };
    assertOk(await root.call('POST', '/admin/resourceOwner/revocation', petra));
    assert.deepEqual(await held(robot), []);
  });

  it('stay with a new secret, and end when the client acts for itself no longer or is deleted', async () => {
    const robot = await machine('Changes', ['audit:read']);
    assertOk(await root.call('POST', `${robot.path}/secret`));
    assertOk(await root.call('PATCH', robot.path, { description: 'Audits.' }));
    assert.deepEqual(await held(robot), ['audit:read']);
    assertOk(await root.call('PATCH', robot.path, { allowedClientCredentials: false }));
    assert.deepEqual(await held(robot), []);
    assertOk(await root.call('PATCH', robot.path, { allowedClientCredentials: true }));
    assert.deepEqual(await held(robot), [], 'expected that they do not come back');
    assertOk(await give(robot, ['audit:read']));
    assertOk(await root.call('DELETE', robot.path));
    assert.deepEqual((await events(robot))[0], ['endRight', 'root', 'audit:read']);
    const { json } = await root.get('/admin/right');
    assert.ok(!JSON.stringify(json).includes(robot.clientId));
  });
});
