import {
  administrationClientId,
  administrationKey,
  administrationRedirectUri,
  type Client,
  clientDefaults,
  generateSecret,
  isBuiltIn,
  type NewClient,
  OAuthError,
  type ResourceServer,
  storedSecret,
  type TransactionStores,
} from '@watchword/protocol';
import { administrationScopeDescriptions, administrationScopes } from '../callers/administration-scopes.ts';
import { systemCaller } from '../callers/caller.ts';
import {
  type AuditedChange,
  clientDifference,
  ofClient,
  ofResourceServer,
  resourceServerDifference,
} from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { auditedResourceServer, clientRecord } from '../records.ts';
import { resourceServerDefaults } from '../resource-servers/resource-server-rules.ts';

/** What was missing and is there now. */
export interface BootstrapReport {
  readonly created: readonly string[];
  /** The redirect URI of the administration pages, when it had to be changed. */
  readonly redirectUri: string | undefined;
}

// An administrator's login is valid here for an hour, and so is the token: access ends two hours after the last login.
const tokenLifetime = 3600;

/**
 * Registers the administration interface and its pages. Of their redirect URIs the first is that of the server's own base
 * URL, and follows it; the others an administrator allowed on purpose, and they stay. For the server, at its start:
 * the pages of a running server would lose their address. What is in order already is not touched.
 *
 * @throws OAuthError `conflict` when another record has one of their names
 */
export async function bootstrap(baseUrl: string, deps: AdministrationDependencies): Promise<BootstrapReport> {
  const redirectUri = administrationRedirectUri(baseUrl);
  const found = await builtInRecords(deps);
  if (
    found.resourceServer !== undefined &&
    isDescribed(found.resourceServer) &&
    found.client !== undefined &&
    leadsTo(found.client, redirectUri)
  ) {
    return { created: [], redirectUri: undefined };
  }
  return changeRecords(systemCaller, deps, async (stores) => {
    const { resourceServer: known, client } = await builtInRecords(stores);
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
    if (client === undefined) {
      const created = await createClient(resourceServer, redirectUri, stores);
      changes.push({
        action: 'create',
        ...ofClient(created, resourceServer),
        after: clientRecord(created),
      });
    } else if (!leadsTo(client, redirectUri)) {
      const others = client.redirectUris.slice(1).filter((uri) => uri !== redirectUri);
      const after = await stores.clients.update(client.id, { redirectUris: [redirectUri, ...others] });
      const difference = clientDifference(client, after ?? client);
      changes.push({ action: 'update', ...ofClient(client, resourceServer), ...difference });
    }
    const created = changes.filter(({ action }) => action === 'create').map(({ recordName }) => recordName);
    const isMoved = changes.some(({ action, recordType }) => action === 'update' && recordType === 'client');
    return { value: { created, redirectUri: isMoved ? redirectUri : undefined }, changes };
  });
}

/** The records of the administration interface, as far as they are there. @throws OAuthError `conflict` */
export async function builtInRecords({
  resourceServers,
  clients,
}: Pick<TransactionStores, 'resourceServers' | 'clients'>) {
  // The client first: another node that starts now makes both in one transaction, so a client that is found has its server.
  const client = await clients.find(administrationClientId);
  const resourceServer = await resourceServers.find(administrationKey);
  if (resourceServer !== undefined && !isBuiltIn(resourceServer)) {
    throw taken('resource server', administrationKey);
  }
  if (client !== undefined && client.resourceServerId !== resourceServer?.id) {
    throw taken('client', administrationClientId);
  }
  return { resourceServer, client };
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

async function createClient(
  { id, scopes }: ResourceServer,
  redirectUri: string,
  { clients }: TransactionStores,
): Promise<Client> {
  // The rules of a registration are not applied. If they would reject the base URL, the log has a warning at the start.
  const client: NewClient = {
    ...clientDefaults,
    clientName: 'Administration',
    description: 'The pages on which this authorization server is administered.',
    contactName: 'Operator',
    resourceServerId: id,
    scopes,
    redirectUris: [redirectUri],
    confidential: false,
    allowedImplicitGrant: true,
    // Consent is asked once. An administrator who only wants to read can leave out the scope write.
    skipConsent: false,
    trusted: true,
    keepsUserData: false,
    // The pages ask the server for the principal, and do not read it from the address.
    includePrincipal: false,
    expireDuration: tokenLifetime,
    secret: undefined,
    tokensValidFrom: 0,
  };
  const created = await clients.create(client, [administrationClientId]);
  if (created === undefined) throw new Error('a resource server was deleted while the server started');
  return created;
}

function taken(kind: string, name: string): OAuthError {
  return new OAuthError('conflict', {
    description: `A ${kind} is registered as ${name}, a name that the administration interface needs. Delete that ${kind}, and register it again under another name.`,
  });
}
