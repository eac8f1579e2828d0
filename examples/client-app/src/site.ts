import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';

/** What the app in the browser must know. All of it is public: a client in a browser can keep no secret. */
export interface AppConfiguration {
  /** Base URL of the authorization server. */
  readonly issuer: string;
  readonly clientId: string;
  readonly apiUrl: string;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const files = [
  'index.html',
  'app.css',
  'app.js',
  'authorization-server.js',
  'icon.svg',
  'id-token.js',
  'notes-api.js',
  'pkce.js',
  'session.js',
];

// Where people see what they allowed, and end their login: pages of the authorization server.
const pagesOfPeople = ['/account', '/logout'];

/** Serves the app: some files, its configuration, and nothing else. It never sees a token. */
export function createSite(configuration: AppConfiguration): RequestListener {
  const { issuer, apiUrl } = configuration;
  const answers = new Map(
    files.map((name) => [`/${name}`, { type: typeOf(name), body: readFileSync(fileOf(name)) }]),
  );
  const page = answers.get('/index.html');
  if (page !== undefined) for (const path of ['/', '/callback']) answers.set(path, page);
  answers.set('/configuration.json', {
    type: 'application/json',
    body: Buffer.from(JSON.stringify(configuration)),
  });

  const headers = {
    // Only the page's own scripts run, and they can reach only these two servers. This protects the tokens in memory.
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      `connect-src 'self' ${new URL(issuer).origin} ${new URL(apiUrl).origin}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // The redirect URI has a code in it.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };

  return ({ method, url = '/' }, response) => {
    const path = url.split('?', 1)[0] ?? '';
    if (method === 'GET' && pagesOfPeople.includes(path)) {
      response.writeHead(303, { ...headers, location: `${issuer}${path}` }).end();
      return;
    }
    const answer = answers.get(path);
    if (method !== 'GET' || answer === undefined) {
      response.writeHead(404, { ...headers, 'content-type': 'text/plain' }).end('Not found\n');
      return;
    }
    response.writeHead(200, { ...headers, 'content-type': answer.type }).end(answer.body);
  };
}

function fileOf(name: string): URL {
  return new URL(`../public/${name}`, import.meta.url);
}

function typeOf(name: string): string {
  return types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
