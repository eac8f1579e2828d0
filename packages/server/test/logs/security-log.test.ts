import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Application, registerApplication } from '@watchword/server-testkit/clients/application';
import { codeOf } from '@watchword/server-testkit/processes/guide';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { demoClient, startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';
import { moduleServer } from '../support/module-server.ts';

const authorizePath = '/authorize?response_type=code&client_id=demo-app';

/** The lines with this message, which must have exactly these fields. */
function lines(server: TestServer, message: string) {
  return server
    .log()
    .split('\n')
    .filter((line) => line.endsWith(`"msg":"${message}"}`))
    .map((line) => {
      const { level, time, pid, node, version, msg, ...fields } = JSON.parse(line);
      assert.equal(level, 30);
      assert.ok(node && version);
      return fields;
    });
}

/** The line of the access log for the same request. */
const answeredAs = (server: TestServer, requestId: string) =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes('"route"') && line.includes(`"requestId":"${requestId}"`))
    .map((line) => JSON.parse(line));

async function digestOf(database: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await watchword(['user', 'digest', ...args, '--database', database]);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

/** A server with a form for passwords. */
let forms: TestServer;
before(async () => {
  forms = await startServer({ authenticator: 'password' });
});
after(() => forms[Symbol.asyncDispose]());

const tryAs = async (username: string, path = authorizePath) => {
  const agent = new UserAgent();
  await agent.submit(await agent.get(`${forms.baseUrl}${path}`), { username, password: 'Tr0ub4dor&3' });
};

describe('a failed login', () => {
  it('is in the log with the client and a keyed digest of the account name, never the name', async () => {
    for (const username of ['emma', 'a secret by mistake', 'emma']) await tryAs(username);
    const [first, second, third, ...others] = lines(forms, 'a login failed');
    assert.deepEqual(others, []);
    const { requestId, account, ...rest } = first ?? assert.fail();
    assert.deepEqual(rest, {
      reason: 'login.wrong',
      status: 403,
      authenticator: 'password',
      client: 'demo-app',
      address: '127.0.0.1',
    });
    assert.match(account, /^[A-Za-z0-9_-]{16}$/);
    assert.equal(answeredAs(forms, requestId)[0]?.route, '/login');
    assert.equal(third?.account, account);
    assert.notEqual(second?.account, account);
    assert.equal(await digestOf(forms.database, 'emma'), account);
    assert.doesNotMatch(forms.log(), /emma|secret by mistake|Tr0ub4dor/);
  });

  it('has the reason of a module that rejects, throws or has fields of its own, and no text of it', async () => {
    const source = `
      const steps = {
        refused: { type: 'refused', description: 'emma is not welcome' },
        form: { type: 'form', status: 401, message: 'emma, that is wrong', fields: [
          { name: 'badge', label: 'Badge', type: 'text', autocomplete: 'username' } ] },
        hint: { type: 'form', message: 'emma, look at your phone' },
      };
      export default ({ errors }) => ({
        name: 'odd',
        begin: async () => ({ type: 'form' }),
        async resume(context, submission) {
          const [wanted] = submission.get('username');
          if (wanted === 'thrown') throw new errors.OAuthError('access_denied', { text: { key: 'own.closed' } });
          return steps[wanted];
        },
      });`;
    await using server = await moduleServer('authenticator', source);
    for (const username of ['refused', 'form', 'hint', 'thrown']) {
      const agent = new UserAgent();
      const login = await agent.get(`${server.baseUrl}${authorizePath}`);
      await agent.submit(login, { username, password: 'x' });
    }
    const found = lines(server, 'a login failed').map(({ reason, status = null, account }) => [
      reason,
      status,
      account !== null,
    ]);
    assert.deepEqual(found, [
      ['refused', null, true],
      ['form', 401, false],
      ['own.closed', null, true],
    ]);
    assert.doesNotMatch(server.log(), /emma/);
  });

  it('has no client when the user opened their account page', async () => {
    await tryAs('emma', '/account');
    assert.equal(lines(forms, 'a login failed').at(-1)?.client, null);
  });
});

describe('a rejected token request', () => {
  let server: TestServer;
  let app: Application;
  before(async () => {
    server = await startServer();
    app = await registerApplication(server);
  });
  after(() => server[Symbol.asyncDispose]());
  const latest = () => lines(server, 'a token request failed').at(-1) ?? assert.fail();

  it('is in the log with the client that it names, and with no unregistered name', async () => {
    const form = { grant_type: 'client_credentials' };
    await server.post('/oauth2/token', form, 'demo-service:wrong');
    const { requestId, ...refused } = latest();
    assert.deepEqual(refused, {
      client: 'demo-service',
      account: null,
      reason: 'invalid_client',
      grantType: 'client_credentials',
      address: '127.0.0.1',
    });
    assert.equal(answeredAs(server, requestId)[0]?.error, 'invalid_client');
    await server.post('/oauth2/token', { ...form, client_id: 'pasted-secret' });
    assert.equal(latest().client, null);
    await server.post('/oauth2/token', { grant_type: 'pasted-secret' }, demoClient);
    assert.deepEqual([latest().client, latest().grantType], ['demo-service', undefined]);
    assert.doesNotMatch(server.log(), /pasted-secret/);
  });

  it('has the digest of the resource owner of its grant, the same as a failed login of that user', async () => {
    const code = await app.obtainCode();
    const tokens = (await app.redeem(code)).json;
    const emma = await digestOf(server.database, 'emma', '--identity-provider', 'form');
    await app.redeem(code);
    assert.deepEqual([latest().reason, latest().account], ['invalid_grant', emma]);
    await app.refresh(tokens.refresh_token);
    assert.deepEqual([latest().reason, latest().account], ['invalid_grant', null]);
    const other = (await app.redeem(await app.obtainCode())).json;
    await server.post(
      '/oauth2/token',
      { grant_type: 'refresh_token', refresh_token: other.refresh_token },
      'demo-app:demo-app-client-secret',
    );
    assert.deepEqual([latest().client, latest().account], ['demo-app', emma]);
    assert.doesNotMatch(JSON.stringify(lines(server, 'a token request failed')), /emma/);
  });

  it('without a grant type is not in the log', async () => {
    const before_ = lines(server, 'a token request failed').length;
    await server.issueToken();
    assert.equal(lines(server, 'a token request failed').length, before_);
  });
});

describe('the guide to access', () => {
  it('shows the lines exactly as the server writes them', async () => {
    const shown = codeOf('access.md')
      .filter(({ language, code }) => language === 'json' && code.startsWith('{"requestId"'))
      .flatMap(({ code }) => code.trim().split('\n'))
      .map((line) => JSON.parse(line));
    assert.equal(shown.length, 2);
    await tryAs('emma');
    await forms.post(
      '/oauth2/token',
      { grant_type: 'refresh_token', refresh_token: 'x' },
      'demo-app:demo-app-client-secret',
    );
    for (const { msg, ...fields } of shown) {
      const line = lines(forms, msg).at(-1);
      assert.deepEqual(Object.keys(line ?? {}).toSorted(), Object.keys(fields).toSorted(), msg);
    }
  });
});

describe('the digest of an account', () => {
  it('is different at another server', async () => {
    await using directory = await temporaryDirectory();
    const other = directory.file('other.db');
    await watchword(['migrate', '--database', other]);
    const digest = await digestOf(forms.database, 'emma');
    assert.equal(await digestOf(forms.database, 'emma'), digest);
    assert.notEqual(await digestOf(other, 'emma'), digest);
    assert.notEqual(await digestOf(forms.database, 'Emma'), digest);
  });
});
