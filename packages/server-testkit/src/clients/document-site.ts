import type { RequestListener } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { testKey } from '@watchword/testkit/certificate';
import { followFlow } from '@watchword/testkit/follow-flow';
import { startSite } from '@watchword/testkit/site';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { trustCertificates } from '../neighbours/trusted-certificates.ts';
import type { Served } from '../servers/server.ts';
import { codeVerifier, pkce } from './application.ts';

/** An https site at which clients describe themselves. This process trusts its certificate while it is there. */
export interface DocumentSite extends AsyncDisposable {
  /** With its port. */
  readonly host: string;
  /** Settings of a server that takes the clients of this site. */
  readonly settings: {
    readonly 'clients.metadataDocuments': string;
    readonly 'outbound.privateHosts': string;
  };
  /** PEM. */
  readonly certificate: string;
  /** Forgets what was asked, which is the memory of a test. */
  forget(): void;
  /** How often a path was asked for. */
  asked(path: string): number;
  /**
   * Serves the document at the path from now on, with its own URL as `client_id`; `undefined`: none.
   *
   * @returns the URL
   */
  serve(path: string, document: object | undefined, headers?: Readonly<Record<string, string>>): string;
  /** Answers at the path from now on in any way. @returns the URL */
  answer(path: string, listener: RequestListener): string;
}

export async function startDocumentSite(): Promise<DocumentSite> {
  const key = testKey('localhost');
  const answers = new Map<string, RequestListener>();
  const pathOf = (url = '') => url.split('?', 1)[0] ?? '';
  const site = await startSite((request, response) => {
    const answer = answers.get(pathOf(request.url));
    if (answer === undefined) response.writeHead(404).end('There is no document here.');
    else answer(request, response);
  }, key);
  const trusted = trustCertificates(key.certificate);
  const host = `localhost:${new URL(site.url).port}`;
  const answer: DocumentSite['answer'] = (path, listener) => {
    answers.set(pathOf(path), listener);
    return `https://${host}${path}`;
  };
  return {
    host,
    certificate: key.certificate,
    settings: { 'clients.metadataDocuments': 'localhost', 'outbound.privateHosts': host },
    forget: () => void site.requests.splice(0),
    asked: (path) => site.requests.filter(({ url }) => pathOf(url) === path).length,
    answer,
    serve(path, document, headers = {}) {
      const client_id = `https://${host}${path}`;
      if (document === undefined) answers.delete(path);
      const body = JSON.stringify({ client_id, ...document });
      if (document !== undefined)
        answer(path, (_request, response) => {
          response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
        });
      return client_id;
    },
    async [Symbol.asyncDispose]() {
      trusted[Symbol.dispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

const maxRounds = 10;

/** Opens a page again, after the time that it names, while too many documents are asked for. */
export async function afterPace(open: () => Promise<Page>): Promise<Page> {
  for (let round = 0; round < maxRounds; round += 1) {
    const page = await open();
    if (page.status !== 429) return page;
    await setTimeout(Number(page.headers.get('retry-after')) * 1000);
  }
  throw new Error('the documents of clients are asked for at a pace that never allows this one');
}

/** The redirect URI of opencode. */
const redirectUri = 'http://127.0.0.1:19876/mcp/oauth/callback';

/** The authorization request of a client with the document of opencode. */
export function describedRequest(server: Served, clientId: string): string {
  const parameters = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 's' },
    ...{ scope: 'openid offline_access', ...pkce },
  };
  return `${server.baseUrl}/authorize?${new URLSearchParams(parameters)}`;
}

/** Logs a user in to such a client; any-person lets everyone in. @returns the answer of the token endpoint */
export async function logInDescribed(server: Served, clientId: string, username = 'emma', password = '{}') {
  const request = describedRequest(server, clientId);
  await afterPace(() => new UserAgent().get(request));
  const { parameters } = await followFlow(new UserAgent(), request, { username, password });
  const { json } = await server.post('/oauth2/token', {
    ...{ grant_type: 'authorization_code', code: parameters.get('code') ?? '', redirect_uri: redirectUri },
    ...{ client_id: clientId, code_verifier: codeVerifier },
  });
  return json;
}

/** Documents with the members of those that tools publish, and their redirect URIs. */
export const toolDocuments = {
  claude: {
    client_name: 'Claude',
    client_uri: 'https://claude.ai',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  claudeCode: {
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  visualStudioCode: {
    client_name: 'Visual Studio Code',
    client_uri: 'https://vscode.dev/product',
    logo_uri: 'https://vscode.dev/icon.png',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code'],
    redirect_uris: [
      'http://127.0.0.1:33418/',
      'https://vscode.dev/redirect',
      'vscode://dynamicauthprovider/x',
    ],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  },
  opencode: {
    client_name: 'OpenCode',
    client_uri: 'https://opencode.ai',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
} as const;
