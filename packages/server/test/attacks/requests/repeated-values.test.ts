import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Answer,
  demoClient,
  demoResourceServer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';

/** The parameters that endpoints read; each is sent with a text of its own, and with valid values beside it. */
const known: Readonly<Record<string, string>> = {
  grant_type: 'authorization_code',
  code: 'wwc_x',
  refresh_token: 'wwr_x',
  code_verifier: 'v'.repeat(43),
  redirect_uri: 'http://127.0.0.1:8081/callback',
  scope: 'read',
  client_id: 'demo-app',
  client_secret: 'x',
  token: 'wwa_x',
  token_type_hint: 'access_token',
  access_token: 'wwa_x',
  response_type: 'code',
  response_mode: 'query',
  code_challenge: 'c'.repeat(43),
  code_challenge_method: 'S256',
  nonce: 'n',
  prompt: 'login',
  max_age: '1',
  claims: '{}',
  id_token_hint: 'x.y.z',
  acr_values: '1',
  request: 'x',
  request_uri: 'https://a.example',
  resource: 'https://a.example',
  post_logout_redirect_uri: 'https://a.example',
  auth_state: 'x',
  decision: 'allow',
  unknown: 'x',
};
/** An answer that leads elsewhere is for the client, and not followed. */
async function shown(url: string) {
  const answer = await fetch(url, { redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const marker = 'Qz7repeated';

describe('an answer with an error', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.[Symbol.asyncDispose]());

  const posts = [
    ['/oauth2/token', demoClient],
    ['/oauth2/token', 'demo-app:demo-app-client-secret'],
    ['/oauth2/token', undefined],
    ['/oauth2/revoke', demoClient],
    ['/oauth2/introspect', demoResourceServer],
    ['/v1/tokeninfo', demoResourceServer],
    ['/oauth2/userinfo', undefined],
    ['/oauth2/logout', undefined],
  ] as const;
  /** Without the cookie of a browser these look at no parameter. */
  const ofBrowsers = ['/authorize', '/login', '/consent'];

  it('repeats no value of a parameter, whichever one is wrong', async () => {
    let errors = 0;
    const assertUnrepeated = (answer: Pick<Answer, 'status' | 'text' | 'headers'>, name: string) => {
      if (answer.status < 400) return;
      errors += 1;
      assert.ok(!answer.text.includes(marker), `${name}: ${answer.text.slice(0, 2000)}`);
      for (const [header, content] of answer.headers)
        assert.ok(!content.includes(marker), `${name}: ${header}`);
    };
    const all = Object.fromEntries(Object.keys(known).map((name) => [name, `${marker} ${name}`]));
    for (const path of ofBrowsers) assertUnrepeated(await server.post(path, all), path);
    for (const name of Object.keys(known)) {
      const value = name === 'claims' ? `{"${marker}":1` : `${marker} ${name}`;
      const form = { ...known, [name]: value };
      const query = new URLSearchParams(form);
      const answers = [
        ...(await Promise.all(posts.map(([path, credentials]) => server.post(path, form, credentials)))),
        ...(await Promise.all(
          ['/authorize', '/oauth2/logout', '/v1/tokeninfo'].map((path) =>
            shown(`${server.baseUrl}${path}?${query}`),
          ),
        )),
      ];
      for (const answer of answers) assertUnrepeated(answer, name);
    }
    assert.ok(errors > 200, String(errors));
  });

  it('repeats no credentials, also not where they are malformed', async () => {
    for (const credentials of [`${marker}:x`, `demo-app:${marker}`, marker, `${marker}:${marker}:`]) {
      for (const path of new Set([...posts.map(([each]) => each), ...ofBrowsers])) {
        const { text } = await server.post(path, known, credentials);
        assert.ok(!text.includes(marker), `${path}: ${text}`);
      }
    }
    for (const authorization of [`Bearer ${marker}`, `Basic ${marker}`, `${marker} x`]) {
      const { text, headers } = await server.get('/admin/resourceServer', { authorization });
      assert.ok(!text.includes(marker) && !headers.get('www-authenticate')?.includes(marker), text);
    }
  });
});
