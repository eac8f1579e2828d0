import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { demoResourceServer, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { followFlow, type ResourceOwnerAnswers } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

const authorizePath = '/authorize?response_type=code&client_id=demo-app';

/** A user logs in and consents. Resolves with the principal in the token info of the new token. */
async function principalOf(server: TestServer, answers?: ResourceOwnerAnswers) {
  const flow = await followFlow(new UserAgent(), `${server.baseUrl}${authorizePath}`, answers);
  const code = flow.parameters.get('code') ?? '';
  const token = await server.post(
    '/oauth2/token',
    { grant_type: 'authorization_code', code },
    'demo-app:demo-app-client-secret',
  );
  const { access_token } = token.json;
  return (await server.post('/v1/tokeninfo', { access_token }, demoResourceServer)).json.principal;
}

describe('an authentication module', () => {
  it('noop authenticates every user as noop without a page, and noop-admin as an administrator', async () => {
    for (const [authenticator, adminPrincipal] of [
      ['noop', false],
      ['noop-admin', true],
    ] as const) {
      await using server = await startServer({ authenticator, consent: 'noop' });
      const principal = await principalOf(server);
      const expected = { name: 'noop', roles: [], groups: [], adminPrincipal, attributes: {} };
      assert.deepEqual(principal, expected);
    }
  });
});

describe('a consent module', () => {
  it('of a file decides in place of the form, and cannot grant more than was requested', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('read-only.mjs');
    await writeFile(
      file,
      `export default ({ settings }) => {
         const begin = async ({ resourceOwner }) => {
           const { name } = resourceOwner.principal;
           if (name === 'mallory') return { type: 'denied' };
           const scopes = name === 'greta' ? [...settings.scopes, 'admin'] : settings.scopes;
           return { type: 'consented', scopes, remember: false };
         };
         return { name: 'read-only', begin, resume: begin };
       };`,
    );
    const consentOptions = JSON.stringify({ scopes: ['read'] });
    await using server = await startServer({ consent: file, consentOptions });
    const visit = (answers: ResourceOwnerAnswers) =>
      followFlow(new UserAgent(), `${server.baseUrl}${authorizePath}`, answers);
    const code = (await visit({ username: 'emma' })).parameters.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code };
    assert.equal(
      (await server.post('/oauth2/token', form, 'demo-app:demo-app-client-secret')).json.scope,
      'read',
    );
    assert.equal((await visit({ username: 'mallory' })).parameters.get('error'), 'access_denied');

    const agent = new UserAgent();
    const login = await agent.get(`${server.baseUrl}${authorizePath}`);
    assert.equal((await agent.submit(login, { username: 'greta', password: 'x' })).status, 400);
  });
});

describe('a server with a module that authenticates every user', () => {
  const open = ['--port', '0', '--base-url', 'https://id.example'];

  for (const [setting, name] of [
    ['authenticator', 'form'],
    ['authenticator', 'noop'],
    ['authenticator', 'noop-admin'],
    ['consent', 'noop'],
  ] as const) {
    it(`does not start where others can connect: ${setting} ${name}`, async () => {
      await using directory = await temporaryDirectory();
      const { code, stderr } = await watchword([
        ...['serve', ...open, '--database', directory.file('x.db')],
        ...[`--${setting}`, name],
      ]);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`${setting} .*"${name}" is for development, because it `));
      assert.match(stderr, /allowInsecureAuthentication/);
    });
  }

  it('starts when the operator permits it', async () => {
    const flags = { baseUrl: 'https://id.example', allowInsecureAuthentication: 'true' };
    await using server = await startServer(flags);
    assert.equal(server.service.baseUrl, 'https://id.example');
  });

  it('has a warning on the login page, in the language of the page', async () => {
    await using server = await startServer();
    for (const [language, reason] of [
      ['en', /accepts every user name and password/],
      ['nl', /Waarom: <bdi>elke gebruikersnaam en elk wachtwoord wordt aanvaard/],
      ['de', /Warum: <bdi>jeder Benutzername und jedes Passwort wird angenommen/],
    ] as const) {
      const { text } = await server.get(authorizePath, { 'accept-language': language });
      assert.match(text, /class="danger"/);
      assert.match(text, reason);
    }
  });
});

describe('a module that cannot be loaded', () => {
  for (const [name, content, reason] of [
    [
      './nothing.mjs',
      undefined,
      /\(--authenticator\): .*Cannot find module '[^']*'\. Expected one of form, noop, noop-admin/,
    ],
    ['a-package-that-is-not-there', undefined, /Cannot find package/],
    ['throws.mjs', 'export default () => { throw new Error("no key"); };', /cannot be loaded: no key/],
    [
      'no-package.mjs',
      'import "not-there"; export default 1;',
      /'not-there' imported from .*no-package\.mjs$/m,
    ],
    ['no-syntax.mjs', 'export default x y', /cannot be loaded: Unexpected identifier 'y'$/m],
    ['no-factory.mjs', 'export const x = 1;', /must export a factory as its default, and exports none/],
    ['no-module.mjs', 'export default () => ({ name: "x" });', /name, begin and resume/],
    ['constructor', undefined, /cannot be loaded/],
  ] as const) {
    it(`is reported with advice: ${name}`, async () => {
      await using directory = await temporaryDirectory();
      if (content !== undefined) await writeFile(directory.file(name), content);
      const { code, stderr } = await watchword([
        ...['serve', '--port', '0', '--database', directory.file('x.db')],
        ...['--authenticator', content === undefined ? name : directory.file(name)],
      ]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, reason);
      assert.doesNotMatch(stderr, /\n\s+at /);
    });
  }
});
