import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type ServerProcess, startWatchword, watchword } from '../../contestants/server-process.ts';
import { largeClient, largeServer, ownerOfFew, ownerOfMany } from '../../data/administration-database.ts';
import { identityProvider } from '../../data/administration-history.ts';
import { benchPages } from './pages.ts';

interface Largest {
  readonly resourceServerId: number;
  readonly clientId: number;
}

/** Every page of the GUI but that of accounts, for an administrator and the largest records. */
export async function benchGui(baseUrl: string, { resourceServerId, clientId }: Largest): Promise<void> {
  const ofServer = `/resource-servers/${resourceServerId}`;
  const ofClient = `${ofServer}/clients/${clientId}`;
  const person = (name: string) => `/people/${encodeURIComponent(identityProvider)}/${name}`;
  await benchPages(baseUrl, { name: 'administrator', password: JSON.stringify({ adminPrincipal: true }) }, [
    { name: 'overview', at: '/' },
    { name: 'resource servers', at: '/resource-servers', find: 'Service 99' },
    { name: `${largeServer}: clients`, at: ofServer, find: 'Client 9999' },
    { name: `${largeServer}: settings`, at: `${ofServer}?tab=settings` },
    { name: `${largeServer}: removal`, at: `${ofServer}?tab=danger` },
    { name: 'a new client', at: `${ofServer}/clients/new` },
    { name: 'clients', at: '/clients', find: 'Client 99999', choose: ['Resource server', 'Service 99'] },
    { name: `${largeClient}: start`, at: ofClient },
    { name: `${largeClient}: settings`, at: `${ofClient}?tab=settings` },
    { name: `${largeClient}: access`, at: `${ofClient}?tab=access`, find: 'person-77' },
    { name: `${largeClient}: tokens`, at: `${ofClient}?tab=tokens`, find: 'person-' },
    { name: 'access', at: '/access', find: 'person-77', choose: ['Resource server', 'Service 99'] },
    { name: 'tokens', at: '/tokens', find: 'client-7' },
    { name: `the person ${ownerOfMany}`, at: person(ownerOfMany) },
    { name: `the person ${ownerOfFew}`, at: person(ownerOfFew) },
    { name: 'identity providers', at: '/identity-providers' },
    { name: 'audit log', at: '/audit' },
  ]);
}

const accountHolder = { name: 'administrator', password: 'correct horse battery' };

/**
 * The page of accounts, which is there only where users log in with local accounts.
 *
 * @returns the server that it has started over the database
 */
export async function benchAccounts(directory: string, port: number): Promise<ServerProcess> {
  const { name, password } = accountHolder;
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      watchword,
      ...['user', 'create', name, '--admin', '--password-stdin'],
      ...['--database', join(directory, 'bench.db')],
    ],
    { input: password, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const server = await startWatchword(
    directory,
    'bench.db',
    ['--authenticator', 'password', '--factors-required', 'none'],
    port,
  );
  await benchPages(`http://localhost:${port}`, accountHolder, [
    { name: 'accounts', at: '/accounts', find: 'person-9999' },
    { name: 'accounts that are disabled', at: '/accounts?state=disabled' },
  ]);
  return server;
}
