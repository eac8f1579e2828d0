import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openClientsKey } from '@watchword/protocol';
import { codeVerifier, pkce } from '@watchword/server-testkit/clients/application';
import { registerResourceServer } from '@watchword/server-testkit/clients/clients';
import {
  afterPace,
  type DocumentSite,
  startDocumentSite,
  toolDocuments,
} from '@watchword/server-testkit/clients/document-site';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { variants } from '@watchword/testkit';
import { ClientKey } from '@watchword/testkit/client-key';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

let site: DocumentSite;
let server: TestServer;
let database: string;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

before(async () => {
  site = await startDocumentSite();
  directory = await temporaryDirectory();
  database = directory.file('x.db');
  server = await startServer({ ...site.settings, database });
});

/** Without documents in memory, as when their time is over. */
async function restart(settings: Parameters<typeof startServer>[0] = site.settings): Promise<void> {
  await server[Symbol.asyncDispose]();
  server = await startServer({ ...settings, database });
}

after(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const scope = 'openid profile offline_access';

function authorizeUrl(clientId: string, redirectUri: string, more: Readonly<Record<string, string>> = {}) {
  const parameters = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 's', scope },
    ...{ ...pkce, ...more },
  };
  return `${server.baseUrl}/authorize?${new URLSearchParams(parameters)}`;
}

const open = (url: string, agent = new UserAgent()) => afterPace(() => agent.get(url));

async function logIn(url: string, answers: Parameters<typeof followFlow>[2] = {}) {
  // The document is read.
  await open(url);
  return followFlow(new UserAgent(), url, answers);
}

const redeem = (clientId: string, code: string, redirectUri: string) =>
  server.post('/oauth2/token', {
    ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    ...{ client_id: clientId, code_verifier: codeVerifier },
  });

const stored = (clientId: string) => server.service.store.clients.find(clientId);

const tool = {
  client_name: 'Tool',
  redirect_uris: ['https://tool.example/cb'],
  grant_types: ['authorization_code'],
};

describe('a client that a document describes', () => {
  for (const [name, document, redirectUri] of variants(2, [
    ['Claude', toolDocuments.claude, 'https://claude.ai/api/mcp/auth_callback'],
    ['Claude Code', toolDocuments.claudeCode, 'http://localhost:54212/callback'],
    ['Visual Studio Code at another port', toolDocuments.visualStudioCode, 'http://127.0.0.1:60123/'],
    ['opencode', toolDocuments.opencode, 'http://127.0.0.1:19876/mcp/oauth/callback'],
    ['Claude Code by address', toolDocuments.claudeCode, 'http://127.0.0.1:54213/callback'],
    ['Visual Studio Code', toolDocuments.visualStudioCode, 'http://127.0.0.1:33418/'],
    ['Visual Studio Code on the web', toolDocuments.visualStudioCode, 'https://vscode.dev/redirect'],
  ] as const)) {
    it(`logs users in as ${name} does, and refreshes its tokens`, async () => {
      const clientId = site.serve(`/oauth/${name.split(' ').slice(0, 2).join('-')}.json`, document);
      const { parameters, location } = await logIn(authorizeUrl(clientId, redirectUri));
      assert.ok(location.startsWith(`${redirectUri}?`), location);
      assert.equal(parameters.get('iss'), server.service.baseUrl);
      const answer = await redeem(clientId, parameters.get('code') ?? '', redirectUri);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.json.scope, scope);
      const refreshed = await server.post('/oauth2/token', {
        ...{ grant_type: 'refresh_token', refresh_token: answer.json.refresh_token, client_id: clientId },
      });
      assert.equal(refreshed.status, 200, refreshed.text);
      const info = await server.get('/oauth2/userinfo', {
        authorization: `Bearer ${refreshed.json.access_token}`,
      });
      assert.equal(info.status, 200, info.text);
    });
  }

  it('gets a record with the first consent of a user, and one alone', async () => {
    const clientId = site.serve('/first.json', { ...tool, client_name: 'First' });
    const url = authorizeUrl(clientId, 'https://tool.example/cb');
    const denied = await logIn(url, { decision: 'deny' });
    assert.equal(denied.parameters.get('error'), 'access_denied');
    assert.equal(await stored(clientId), undefined);
    await Promise.all([logIn(url), logIn(url, { username: 'ada' })]);
    const record = await stored(clientId);
    assert.equal(record?.clientName, `First (${site.host})`);
    assert.deepEqual([record?.trusted, record?.skipConsent, record?.confidential], [false, false, false]);
    const home = await server.service.store.resourceServers.find(openClientsKey);
    assert.equal(record?.resourceServerId, home?.id);
  });

  it('asks for consent each time, and gets no answer without', async () => {
    const clientId = site.serve('/each-time.json', tool);
    const agent = new UserAgent();
    const url = authorizeUrl(clientId, 'https://tool.example/cb');
    await open(url);
    for (let round = 0; round < 2; round += 1) {
      const { pages } = await followFlow(agent, url);
      const isAsked = pages.some(({ forms }) =>
        forms.some(({ controls }) => controls.some(({ name }) => name === 'decision')),
      );
      assert.ok(isAsked, `round ${round}`);
    }
    const silent = await open(authorizeUrl(clientId, 'https://tool.example/cb', { prompt: 'none' }), agent);
    assert.equal(new URL(silent.location ?? '').searchParams.get('error'), 'consent_required');
  });

  it('gets no refresh token and no offline access if its document has no such grant type', async () => {
    const clientId = site.serve('/online.json', tool);
    const { parameters } = await logIn(authorizeUrl(clientId, 'https://tool.example/cb'));
    const answer = await redeem(clientId, parameters.get('code') ?? '', 'https://tool.example/cb');
    assert.equal(answer.json.scope, 'openid profile');
    assert.equal(answer.json.refresh_token, undefined);
  });

  it('gets no e-mail address, phone number, address or groups', async () => {
    const clientId = site.serve('/claims.json', tool);
    const url = authorizeUrl(clientId, 'https://tool.example/cb', {
      scope: 'openid email phone address profile',
    });
    const { parameters } = await logIn(url);
    const answer = await redeem(clientId, parameters.get('code') ?? '', 'https://tool.example/cb');
    assert.equal(answer.json.scope, 'openid profile');
  });

  it('is known by its host: pages show it beside the address of the document and where the browser goes', async () => {
    const name = 'x'.repeat(300);
    const clientId = site.serve('/named.json', { ...tool, client_name: `\u202Eelgoog ${name}` });
    const agent = new UserAgent();
    const login = await open(authorizeUrl(`${clientId}`, 'https://tool.example/cb'), agent);
    const consent = await agent.submit(login, { username: 'emma', password: 'emma' });
    for (const { html, text } of [login, consent]) {
      for (const known of [site.host, clientId, 'tool.example']) {
        assert.ok(html.includes(`<bdi>${known}</bdi>`), `expected ${known} in ${html}`);
      }
      assert.doesNotMatch(text, /\u202E|x{41}/);
      assert.ok(text.includes(`… (${site.host})`), text);
      assert.ok(!text.includes('Any program on your device'), text);
    }
  });

  it('is one for which any program can answer, if the response goes to this machine, and pages warn', async () => {
    const clientId = site.serve('/local.json', toolDocuments.claudeCode);
    const login = await open(authorizeUrl(clientId, 'http://localhost:5000/callback'));
    assert.ok(login.text.includes('Any program on your device can take its place.'), login.text);
  });

  it('can have a query in its URL, which pages show', async () => {
    const path = '/query.json';
    site.answer(path, (request, response) => {
      const document = { ...tool, client_id: `https://${site.host}${request.url}` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    });
    const clientId = `https://${site.host}${path}?tenant=7`;
    const { pages } = await logIn(authorizeUrl(clientId, 'https://tool.example/cb'));
    assert.ok(pages[0]?.text.includes(clientId));
    assert.ok((await stored(clientId)) !== undefined);
  });
});

describe('a client that a document describes, at a resource server', () => {
  const resource = 'https://mcp.example/';
  const redirectUri = 'http://127.0.0.1:19876/mcp/oauth/callback';
  let api: Awaited<ReturnType<typeof registerResourceServer>>;

  before(async () => {
    api = await registerResourceServer(server, 'MCP', {
      ...{ scopes: ['tools', 'admin'], resources: [resource] },
      ...{ openToClients: 'everyone', openScopes: ['tools'] },
    });
  });

  it('gets the scopes that are open to everyone, with its first consent, and the token is for it', async () => {
    const clientId = site.serve('/resource.json', toolDocuments.opencode);
    const url = authorizeUrl(clientId, redirectUri, {
      ...{ resource: 'https://mcp.example', scope: 'openid offline_access tools' },
    });
    const { parameters } = await logIn(url);
    const answer = await redeem(clientId, parameters.get('code') ?? '', redirectUri);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json.scope.split(' ').toSorted(), ['offline_access', 'openid', 'tools']);
    const info = await server.post(
      '/v1/tokeninfo',
      { access_token: answer.json.access_token },
      api.credentials,
    );
    assert.equal(info.status, 200, info.text);
    assert.deepEqual(info.json.aud, [resource]);
  });

  for (const [what, more, error] of [
    ['no scope that is not open', { resource, scope: 'admin' }, 'invalid_scope'],
    ['none of its scopes without its URI', { scope: 'tools' }, 'invalid_target'],
    ['nothing of an unknown one', { resource: 'https://other.example/', scope: 'tools' }, 'invalid_target'],
  ] as const) {
    it(`gets ${what}`, async () => {
      const clientId = site.serve('/refused.json', toolDocuments.opencode);
      const agent = new UserAgent();
      await open(authorizeUrl(clientId, redirectUri, { scope: 'openid' }), agent);
      // An error before the login is shown first.
      const page = await agent.get(authorizeUrl(clientId, redirectUri, more));
      assert.match(page.text, new RegExp(error), page.text);
    });
  }
});

describe('the metadata of the server', () => {
  const member = async () => {
    const { json } = await server.get('/.well-known/oauth-authorization-server');
    assert.ok(json.token_endpoint_auth_methods_supported.includes('none'));
    return json.client_id_metadata_document_supported;
  };

  it('says that clients can bring a document, while they can', async () => {
    assert.equal(await member(), true);
    await restart({ ...site.settings, 'clients.metadataDocuments': 'off' });
    assert.equal(await member(), undefined);
    const clientId = site.serve('/first.json', { ...tool, client_name: 'First' });
    const page = await open(authorizeUrl(clientId, 'https://tool.example/cb'));
    assert.equal(page.status, 400);
    assert.match(page.text, /No client is registered under this client_id/);
    await restart();
  });
});

describe('a document that is another one later', () => {
  it('changes the record with the next consent, and what its users have stays', async () => {
    const clientId = site.serve('/changing.json', {
      ...tool,
      grant_types: ['authorization_code', 'refresh_token'],
    });
    const { parameters } = await logIn(authorizeUrl(clientId, 'https://tool.example/cb'));
    const first = await redeem(clientId, parameters.get('code') ?? '', 'https://tool.example/cb');
    const before = await stored(clientId);
    site.serve('/changing.json', {
      ...tool,
      client_name: 'Renamed',
      redirect_uris: ['https://tool.example/new'],
    });
    await restart();
    const old = await open(authorizeUrl(clientId, 'https://tool.example/cb'));
    assert.equal(old.status, 400);
    assert.match(old.text, /redirect_uri is not one that the client has registered/);
    assert.deepEqual(await stored(clientId), before);
    await logIn(authorizeUrl(clientId, 'https://tool.example/new', { scope: 'openid' }));
    const now = await stored(clientId);
    assert.deepEqual(
      [now?.id, now?.clientName, now?.redirectUris, now?.useRefreshTokens],
      [before?.id, `Renamed (${site.host})`, ['https://tool.example/new'], false],
    );
    const info = await server.get('/oauth2/userinfo', { authorization: `Bearer ${first.json.access_token}` });
    assert.equal(info.status, 200, info.text);
  });

  it('that disappears leaves its users what they have, and new requests get a page that says why', async () => {
    const clientId = site.serve('/leaving.json', toolDocuments.opencode);
    const redirectUri = 'http://127.0.0.1:19876/mcp/oauth/callback';
    const { parameters } = await logIn(authorizeUrl(clientId, redirectUri));
    const { json } = await redeem(clientId, parameters.get('code') ?? '', redirectUri);
    site.serve('/leaving.json', undefined);
    await restart();
    const page = await open(authorizeUrl(clientId, redirectUri));
    assert.equal(page.status, 400);
    assert.match(page.text, /does not say who it is/);
    assert.match(page.text, /its server answers with status 404, not 200/);
    const refreshed = await server.post('/oauth2/token', {
      ...{ grant_type: 'refresh_token', refresh_token: json.refresh_token, client_id: clientId },
    });
    assert.equal(refreshed.status, 200, refreshed.text);
  });

  it('that has another key now takes the one before from its client', async () => {
    const [lost, own] = await Promise.all([
      ClientKey.create('ES256', 'lost'),
      ClientKey.create('ES256', 'own'),
    ]);
    const serve = ({ jwk }: ClientKey) =>
      site.serve('/keys.json', {
        ...toolDocuments.claude,
        ...{ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } },
      });
    const clientId = serve(lost);
    const ask = async (key: ClientKey, form: Record<string, string>, endpoint = 'token') => {
      const assertion = await key.form({ clientId, issuer: server.service.baseUrl });
      return server.post(`/oauth2/${endpoint}`, { ...form, ...assertion });
    };
    const redirect_uri = 'https://claude.ai/api/mcp/auth_callback';
    const { parameters } = await logIn(authorizeUrl(clientId, redirect_uri));
    const code = { code: parameters.get('code') ?? '', redirect_uri, code_verifier: codeVerifier };
    const { json } = await ask(lost, { grant_type: 'authorization_code', ...code });
    serve(own);
    await restart();
    const refresh = { grant_type: 'refresh_token', refresh_token: json.refresh_token };
    const stolen = await ask(lost, refresh);
    assert.deepEqual([stolen.status, stolen.json.error], [401, 'invalid_client']);
    for (const path of ['introspect', 'revoke']) {
      const refused = await ask(lost, { token: json.access_token }, path);
      assert.deepEqual([refused.status, refused.json.error], [401, 'invalid_client'], path);
    }
    // The record has the key of the last consent alone.
    const isActive = async () => (await ask(own, { token: json.access_token }, 'introspect')).json.active;
    assert.equal(await isActive(), true);
    assert.equal((await ask(own, { token: json.access_token }, 'revoke')).status, 200);
    assert.equal(await isActive(), false);
    const refreshed = await ask(own, refresh);
    assert.equal(refreshed.status, 200, refreshed.text);
  });

  it('that asks for signed requests lets no other one pass', async () => {
    const key = await ClientKey.create('ES256', 'one');
    const clientId = site.serve('/signing.json', {
      ...{ ...tool, token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } },
      require_signed_request_object: true,
    });
    const redirect_uri = 'https://tool.example/cb';
    const { location = '' } = await open(authorizeUrl(clientId, redirect_uri, { prompt: 'none' }));
    assert.match(location, /[?&]error=invalid_request&/);
    const claims = { client_id: clientId, response_type: 'code', redirect_uri, scope, ...pkce };
    const request = await key.sign(claims, { typ: 'oauth-authz-req+jwt' });
    const url = `${server.baseUrl}/authorize?${new URLSearchParams({ client_id: clientId, request })}`;
    assert.ok((await logIn(url)).parameters.has('code'));
  });

  it('that disappears during a login ends it with a page that says why, and stores nothing', async () => {
    const clientId = site.serve('/short.json', tool);
    const agent = new UserAgent();
    const login = await open(authorizeUrl(clientId, 'https://tool.example/cb'), agent);
    site.serve('/short.json', undefined);
    const { port } = server;
    await server[Symbol.asyncDispose]();
    server = await startServer({ ...site.settings, database, port: String(port) });
    const answer = await agent.submit(login, { username: 'emma', password: 'emma' });
    assert.equal(answer.status, 400);
    assert.match(answer.text, /does not say who it is/);
    assert.equal(await stored(clientId), undefined);
  });
});
