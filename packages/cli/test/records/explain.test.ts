import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import {
  type Administering,
  anApi,
  anApp,
  type OwnedAdministration,
  startAdministration,
  startOwnedAdministration,
} from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { type Answer, demoClient } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

const path = '/admin/requestError';
const idOf = ({ headers }: Answer) => headers.get('x-request-id') ?? assert.fail('no x-request-id');

describe('the explanation of a refused request', () => {
  let server: OwnedAdministration['server'];
  let root: Administering;
  let owner: Administering;
  let stranger: Administering;
  let api: OwnedAdministration['api'];
  let app: { id: number; clientId: string; secret: string };

  before(async () => {
    ({ server, root, owner, stranger, api } = await startOwnedAdministration());
    const fields = { allowedClientCredentials: true, redirectUris: ['https://app.example/cb'] };
    app = await owner.create(`/admin/resourceServer/${api.id}/client`, { ...anApp, ...fields });
  });
  after(() => server[Symbol.asyncDispose]());

  const token = (form: Record<string, string>, secret = app.secret) =>
    server.post('/oauth2/token', form, `${app.clientId}:${secret}`);
  const explain = (caller: Administering, id: string) => caller.get(`${path}/${id}`);

  it('has rule, section, expected, came and command, for administrators and the record owner, and for no other owner', async () => {
    const id = idOf(await token({ grant_type: 'client_credentials', scope: 'read admin' }));
    const { status, json } = await explain(owner, id);
    assert.equal(status, 200);
    const { time, advice, ...explained } = json;
    assert.match(advice, /name all of its scopes/);
    assert.deepEqual(explained, {
      requestId: id,
      client: {
        id: app.id,
        clientId: app.clientId,
        clientName: anApp.clientName,
        resourceserver_id: api.id,
      },
      endpoint: 'token',
      authenticated: true,
      error: 'invalid_scope',
      reason: 'The request asks for the scope "admin". It can be granted: read.',
      rule: 'available_scope',
      expected: 'read',
      came: '"admin"',
      requirement: 'A request asks only for scopes that the client, or the grant of the user, has.',
      section: 'RFC 6749 §3.3',
      sectionUrl: 'https://www.rfc-editor.org/rfc/rfc6749#section-3.3',
      command: `watchword client update ${app.clientId} --scope SCOPE`,
    });
    assert.deepEqual((await explain(root, id)).json, json);
    assert.deepEqual(
      [(await explain(stranger, id)).status, (await explain(root, 'unknown')).status],
      [404, 404],
    );
    const readOnly = await server.person('owner', {}, 'write');
    assert.equal((await explain(readOnly, id)).json.error, 'insufficient_scope');
  });

  it('belongs to the id that list and summary have', async () => {
    const id = idOf(await token({ grant_type: 'client_credentials' }, 'wrong'));
    const [listed] = (await owner.get(`${path}?clientId=${app.clientId}&limit=1`)).json;
    assert.deepEqual([listed.requestId, listed.rule], [id, 'client_secret']);
    const { requestErrors } = (await owner.get(`${path}/summary?clientId=${app.clientId}`)).json;
    const group = requestErrors.find(({ error }: { error: string }) => error === 'invalid_client');
    assert.equal(group.lastRequestId, id);
  });

  it('is given to administrators alone for a request that names no client', async () => {
    const basic = (id: string, secret: string) => `${id}:${secret}`;
    const form = { grant_type: 'client_credentials' };
    const refused: [string, string, Answer][] = [
      ['registered_caller', '/oauth2/token', await server.post('/oauth2/token', form, basic('nobody', 'x'))],
      ['registered_client', '/authorize', await server.get('/authorize?response_type=code&client_id=nobody')],
      [
        'resource_server_secret',
        '/v1/tokeninfo',
        await server.post('/v1/tokeninfo', { access_token: 'x' }, basic(api.key, 'wrong')),
      ],
      [
        'known_token',
        '/v1/tokeninfo',
        await server.post('/v1/tokeninfo', { access_token: 'x' }, basic(api.key, api.secret)),
      ],
      ['page_cookie', '/login', await server.post('/login', { username: 'emma' })],
      ['valid_bearer_token', '/admin/resourceServer', await server.as('x').get('/admin/resourceServer')],
      [
        'valid_record',
        '/admin/resourceServer',
        await owner.call('POST', '/admin/resourceServer', { ...anApi, name: '' }),
      ],
    ];
    for (const [rule, endpoint, answer] of refused) {
      const { json } = await explain(root, idOf(answer));
      assert.deepEqual([json.rule, json.endpoint, json.client], [rule, endpoint, null]);
      assert.equal((await explain(owner, idOf(answer))).status, 404);
    }
    const violations = (await explain(root, idOf(refused.at(-1)?.[2] as Answer))).json.came;
    assert.match(violations, /^name: /);
  });

  it('does not show the record owner of a client the key of the resource server of another owner', async () => {
    const { json } = await token({ grant_type: 'client_credentials' });
    const [mine, theirs] = [
      await owner.create('/admin/resourceServer', { ...anApi, name: 'Mine' }),
      await stranger.create('/admin/resourceServer', anApi),
    ];
    const seen = [];
    for (const { key, secret } of [mine, theirs]) {
      const form = { access_token: json.access_token };
      const id = idOf(await server.post('/v1/tokeninfo', form, `${key}:${secret}`));
      seen.push((await explain(owner, id)).json.came);
    }
    assert.deepEqual(seen, [`the resource server ${mine.key}`, 'a resource server of another owner']);
  });

  it('is forgotten after a day', async () => {
    using clock = stoppedClock();
    const ids = [
      idOf(await token({ grant_type: 'x' })),
      idOf(await server.get('/authorize?client_id=nobody')),
    ];
    const statuses = async (caller: Administering) =>
      Promise.all(ids.map(async (id) => (await explain(caller, id)).status));
    assert.deepEqual(await statuses(root), [200, 200]);
    clock.advance(86_401);
    assert.deepEqual(await statuses(await server.administrator('later')), [404, 404]);
  });

  it('has fingerprints in place of secrets, tokens and codes, and nothing of a password', async () => {
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    const { parameters } = await followFlow(new UserAgent(), url, { username: 'emma', password: '{}' });
    const code = parameters.get('code') ?? '';
    const redeem = () =>
      server.post(
        '/oauth2/token',
        { grant_type: 'authorization_code', code },
        'demo-app:demo-app-client-secret',
      );
    await redeem();
    const { text } = await explain(root, idOf(await redeem()));
    const digest = createHash('sha256').update(code).digest('hex');
    assert.ok(text.includes(`sha256:${digest.slice(0, 12)}`));
    assert.ok(!text.includes(digest.slice(0, 13)) && !text.includes(code));
    const guessed = await token({ grant_type: 'client_credentials' }, 'hunter2');
    assert.doesNotMatch((await explain(root, idOf(guessed))).text, /hunter2|sha256:/);
  });
});

describe('the error page', () => {
  it('shows the id of the request to everybody, and rule, reason and command to a signed-in administrator alone', async () => {
    await using server = await startAdministration();
    const refused =
      '/authorize?response_type=code&client_id=demo-app&redirect_uri=https%3A%2F%2Fevil.example%2F%3Cb%3E';
    const pageFor = async (persona: string | undefined) => {
      const browser = new UserAgent();
      if (persona !== undefined) {
        const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
        await followFlow(browser, url, { username: 'emma', password: persona });
      }
      const page = await browser.get(`${server.baseUrl}${refused}`);
      assert.equal(page.status, 400);
      return page;
    };
    const administrator = JSON.stringify({ adminPrincipal: true });
    const [admin, user, nobody] = [
      await pageFor(administrator),
      await pageFor('{}'),
      await pageFor(undefined),
    ];
    for (const page of [admin, user, nobody]) {
      assert.ok(page.html.includes(`<code>${page.headers.get('x-request-id')}</code>`));
    }
    assert.match(admin.html, /Why, for administrators/);
    assert.match(admin.html, /href="https:\/\/www\.rfc-editor\.org\/rfc\/rfc6749#section-3\.1\.2\.3"/);
    assert.match(admin.html, /watchword client update demo-app --redirect-uri REDIRECT_URI/);
    assert.match(admin.html, /&quot;https:\/\/evil\.example\/&lt;b&gt;&quot;/);
    assert.doesNotMatch(admin.html, /<b>|sha256/);
    for (const page of [user, nobody]) assert.doesNotMatch(page.html, /administrators|watchword client|evil/);
  });

  it('explains nothing after an hour, when the user can be an administrator no more', async () => {
    await using server = await startAdministration();
    using clock = stoppedClock();
    const browser = new UserAgent();
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    await followFlow(browser, url, { username: 'emma', password: JSON.stringify({ adminPrincipal: true }) });
    const refused = () => browser.get(`${url}&redirect_uri=https%3A%2F%2Fevil.example`);
    clock.advance(3599);
    assert.match((await refused()).html, /Why, for administrators/);
    clock.advance(1);
    assert.doesNotMatch((await refused()).html, /administrators|watchword client|app\.example/);
    assert.match((await browser.get(`${server.baseUrl}/account`)).html, /emma/);
  });

  it('explains no error of the server itself, which the log has', async () => {
    await using server = await startAdministration();
    const browser = new UserAgent();
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app`;
    const administrator = JSON.stringify({ adminPrincipal: true });
    await followFlow(browser, url, { username: 'emma', password: administrator });
    const login = await browser.get(`${url}&prompt=login`);
    const page = await browser.submit(login, { username: 'emma', password: 'no JSON' });
    assert.equal(page.status, 500);
    assert.doesNotMatch(page.html, /administrators/);
  });
});

describe('watchword explain', () => {
  it('explains stored errors from a database and all errors from a server, in words and as JSON', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    let stored = '';
    let anonymous = '';
    {
      await using server = await startAdministration({ database });
      const form = { grant_type: 'client_credentials', scope: 'evil' };
      anonymous = idOf(await server.post('/oauth2/token', form, 'demo-service:wrong'));
      const env = { WATCHWORD_ADMIN_TOKEN: (await server.administrator()).token };
      const remote = await watchword(['explain', anonymous, '--url', server.baseUrl, '--json'], { env });
      assert.deepEqual([remote.code, remote.stderr], [0, '']);
      assert.equal(JSON.parse(remote.stdout).rule, 'client_secret');
      const unknown = await watchword(['explain', 'x', '--url', server.baseUrl], { env });
      assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
      assert.match(unknown.stderr, /There is no error with this request id/);
      // The end of the server stores it, however busy the process was.
      stored = idOf(await server.post('/oauth2/token', form, demoClient));
    }
    const { code, stdout, stderr } = await watchword(['explain', stored, '--database', database]);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      new RegExp(
        [
          `^request   ${stored}, \\d{4}-\\S+Z, token`,
          'client    demo-service, authenticated',
          'error     invalid_scope',
          'reason    The request asks for the scope "evil"\\. It can be granted: read\\.',
          'rule      available_scope',
          '          A request asks only for scopes .*',
          'source    RFC 6749 §3\\.3  https://www\\.rfc-editor\\.org/rfc/rfc6749#section-3\\.3',
          'expected  read',
          'came      "evil"',
          'advice    Give the client the scope.*',
          'command   watchword client update demo-service --scope SCOPE\n$',
        ].join('\n'),
      ),
    );
    const lost = await watchword(['explain', anonymous, '--database', database]);
    assert.deepEqual([lost.code, lost.stdout], [1, '']);
    assert.match(lost.stderr, /The database has no error.*--url <baseUrl>/);
  });
});
