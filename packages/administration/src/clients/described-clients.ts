import {
  because,
  type Client,
  type Consenting,
  type DescribedClient,
  type DocumentClients,
  type DocumentHosts,
  describedFields,
  documentHost,
  type GrantStore,
  identityOf,
  isDescribedAs,
  isDocumentClient,
  isHostAllowed,
  isRevokedWithClient,
  type NewClient,
  OAuthError,
  type Registry,
  type ResourceServer,
  type TransactionStores,
  untrusted,
} from '@watchword/protocol';
import { consentingCaller } from '../callers/caller.ts';
import { type AdministrationDependencies, type Changed, changeRecords } from '../changes/change-records.ts';
import { clientDifference, clientRecord, ofClient } from './client-record.ts';
import { homeOfOpenClients } from './open-clients-home.ts';

export interface DescribedClientDependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'> {
  readonly registry: Pick<Registry, 'clientById' | 'resourceServerById'>;
  readonly documentHosts: DocumentHosts;
  readonly grants: Pick<GrantStore, 'listBySubject'>;
  /** To so many of these clients a person can give access at a time, and so many new ones can it bring in an hour; 0 = no limit. */
  readonly toolsPerPerson: number;
}

const hour = 3_600_000;

/** Stores the clients that documents describe, with the first consent of a user, and what has changed in their documents since. */
export function describedClients(deps: DescribedClientDependencies): Pick<DocumentClients, 'keep'> {
  return {
    async keep(client, by) {
      await requireRoom(client, by, deps);
      const { registry } = deps;
      const stored = registry.clientById(client.id);
      const resourceServer = registry.resourceServerById(client.resourceServerId);
      if (stored !== undefined && resourceServer !== undefined && isDescribedAs(stored, client)) {
        return { client: stored, resourceServer };
      }
      return changeRecords(consentingCaller(client, by), deps, (stores) =>
        storedClient(client, by, stores, deps),
      );
    },
  };
}

async function storedClient(
  client: Client,
  by: Consenting,
  stores: TransactionStores,
  deps: DescribedClientDependencies,
): Promise<Changed<DescribedClient>> {
  const { documentHosts, random } = deps;
  const { clients, hostRules } = stores;
  const { clientId } = client;
  // An administrator can have blocked the host while the page was open.
  const isAllowed = isHostAllowed(new URL(clientId).hostname, documentHosts, await hostRules.list());
  if (!isAllowed) throw blockedHost(client);
  const home = await homeOfOpenClients(stores, random);
  const before = await clients.find(clientId);
  if (before === undefined) {
    await countNew(by, stores, deps);
    const created = await clients.create(registrationOf(client, home), [clientId]);
    if (created === undefined) throw new Error('the resource server of clients without a home was deleted');
    const after = clientRecord(created);
    return {
      value: { client: created, resourceServer: home },
      changes: [{ action: 'create', ...ofClient(created, home), after }],
    };
  }
  const after = isDocumentClient(before, home)
    ? await clients.update(before.id, { ...describedFields(client), ...untrusted })
    : undefined;
  if (after === undefined) throw new OAuthError('invalid_request', because('unchanged_registration', {}));
  const difference = clientDifference(before, after);
  return {
    value: { client: after, resourceServer: home },
    changes: [{ action: 'update', ...ofClient(after, home), ...difference }],
  };
}

/** A person with many made-up clients must not fill the database, nor the own account page. */
async function requireRoom(
  client: Client,
  { owner }: Consenting,
  { clock, grants, registry, toolsPerPerson }: DescribedClientDependencies,
): Promise<void> {
  if (toolsPerPerson === 0) return;
  const held = new Set<number>();
  for (const { grant } of await grants.listBySubject(owner.subject, clock.now())) {
    const other = registry.clientById(grant.clientRecordId);
    const home = other && registry.resourceServerById(other.resourceServerId);
    if (other === undefined || home === undefined || other.id === client.id) continue;
    if (isDocumentClient(other, home) && !isRevokedWithClient(other, grant)) held.add(other.id);
  }
  if (held.size >= toolsPerPerson) throw tooMany(toolsPerPerson);
}

/** In the transaction that makes the record, so that requests at the same time cannot exceed the limit. */
async function countNew(
  { owner }: Consenting,
  { ownerChanges }: TransactionStores,
  { clock, toolsPerPerson }: DescribedClientDependencies,
): Promise<void> {
  if (toolsPerPerson === 0) return;
  const { identityProvider, name } = identityOf(owner);
  // The count of changes of the same person is another one.
  const counted = { identityProvider: `tools:${identityProvider}`, name };
  const { changes } = await ownerChanges.count(counted, clock.now(), hour);
  if (changes > toolsPerPerson) throw tooMany(toolsPerPerson);
}

function tooMany(limit: number): OAuthError {
  return new OAuthError('invalid_request', {
    ...because('tools_per_person', { limit }),
    text: { key: 'error.tools_per_person', values: { limit: String(limit) } },
  });
}

/** The error for a client whose host the server does not accept. */
export function blockedHost(client: Pick<Client, 'clientId'>): OAuthError {
  const host = documentHost(client);
  return new OAuthError('invalid_request', {
    ...because('client_host', { host }),
    text: { key: 'error.client_host', values: { host } },
  });
}

/** @param home has its record now at the latest */
function registrationOf(
  { id: _id, clientId: _clientId, revision: _revision, ...registration }: Client,
  { id: resourceServerId }: ResourceServer,
): NewClient {
  return { ...registration, resourceServerId };
}
