import type { Watchword } from './watchword.ts';

export interface Registered {
  /** The API, a resource server. */
  readonly api: { readonly key: string; readonly secret: string };
  /** The app in the browser: public, without a secret. */
  readonly app: { readonly clientId: string };
  /** The job on a server. */
  readonly job: { readonly clientId: string; readonly secret: string };
}

interface Client {
  readonly clientId: string;
  readonly redirectUris: readonly string[];
  readonly openidScopes: readonly string[];
}

// Made from the names below by Watchword.
const apiKey = 'notes-api';
const appId = 'notes-app';
const jobId = 'notes-statistics-job';

/** What the scopes mean for users: a language before the scope makes a text a translation. */
const descriptions = [
  ...['read=See your notes', 'nl read=Je notities bekijken', 'de read=Ihre Notizen ansehen'],
  ...[
    'write=Add notes for you',
    'nl write=Notities voor je toevoegen',
    'de write=Notizen für Sie hinzufügen',
  ],
  ...['statistics=Count notes', 'nl statistics=Notities tellen', 'de statistics=Notizen zählen'],
];

const contact = ['--contact-name', 'Demo'];

/**
 * Registers API, app and job by the command line, as an operator would. What is there already stays, with the grants
 * and tokens that belong to it; secrets are made again, because Watchword stores only their hashes.
 */
export async function register(watchword: Watchword, redirectUri: string): Promise<Registered> {
  await watchword('migrate');
  const api = await registerApi(watchword);
  const clients = await watchword<Client[]>('client', 'list', '--resource-server', apiKey);
  const [app, job] = await Promise.all([
    registerApp(watchword, clients, redirectUri),
    registerJob(watchword, clients),
  ]);
  return { api, app, job };
}

async function registerApi(watchword: Watchword): Promise<Registered['api']> {
  const known = await watchword<{ key: string }[]>('resource-server', 'list');
  if (known.some(({ key }) => key === apiKey)) {
    // It can have been registered before the API asked for recent logins.
    await watchword('resource-server', 'update', apiKey, '--login-details');
    return watchword('resource-server', 'rotate-secret', apiKey);
  }
  return watchword(
    ...['resource-server', 'create', '--name', 'Notes API', ...contact],
    ...['--description', 'Keeps the notes of people.'],
    ...['--scope', 'read', '--scope', 'write', '--scope', 'statistics', '--login-details'],
    ...descriptions.flatMap((description) => ['--scope-description', description]),
  );
}

async function registerApp(
  watchword: Watchword,
  clients: readonly Client[],
  redirectUri: string,
): Promise<Registered['app']> {
  const known = clients.find(({ clientId }) => clientId === appId);
  if (known?.redirectUris.includes(redirectUri) && known.openidScopes.includes('email')) return known;
  // Its address has changed, or it was registered before it asked for claims.
  if (known !== undefined) await watchword('client', 'delete', appId, '--yes');
  return watchword(
    ...['client', 'create', '--name', 'Notes App', '--resource-server', apiKey, ...contact],
    ...['--description', 'Shows your notes, and adds new ones.'],
    ...['--scope', 'read', '--scope', 'write', '--redirect-uri', redirectUri],
    // With openid, which every such client can ask for, it knows who is signed in.
    ...['--openid-scope', 'profile', '--openid-scope', 'email'],
    // A script in a browser can keep no secret. It gets codes with PKCE, and refresh tokens with them.
    ...['--public', '--use-refresh-tokens', '--expire-duration', '300'],
  );
}

async function registerJob(watchword: Watchword, clients: readonly Client[]): Promise<Registered['job']> {
  if (clients.some(({ clientId }) => clientId === jobId)) return watchword('client', 'rotate-secret', jobId);
  return watchword(
    ...['client', 'create', '--name', 'Notes Statistics Job', '--resource-server', apiKey, ...contact],
    ...['--scope', 'statistics', '--allow-client-credentials', '--expire-duration', '300'],
  );
}
