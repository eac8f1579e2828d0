import {
  because,
  type Client,
  type DescribedClient,
  type DocumentClients,
  type DocumentHosts,
  describedFields,
  documentHost,
  isDescribedAs,
  isDocumentClient,
  isHostAllowed,
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
}

/** Stores the clients that documents describe, with the first consent of a user, and what has changed in their documents since. */
export function describedClients(deps: DescribedClientDependencies): Pick<DocumentClients, 'keep'> {
  return {
    async keep(client, by) {
      const { registry } = deps;
      const stored = registry.clientById(client.id);
      const resourceServer = registry.resourceServerById(client.resourceServerId);
      if (stored !== undefined && resourceServer !== undefined && isDescribedAs(stored, client)) {
        return { client: stored, resourceServer };
      }
      return changeRecords(consentingCaller(client, by), deps, (stores) =>
        storedClient(client, stores, deps),
      );
    },
  };
}

async function storedClient(
  client: Client,
  stores: TransactionStores,
  { documentHosts, random }: DescribedClientDependencies,
): Promise<Changed<DescribedClient>> {
  const { clients, hostRules } = stores;
  const { clientId } = client;
  // An administrator can have blocked the host while the page was open.
  const isAllowed = isHostAllowed(new URL(clientId).hostname, documentHosts, await hostRules.list());
  if (!isAllowed) throw blockedHost(client);
  const home = await homeOfOpenClients(stores, random);
  const before = await clients.find(clientId);
  if (before === undefined) {
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
