import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  createTokenVerifier,
  type TokenVerifier,
  type TokenVerifierOptions,
} from '@watchword/resource-server';
import { registerClient, registerResourceServer } from '@watchword/server-testkit/clients/clients';
import { type DocumentSite, startDocumentSite } from '@watchword/server-testkit/clients/document-site';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { followFlow, type ResourceOwnerAnswers } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeJwt } from 'jose';
import '../mcp-server/without-sources.js';

const { auth } = await import('@modelcontextprotocol/sdk/client/auth.js');
const { createApp } = await import('../mcp-server/src/app.ts');
const { connect } = await import('../mcp-server/src/client.ts');
const { Login } = await import('../mcp-server/src/login.ts');

const scopes = ['notes:read', 'notes:write'];

/** A protected program that listens, and the resource server that it is registered as. */
interface McpServer extends AsyncDisposable {
  readonly url: URL;
  readonly key: string;
}

/** What answers requests, with a verifier of these options. */
type Program = (options: TokenVerifierOptions) => Promise<{ app: RequestListener; verifier: TokenVerifier }>;

const example: Program = async (options) => {
  const verifier = createTokenVerifier(options);
  return { app: createApp(verifier), verifier };
};

/** The program of the guide, but for its last line, which listens. */
const programOfGuide: Program = async (options) => {
  const guide = readFileSync(new URL('../../docs/guides/protect-an-mcp-server.md', import.meta.url), 'utf8');
  const [, program = ''] = /^```js\n\/\/ server\.mjs\n(.*?)^```/ms.exec(guide) ?? [];
  const source = program
    .replace(/^app\.listen\(.*$/m, '')
    .replace(/^const (app|verifier) =/gm, 'export const $1 =')
    .replace('createTokenVerifier()', `createTokenVerifier(${JSON.stringify(options)})`)
    .replace(/ from '([^']+)'/g, (_, name) => ` from ${JSON.stringify(import.meta.resolve(name))}`);
  return import(`data:text/javascript,${encodeURIComponent(source)}`);
};

async function startMcpServer(
  server: TestServer,
  name: string,
  program = example,
  accessTokenFormat: 'opaque' | 'jwt' = 'opaque',
): Promise<McpServer> {
  const http = createServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const resource = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const { resourceServer, secret } = await registerResourceServer(server, name, {
    scopes,
    resources: [resource],
    openToClients: 'everyone',
    openScopes: scopes,
    accessTokenFormat,
  });
  const { key } = resourceServer;
  const connection = { url: server.service.baseUrl, key, secret, resource };
  const { app, verifier } = await program({ ...connection, cache: { ttl: 0, negativeTtl: 0 } });
  http.on('request', app);
  return {
    url: new URL(resource),
    key,
    async [Symbol.asyncDispose]() {
      verifier.close();
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
}

/** A client without a secret, as tools of a user are. */
async function registerTool(server: TestServer, { key }: McpServer, clientName: string): Promise<string> {
  const { client } = await registerClient(
    server,
    {
      clientName,
      scopes,
      redirectUris: ['http://127.0.0.1/callback'],
      confidential: false,
      useRefreshTokens: true,
      expireDuration: 3600,
      allowedClientCredentials: false,
    },
    key,
  );
  return client.clientId;
}

/** A person at the client of the example, which registers itself if it has no other way: what it shows them, they open and answer. */
async function person(client: string | undefined, answers: ResourceOwnerAnswers = {}) {
  const agent = new UserAgent();
  const asked: URLSearchParams[] = [];
  const answered: URLSearchParams[] = [];
  const login = await Login.start({
    ...(client?.startsWith('https:') ? { clientMetadataUrl: client } : client && { clientId: client }),
    port: 0,
    show: async (url) => {
      asked.push(url.searchParams);
      const { location, parameters } = await followFlow(agent, url.href, answers);
      answered.push(parameters);
      await fetch(location);
    },
  });
  return { login, asked, answered, [Symbol.asyncDispose]: () => login[Symbol.asyncDispose]() };
}

/** The answer to a message without the SDK. */
function call(url: URL, message: unknown, token?: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(message),
  });
}

const calling = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {} },
});
const challengeOf = (answer: Response) => answer.headers.get('www-authenticate') ?? '';

describe('the example of an MCP server, with the client of the official SDK', () => {
  let server: TestServer;
  let notes: McpServer;
  let others: McpServer;
  let clientId: string;
  let site: DocumentSite;
  before(async () => {
    site = await startDocumentSite();
    // The strictest profile: what logs in under it does so under every other one.
    server = await startServer({ ...site.settings, profile: 'mcp', 'clients.registration': 'open' });
    [notes, others] = await Promise.all([
      startMcpServer(server, 'Notes'),
      startMcpServer(server, 'Others', example, 'jwt'),
    ]);
    clientId = await registerTool(server, notes, 'Notes client');
  });
  after(async () => {
    for (const each of [notes, others, server, site]) await each[Symbol.asyncDispose]();
  });

  it('logs in by what both servers say of themselves, with PKCE and resource, and checks iss', async () => {
    await using emma = await person(clientId);
    await using client = await connect(notes.url, emma.login);
    const { resource, scope, code_challenge_method, ...others } = Object.fromEntries(emma.asked[0] ?? []);
    assert.deepEqual(
      { resource, scope, code_challenge_method },
      { resource: notes.url.href, scope: 'notes:read', code_challenge_method: 'S256' },
    );
    assert.ok(others.code_challenge);
    assert.equal(emma.answered[0]?.get('iss'), server.service.baseUrl);
    assert.deepEqual(await client.tools(), ['list_notes', 'add_note', 'remove_notes']);
    assert.equal(emma.asked.length, 1);
  });

  // The profile of the other tests is stricter.
  slowTest('logs in under the profile oauth-2.1 too', async () => {
    await using oauth = await startServer({ profile: 'oauth-2.1' });
    await using api = await startMcpServer(oauth, 'Notes');
    await using emma = await person(await registerTool(oauth, api, 'Notes client'));
    await using client = await connect(api.url, emma.login);
    assert.equal(await client.call('list_notes'), 'There are no notes.');
  });

  it('asks for more only for a tool that writes, and keeps what it had', async () => {
    await using olga = await person(clientId, { username: 'olga', password: 'olga' });
    await using client = await connect(notes.url, olga.login);
    assert.equal(await client.call('list_notes'), 'There are no notes.');
    assert.equal(await client.call('add_note', { text: 'Buy milk' }), 'The note was added.');
    assert.deepEqual(
      olga.asked.map((asked) => asked.get('scope')),
      ['notes:read', 'notes:read notes:write'],
    );
    assert.equal(await client.call('list_notes'), 'Buy milk');
    assert.equal(await client.call('remove_notes'), '1 notes were removed.');
    assert.equal(olga.asked.length, 2);
  });

  it('refreshes a token that has ended, and asks nobody', async () => {
    await using liam = await person(clientId, { username: 'liam', password: 'liam' });
    await using client = await connect(notes.url, liam.login);
    const ended = liam.login.tokens()?.access_token ?? '';
    const { status } = await server.post('/oauth2/revoke', { token: ended, client_id: clientId });
    assert.equal(status, 200);
    assert.equal((await call(notes.url, calling('list_notes'), ended)).status, 401);
    assert.equal(await client.call('list_notes'), 'There are no notes.');
    assert.notEqual(liam.login.tokens()?.access_token, ended);
    assert.equal(liam.asked.length, 1);
  });

  it('gives one person nothing of another one', async () => {
    await using nora = await person(clientId, { username: 'nora', password: 'nora' });
    await using ruth = await person(clientId, { username: 'ruth', password: 'ruth' });
    await using ofNora = await connect(notes.url, nora.login);
    await using ofRuth = await connect(notes.url, ruth.login);
    await ofNora.call('add_note', { text: 'Of Nora' });
    assert.equal(await ofRuth.call('list_notes'), 'There are no notes.');
  });

  it('tells the client of a person who refuses so', async () => {
    await using vera = await person(clientId, { username: 'vera', password: 'vera', decision: 'deny' });
    await assert.rejects(connect(notes.url, vera.login), /the login failed: access_denied/);
    assert.equal(vera.answered[0]?.get('iss'), server.service.baseUrl);
  });

  // The next three are rules of the server: client-documents.test.ts, client-registration.test.ts and
  // resource-indicators.test.ts have them with clients of the tests.
  slowTest('logs in a client that nobody has registered, by the document that describes it', async () => {
    const document = site.serve('/tool.json', {
      client_name: 'Tool',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    });
    await using mona = await person(document, { username: 'mona', password: 'mona' });
    await using client = await connect(notes.url, mona.login);
    assert.equal(mona.asked[0]?.get('client_id'), document);
    assert.equal(mona.login.tokens()?.scope, 'notes:read');
    assert.equal(await client.call('add_note', { text: 'Buy milk' }), 'The note was added.');
    assert.equal(mona.login.tokens()?.scope, 'notes:read notes:write');
    const token = mona.login.tokens()?.access_token;
    assert.equal((await call(others.url, calling('list_notes'), token)).status, 401);
  });

  slowTest('logs in a client that registers itself (RFC 7591)', async () => {
    await using nina = await person(undefined, { username: 'nina', password: 'nina' });
    await using client = await connect(notes.url, nina.login);
    assert.match(nina.asked[0]?.get('client_id') ?? '', /^registered\./);
    assert.equal(await client.call('add_note', { text: 'Buy milk' }), 'The note was added.');
    assert.equal(await client.call('list_notes'), 'Buy milk');
    assert.equal(nina.login.tokens()?.scope, 'notes:read notes:write');
  });

  slowTest(
    'gives offline access to a client that asks for it, in the form of tokens that the server has',
    async () => {
      const clientId = await registerTool(server, others, 'Offline');
      await using lena = await person(clientId, { username: 'lena', password: 'lena' });
      const serverUrl = others.url;
      assert.equal(await auth(lena.login, { serverUrl, scope: 'notes:read offline_access' }), 'REDIRECT');
      const authorizationCode = await lena.login.code();
      assert.equal(await auth(lena.login, { serverUrl, authorizationCode }), 'AUTHORIZED');
      const { scope, access_token = '', refresh_token } = lena.login.tokens() ?? {};
      assert.equal(scope, 'notes:read offline_access');
      assert.ok(refresh_token);
      const { aud } = decodeJwt(access_token);
      assert.equal([aud].flat().at(0), others.url.href);
      assert.equal((await call(others.url, calling('list_notes'), access_token)).status, 200);
      assert.equal((await call(notes.url, calling('list_notes'), access_token)).status, 401);
      assert.equal(await auth(lena.login, { serverUrl }), 'AUTHORIZED');
      assert.notEqual(lena.login.tokens()?.access_token, access_token);
      assert.equal(lena.asked.length, 1);
    },
  );

  it('gives no token for a server that Watchword does not know, and says so with iss', async () => {
    await using emma = await person(clientId);
    Object.assign(emma.login, { validateResourceURL: async () => new URL('https://unknown.example/mcp') });
    await assert.rejects(connect(notes.url, emma.login), /the login failed: invalid_target/);
    assert.equal(emma.answered[0]?.get('iss'), server.service.baseUrl);
  });

  it('runs as the guide shows it', async () => {
    await using guided = await startMcpServer(server, 'Guided', programOfGuide);
    const clientId = await registerTool(server, guided, 'Tool of the guide');
    await using iris = await person(clientId, { username: 'iris', password: 'iris' });
    await using client = await connect(guided.url, iris.login);
    assert.equal(await client.call('list_notes'), 'No notes');
    assert.equal(await client.call('add_note', { text: 'Buy milk' }), 'Added');
    assert.equal(await client.call('list_notes'), 'Buy milk\n');
    assert.deepEqual(
      iris.asked.map((asked) => asked.get('scope')),
      ['notes:read', 'notes:read notes:write'],
    );
  });

  it('accepts no token of another server, and says which one it is', async () => {
    await using emma = await person(clientId);
    await using client = await connect(notes.url, emma.login);
    const token = emma.login.tokens()?.access_token;
    assert.equal((await call(notes.url, calling('list_notes'), token)).status, 200);
    const refused = await call(others.url, calling('list_notes'), token);
    assert.equal(refused.status, 401);
    const document = `${others.url.origin}/.well-known/oauth-protected-resource/mcp`;
    assert.ok(
      challengeOf(refused).endsWith(
        `error_description="The access token is not valid.", resource_metadata="${document}"`,
      ),
    );
    const { resource, authorization_servers } = await (await fetch(document)).json();
    assert.deepEqual([resource, authorization_servers], [others.url.href, [server.service.baseUrl]]);
    await client.tools();
  });

  it('needs the scope of a tool wherever its call stands', async () => {
    await using emma = await person(clientId);
    await using _ = await connect(notes.url, emma.login);
    const token = emma.login.tokens()?.access_token;
    for (const message of [calling('remove_notes'), [calling('list_notes'), calling('remove_notes')]]) {
      const refused = await call(notes.url, message, token);
      assert.equal(refused.status, 403);
      assert.match(challengeOf(refused), /scope="notes:read notes:write", error="insufficient_scope"/);
    }
    assert.equal((await call(notes.url, calling('list_notes'))).status, 401);
    assert.equal((await fetch(notes.url, { headers: { authorization: `Bearer ${token}` } })).status, 405);
  });
});
