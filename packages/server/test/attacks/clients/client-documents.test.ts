import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pkce } from '@watchword/server-testkit/clients/application';
import {
  afterPace,
  type DocumentSite,
  startDocumentSite,
  toolDocuments,
} from '@watchword/server-testkit/clients/document-site';
import { askWithMadeUpClients } from '@watchword/server-testkit/clients/made-up-clients';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { UserAgent } from '@watchword/testkit/user-agent';

let site: DocumentSite;
let server: TestServer;

before(async () => {
  site = await startDocumentSite();
  const hosts = `${site.settings['clients.metadataDocuments']},*.invalid,10.0.0.1,127.0.0.1`;
  server = await startServer({
    ...site.settings,
    'clients.metadataDocuments': hosts,
    trustedProxies: '127.0.0.1',
  });
});

after(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const redirectUri = 'https://claude.ai/api/mcp/auth_callback';

function authorizeUrl(clientId: string, more: Readonly<Record<string, string>> = {}) {
  const parameters = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 's', scope: 'openid' },
    ...{ ...pkce, ...more },
  };
  return `${server.baseUrl}/authorize?${new URLSearchParams(parameters)}`;
}

const open = (url: string, agent = new UserAgent()) => afterPace(() => agent.get(url));

describe('a client_id that is a URL', () => {
  for (const [what, clientId] of [
    ['with a fragment', (url: string) => `${url}#x`],
    ['with a user', (url: string) => url.replace('//', '//user@')],
    ['with a dot segment', (url: string) => url.replace('/c.json', '/a/../c.json')],
    ['with an encoded dot segment', (url: string) => url.replace('/c.json', '/%2e%2e/c.json')],
    ['without a path', (url: string) => url.replace('/c.json', '')],
    ['with http', (url: string) => url.replace('https', 'http')],
    ['of 1,001 characters', (url: string) => `${url}?${'x'.repeat(1000)}`],
    ['with odd characters', (url: string) => `${url}?\u202Ex`],
    ['at another port of a host that may be asked', (url: string) => url.replace(/:\d+/, ':1')],
    ['in a private network', () => 'https://10.0.0.1/c.json'],
    ['on this machine by its address', (url: string) => url.replace('localhost', '127.0.0.1')],
    ['at a host that the operator does not name', () => 'https://tool.example/c.json'],
  ] as const) {
    it(`is refused ${what} by a page, without a redirect and without a request`, async () => {
      const url = site.serve('/c.json', toolDocuments.claude);
      const asked = site.asked('/c.json');
      const page = await open(authorizeUrl(clientId(url)));
      assert.equal(page.status, 400, page.text);
      assert.equal(page.location, undefined);
      assert.equal(site.asked('/c.json'), asked);
      assert.doesNotMatch(page.text, /10\.0\.0\.1 is at|allowPrivateAddresses/);
    });
  }

  it('twice is an error without a request', async () => {
    const url = site.serve('/twice.json', toolDocuments.claude);
    const page = await open(`${authorizeUrl(url)}&client_id=${encodeURIComponent(url)}`);
    assert.equal(page.status, 400);
    assert.equal(site.asked('/twice.json'), 0);
  });

  it('cannot take its users to a redirect URI of another document', async () => {
    const url = site.serve('/theirs.json', {
      ...toolDocuments.claude,
      redirect_uris: ['https://tool.example/cb'],
    });
    const page = await open(authorizeUrl(url));
    assert.equal(page.status, 400);
    assert.equal(page.location, undefined);
    assert.match(page.text, /redirect_uri is not one that the client has registered/);
  });

  it('cannot be the name of another client on pages: its host is there, and the claimed name only beside it', async () => {
    for (const client_name of ['Administration', 'claude.ai', 'Claude (claude.ai)', '\u202Eia.edualc', '']) {
      const url = site.serve(`/claims-${Buffer.from(client_name).toString('hex')}.json`, {
        ...toolDocuments.claude,
        client_name,
      });
      const { text, html } = await open(authorizeUrl(url));
      assert.match(text, /No administrator has checked this application/);
      assert.ok(html.includes(`<bdi>${site.host}</bdi>`), html);
      assert.doesNotMatch(text, /\u202E|Claude \(claude\.ai\)/);
    }
  });

  it('is answered by none of the other endpoints before a consent', async () => {
    const url = site.serve('/none.json', toolDocuments.claude);
    for (const grant of [
      {
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: redirectUri,
        code_verifier: 'x'.repeat(43),
      },
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { grant_type: 'client_credentials' },
    ]) {
      const { status, json } = await server.post('/oauth2/token', { ...grant, client_id: url });
      assert.deepEqual([status, json.error], [401, 'invalid_client']);
    }
    assert.equal(site.asked('/none.json'), 0, 'the token endpoint asks for no document');
  });

  it('cannot hold a request for longer than five seconds', async () => {
    const url = site.answer(
      '/slow.json',
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    );
    const page = await open(authorizeUrl(url));
    assert.match(page.text, /does not answer within 5 seconds/);
  });

  // made-up-clients.slow.test.ts asks with 10,000.
  it('that is made up leaves nothing behind', async () => {
    await askWithMadeUpClients(server, site, 20);
  });
});
