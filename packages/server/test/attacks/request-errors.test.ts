import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { demoClient, type TestServer } from '@watchword/server-testkit/servers/server';
import { countRows } from '@watchword/server-testkit/servers/sql';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

const webApp = 'demo-app:demo-app-client-secret';

function storedErrors(database: string): Promise<number> {
  return countRows(database, 'request_error');
}

/** An authorization request of the application; the redirect is not followed. */
function authorize({ baseUrl }: TestServer, parameters: string): Promise<unknown> {
  const type = parameters.includes('response_type=') ? '' : '&response_type=code';
  return fetch(`${baseUrl}/authorize?client_id=demo-app${type}&${parameters}`, { redirect: 'manual' });
}

describe('request errors under attack', () => {
  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration();
  });
  after(() => server[Symbol.asyncDispose]());

  it('are not written for anything that an anonymous caller does', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    {
      await using own = await startAdministration({ database });
      for (let attempt = 0; attempt < 4; attempt += 1) {
        await authorize(own, 'redirect_uri=https://evil.example/');
        await authorize(own, 'scope=evil');
        await own.post('/oauth2/token', { grant_type: 'authorization_code' }, 'demo-app:guess');
        await own.post('/oauth2/token', { grant_type: 'refresh_token', client_id: 'demo-app' });
        await own.post('/oauth2/revoke', { client_id: 'demo-app' });
        await own.post('/oauth2/introspect', { client_id: 'demo-app', token: 'x' });
      }
      const root = await own.administrator();
      const { json } = await root.get('/admin/requestError?clientId=demo-app&limit=1000');
      assert.ok(json.length > 20);
      assert.ok(json.every(({ authenticated }: { authenticated: boolean }) => !authenticated));
    }
    assert.equal(await storedErrors(database), 0);
  });

  it('contain no secret, token, code, verifier, password or state, wherever they were put', async () => {
    const root = await server.administrator();
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    const { parameters } = await followFlow(new UserAgent(), url, { username: 'emma', password: '{}' });
    const code = parameters.get('code') ?? '';
    const redeem = { grant_type: 'authorization_code', code };
    const { access_token, refresh_token } = (await server.post('/oauth2/token', redeem, webApp)).json;
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const values = [code, access_token, refresh_token, verifier, 'wws_c2VjcmV0', 'demo-app-client-secret-x'];
    for (const value of values) {
      // By the kind of grant that reads the parameter, and by others.
      for (const [name, grant_type] of [
        ['grant_type', value],
        ['code', 'authorization_code'],
        ['code', 'x'],
        ['refresh_token', 'refresh_token'],
        ['refresh_token', 'authorization_code'],
        ['code_verifier', 'authorization_code'],
        ['client_secret', 'authorization_code'],
        ['client_secret', 'refresh_token'],
        ['token', 'refresh_token'],
        [value, 'authorization_code'],
        [value, 'refresh_token'],
        [value, 'x'],
      ] as const) {
        await server.post('/oauth2/token', { grant_type, [name]: value }, webApp);
      }
      if (value === values.at(-1)) continue;
      for (const name of ['scope', 'redirect_uri', 'response_type', 'code_challenge_method']) {
        const query = new URLSearchParams({ [name]: value });
        await authorize(server, `${query}&state=my-state`);
      }
      const inUrl = new URLSearchParams({
        redirect_uri: `https://user:${value}@app.example/?code=${value}#${value}`,
      });
      await authorize(server, String(inUrl));
    }
    await server.post(
      '/oauth2/token',
      { grant_type: 'client_credentials' },
      'demo-app:demo-app-client-secret-x',
    );
    const { text } = await root.get('/admin/requestError?clientId=demo-app&limit=1000');
    const summary = (await root.get('/admin/requestError/summary')).text;
    for (const value of [...values, 'my-state']) {
      assert.ok(!text.includes(value) && !summary.includes(value), value);
    }
    assert.ok(JSON.parse(text).length > 70);
  });

  it('do not show the caller more than before', async () => {
    const bad = { grant_type: 'authorization_code', code: 'x' };
    const answers = [
      await server.post('/oauth2/token', bad, webApp),
      await server.post('/oauth2/token', { grant_type: 'client_credentials', scope: 'evil' }, demoClient),
      await server.post('/oauth2/token', bad, 'demo-app:wrong'),
    ];
    assert.deepEqual(
      answers.map(({ json }) => json),
      [
        { error: 'invalid_grant', error_description: 'The authorization code is not valid.' },
        {
          error: 'invalid_scope',
          error_description: 'A requested scope is not one that the client may be given.',
        },
        { error: 'invalid_client', error_description: 'Client authentication failed.' },
      ],
    );
  });
});
