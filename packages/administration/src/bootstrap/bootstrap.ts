import {
  administrationBaseUrl,
  administrationClientId,
  administrationKey,
  administrationRedirectUri,
  type Client,
  commandLineClientId,
  generateSecret,
  isBuiltIn,
  type NewClient,
  OAuthError,
  type Registry,
  type ResourceServer,
  redirectUriProblem,
  storedSecret,
  type TransactionStores,
} from '@watchword/protocol';
import { administrationScopeDescriptions, administrationScopes } from '../callers/administration-scopes.ts';
import { type Caller, systemCaller } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { clientDifference, clientRecord, ofClient } from '../clients/client-record.ts';
import {
  auditedResourceServer,
  ofResourceServer,
  resourceServerDifference,
} from '../resource-servers/resource-server-record.ts';
import { resourceServerDefaults } from '../resource-servers/resource-server-rules.ts';
import { commandLineClient, isCommandLineClient, pagesClient } from './built-in-clients.ts';

/** What was missing and is there now. */
export interface BootstrapReport {
  readonly created: readonly string[];
  /** The redirect URI of the administration pages, when it had to be changed. */
  readonly redirectUri: string | undefined;
}

/**
 * Registers the administration interface with the clients of its pages and of the command line. Of the pages' redirect URIs the first is that of the server's own base
 * URL, and follows it; the others an administrator allowed on purpose, and they stay. For the server, at its start:
 * the pages of a running server would lose their address. What is in order already is not touched.
 *
 * @param allowedImplicitGrant whether the pages get their tokens by the implicit grant. Default: as they do
 * @throws OAuthError `conflict` when another record has one of their names
 */
export async function bootstrap(
  baseUrl: string,
  deps: AdministrationDependencies,
  allowedImplicitGrant?: boolean,
): Promise<BootstrapReport> {
  const redirectUri = administrationRedirectUri(baseUrl);
  const isAsked = (client: Client) =>
    leadsTo(client, redirectUri) &&
    (allowedImplicitGrant === undefined || client.allowedImplicitGrant === allowedImplicitGrant);
  const found = await builtInRecords(deps);
  if (
    found.resourceServer !== undefined &&
    isDescribed(found.resourceServer) &&
    found.commandLine !== undefined &&
    found.client !== undefined &&
    isAsked(found.client)
  ) {
    return { created: [], redirectUri: undefined };
  }
  return changeRecords(systemCaller, deps, async (stores) => {
    const { resourceServer: known, client, commandLine } = await builtInRecords(stores);
    const resourceServer = known ?? (await createResourceServer(stores, deps));
    const changes: AuditedChange[] = [];
    if (known === undefined) {
      const after = auditedResourceServer(resourceServer);
      changes.push({ action: 'create', ...ofResourceServer(resourceServer), after });
    } else if (!isDescribed(known)) {
      const change = { scopeDescriptions: administrationScopeDescriptions };
      const after = (await stores.resourceServers.update(known.id, change)) ?? known;
      const difference = resourceServerDifference(known, after);
      changes.push({ action: 'update', ...ofResourceServer(known), ...difference });
    }
    const create = async (registration: NewClient, clientId: string) => {
      const created = await stores.clients.create(registration, [clientId]);
      if (created === undefined) throw new Error('a resource server was deleted while the server started');
      const after = clientRecord(created);
      changes.push({ action: 'create', ...ofClient(created, resourceServer), after });
    };
    if (client === undefined) {
      await create(pagesClient(resourceServer, redirectUri, allowedImplicitGrant), administrationClientId);
    } else if (!isAsked(client)) {
      const others = client.redirectUris.slice(1).filter((uri) => uri !== redirectUri);
      const change = {
        redirectUris: [redirectUri, ...others],
        ...(allowedImplicitGrant !== undefined && { allowedImplicitGrant }),
      };
      const after = await stores.clients.update(client.id, change);
      const difference = clientDifference(client, after ?? client);
      changes.push({ action: 'update', ...ofClient(client, resourceServer), ...difference });
    }
    if (commandLine === undefined) await create(commandLineClient(resourceServer), commandLineClientId);
    const created = changes.filter(({ action }) => action === 'create').map(({ recordName }) => recordName);
    const isMoved = client !== undefined && !leadsTo(client, redirectUri);
    return { value: { created, redirectUri: isMoved ? redirectUri : undefined }, changes };
  });
}

/** The records of the administration interface, as far as they are there. @throws OAuthError `conflict` */
async function builtInRecords({
  resourceServers,
  clients,
}: Pick<TransactionStores, 'resourceServers' | 'clients'>) {
  // The clients first: another node that starts now makes all in one transaction, so a client that is found has its server.
  const client = await clients.find(administrationClientId);
  const commandLine = await clients.find(commandLineClientId);
  const resourceServer = await resourceServers.find(administrationKey);
  if (resourceServer !== undefined && !isBuiltIn(resourceServer)) {
    throw taken('resource server', administrationKey);
  }
  if (client !== undefined && client.resourceServerId !== resourceServer?.id) {
    throw taken('client', administrationClientId);
  }
  if (
    commandLine !== undefined &&
    (commandLine.resourceServerId !== resourceServer?.id || !isCommandLineClient(commandLine))
  ) {
    throw taken('client', commandLineClientId);
  }
  return { resourceServer, client, commandLine };
}

function leadsTo({ redirectUris: [own] }: Client, redirectUri: string): boolean {
  return own === redirectUri;
}

/** Whether its scopes are described as this release does. */
function isDescribed({ scopeDescriptions }: ResourceServer): boolean {
  return JSON.stringify(scopeDescriptions) === JSON.stringify(administrationScopeDescriptions);
}

async function createResourceServer(
  { resourceServers }: TransactionStores,
  { random }: AdministrationDependencies,
): Promise<ResourceServer> {
  const { identity } = systemCaller;
  const created = await resourceServers.create(
    {
      ...resourceServerDefaults,
      name: 'Authorization server administration',
      description: 'Resource servers, clients and access tokens of this authorization server.',
      scopes: Object.values(administrationScopes),
      scopeDescriptions: administrationScopeDescriptions,
      contactName: 'Operator',
      owner: identity.name,
      ownerAuthority: identity.identityProvider,
      secret: storedSecret(generateSecret(random)),
    },
    [administrationKey],
  );
  if (created === undefined) throw taken('resource server', administrationKey);
  return created;
}

function taken(kind: string, name: string): OAuthError {
  return new OAuthError('conflict', {
    description: `A ${kind} is registered as ${name}, a name that the administration interface needs. Delete that ${kind}, and register it again under another name.`,
  });
}

/** Base URLs under which the administration pages can be opened: first the server's own. */
interface PageAddresses {
  /** Empty while the pages are not registered. @throws OAuthError `conflict` */
  list(): Promise<readonly string[]>;
  /**
   * Allows one more base URL, such as a second host name of the server. The existing ones do not change.
   *
   * @throws OAuthError `invalid_request` if its redirect URI is not permitted; `not_found` while the pages are not registered
   */
  add(caller: Caller, baseUrl: string): Promise<readonly string[]>;
  /** @throws OAuthError `conflict` for the server's own; `not_found` for one that is not allowed */
  remove(caller: Caller, baseUrl: string): Promise<readonly string[]>;
}

export function pageAddresses(deps: AdministrationDependencies): PageAddresses {
  const change = (caller: Caller, edit: (redirectUris: readonly string[]) => readonly string[]) =>
    changeRecords(caller, deps, async (stores) => {
      const { resourceServer, client } = await builtInRecords(stores);
      if (resourceServer === undefined || client === undefined) throw notRegistered();
      const redirectUris = edit(client.redirectUris);
      if (redirectUris === client.redirectUris) return { value: addressesOf(client), changes: [] };
      const after = (await stores.clients.update(client.id, { redirectUris })) ?? client;
      const updated = { action: 'update', ...ofClient(client, resourceServer) } as const;
      return { value: addressesOf(after), changes: [{ ...updated, ...clientDifference(client, after) }] };
    });

  return {
    list: async () => addressesOf((await builtInRecords(deps)).client),
    async add(caller, baseUrl) {
      checkPageAddress(baseUrl);
      const redirectUri = administrationRedirectUri(baseUrl);
      return change(caller, (all) => (all.includes(redirectUri) ? all : [...all, redirectUri]));
    },
    remove(caller, baseUrl) {
      const redirectUri = administrationRedirectUri(baseUrl);
      return change(caller, ([own, ...others]) => {
        if (own === redirectUri) throw ownAddress();
        if (!others.includes(redirectUri)) throw notAllowed(baseUrl);
        return [own ?? '', ...others.filter((uri) => uri !== redirectUri)];
      });
    },
  };
}

/** @throws OAuthError `invalid_request` for a base URL with which the redirect URI of the pages is not permitted */
export function checkPageAddress(baseUrl: string): void {
  const problem = redirectUriProblem(administrationRedirectUri(baseUrl));
  if (problem === undefined) return;
  throw new OAuthError('invalid_request', {
    rule: 'valid_record',
    description: `The administration pages at ${baseUrl} cannot get a token: their redirect URI ${problem}.`,
  });
}

/** The base URLs as they are registered now, from memory. */
export function registeredPageAddresses(registry: Registry): readonly string[] {
  return addressesOf(registry.clientByClientId(administrationClientId));
}

function addressesOf(client: Client | undefined): readonly string[] {
  return (client?.redirectUris ?? []).map(administrationBaseUrl);
}

function notRegistered(): OAuthError {
  return new OAuthError('not_found', {
    description:
      'The administration pages are not registered. The command watchword bootstrap registers them, and so does the server at its start.',
  });
}

function ownAddress(): OAuthError {
  return new OAuthError('conflict', {
    description:
      "This is the server's own base URL, under which its pages are opened. It follows the setting baseUrl.",
  });
}

function notAllowed(baseUrl: string): OAuthError {
  return new OAuthError('not_found', {
    description: `The administration pages are not at ${baseUrl}; the command watchword bootstrap shows where they are.`,
  });
}
