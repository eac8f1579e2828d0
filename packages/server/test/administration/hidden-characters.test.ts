import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { demoClient } from '@watchword/server-testkit/servers/server';

const space = '\u200b';
// What an error_description can have (RFC 6749 section 4.1.2.1).
const permitted = /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/;

describe('a character that nobody sees is named', () => {
  let server: AdministrationServer;
  let root: Administering;
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
  });
  after(() => server[Symbol.asyncDispose]());

  it('in every parameter of an authorization request, on the page and in error_description', async () => {
    const { clientId } = await root.create('/admin/resourceServer/1/client', {
      ...anApp,
      redirectUris: ['https://app.example/cb'],
    });
    const right = { client_id: clientId, redirect_uri: 'https://app.example/cb', response_type: 'code' };
    for (const [wrong, at] of [
      [{ client_id: `${clientId}${space}` }, clientId.length + 1],
      [{ redirect_uri: `https://app.example/cb${space}` }, 23],
      [{ response_type: `${space}code` }, 1],
      [{ response_mode: `que${space}ry` }, 4],
      [{ scope: `re${space}ad` }, 3],
      [{ prompt: `login${space}` }, 6],
      [{ max_age: `60${space}` }, 3],
      [{ claims: `{${space}}` }, 2],
      [{ code_challenge: 'x'.repeat(43), code_challenge_method: `S256${space}` }, 5],
      [{ code_challenge: `${'x'.repeat(43)}${space}`, code_challenge_method: 'S256' }, 44],
    ] as const) {
      const scope = 'claims' in wrong ? { scope: 'openid' } : {};
      const query = new URLSearchParams({ ...right, ...scope, ...wrong });
      const answer = await fetch(`${server.baseUrl}/authorize?${query}`, { redirect: 'manual' });
      const [text, location] = [await answer.text(), answer.headers.get('location') ?? ''];
      const description =
        location === '' ? text : (new URL(location).searchParams.get('error_description') ?? '');
      assert.ok(description.includes(`It has U+200B at position ${at}.`), `${query}: ${description}`);
      if (location !== '') assert.match(description, permitted);
    }
  });

  it('in settings: in values, also of secrets that are not shown, and in names', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('w.yaml'), `log${space}: {level: info}\nport: "80${space}"\n`);
    const { code, stderr } = await watchword(['config', '--config', directory.file('w.yaml')], {
      env: {
        WATCHWORD_BASE_URL: `https://id.example${space}/x y`,
        WATCHWORD_SIGNING_KEY: `not-shown${space}`,
        WATCHWORD_LOG_LEVEL: `${space}info\u00a0`,
        WATCHWORD_AUTHENTICATORS: `[${space}]`,
      },
    });
    assert.equal(code, 2);
    for (const part of [
      /log\S*level.*is not a setting \(U\+200B at position 4\);/,
      /port.*got "80\\u200b" \(U\+200B at position 3\)/,
      /baseUrl.*got "https:\/\/id\.example\\u200b\/x y" \(U\+200B at position 19\)/,
      /signing\.key.*got a text \(U\+200B at position 10\)/,
      /log\.level.*got "\\u200binfo\\u00a0" \(U\+200B at position 1, U\+00A0 at position 6\)/,
    ]) {
      assert.match(stderr, part);
    }
    assert.ok(!stderr.includes(space) && !stderr.includes('not-shown'), stderr);
  });

  it('in the errors of the token endpoint, and for the record owner', async () => {
    for (const fields of [
      { grant_type: 'client_credentials', scope: `read wri${space}te` },
      { grant_type: `client_credentials${space}` },
    ]) {
      const { status, json } = await server.post('/oauth2/token', fields, demoClient);
      assert.equal(status, 400);
      assert.match(json.error_description, / It has U\+200B at position \d+\.$/);
      assert.match(json.error_description, permitted);
    }
    const [error] = (await root.get('/admin/requestError?clientId=demo-service&error=invalid_scope')).json;
    assert.equal(error.came, String.raw`"read wri\u200bte" (U+200B at position 9)`);
  });

  it('in every field of a record that it makes wrong', async () => {
    const client = {
      ...anApp,
      clientName: '\u2800',
      contactName: 'a\u202e',
      contactEmail: `emma${space}@example.com`,
      thumbNailUrl: `https://a.example/${'\u00a0'}`,
      scopes: [`read${space}`],
      redirectUris: [`https://app.example/x${space}`],
      postLogoutRedirectUris: [`${space}https://app.example/`],
      backchannelLogoutUri: `https://app.example/${space}`,
      frontchannelLogoutUri: `https://app.example/${space}`,
      sectorIdentifierUri: `https://app.example/${space}`,
      openidScopes: [`profile${space}`],
      subjectType: `public${space}`,
      description: 'a\u202e',
      attributes: { 'a\u202e': 'b' },
    };
    const { status, json } = await root.call('POST', '/admin/resourceServer/1/client', client);
    assert.equal(status, 400);
    const violations: string[] = json.violations;
    assert.deepEqual(
      violations.filter((each) => !/U\+[0-9A-F]{4} at position \d/.test(each)),
      [],
    );
    const fields = new Set(violations.map((each) => each.split(':', 1)[0]));
    for (const field of Object.keys(client)) {
      if (!/[\u00a0\u200b\u202e\u2800]/.test(JSON.stringify(Object(client)[field]))) continue;
      assert.ok(fields.has(field), field);
    }
    assert.ok(
      violations.includes(
        String.raw`redirectUris: "https://app.example/x\u200b" has a character that no URI has, U+200B at position 22: a space, quote, backslash, or one outside of ASCII; encode it`,
      ),
    );
    const api = {
      ...anApi,
      name: '\u00a0',
      scopes: [`re${space}ad`, { name: 'write', description: 'a\u202e' }],
    };
    const refused = await root.call('POST', '/admin/resourceServer', api);
    assert.equal(refused.json.violations.length, 3);
    for (const each of refused.json.violations) assert.match(each, /U\+[0-9A-F]{4} at position \d/);
  });

  it('in the messages of a command', async () => {
    const database = ['--database', server.database];
    const uri = ['--redirect-uri', `https://app.example/x${space}`];
    const made = ['client', 'create', '--resource-server', 'demo-resource-server', '--name', 'x', ...uri];
    for (const [args, message] of [
      [made, /no URI has, U\+200B at position 22/],
      [['client', 'show', `demo-app${space}`], /shows all\. It has U\+200B at position 9\.\n/],
      [['user', 'show', `emma${space}`], /username emma\\u200b \(U\+200B at position 5\);/],
      [['user', 'create', `emma${space}`, '--password-stdin'], /username: .* \(U\+200B at position 5\)/],
      [['token', 'list', '--limit', `1${space}`], /got "1\\u200b" \(U\+200B at position 2\)/],
    ] as const) {
      const { code, stdout, stderr } = await watchword([...args, ...database], {
        stdin: 'correct horse battery',
      });
      assert.notEqual(code, 0, stdout);
      assert.match(stderr, message);
    }
  });
});
