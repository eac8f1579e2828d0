import type { AuditEvent } from '../model/records/audit-event.ts';
import type { EndedRights } from '../ports/stores/records/right-store.ts';
import type { TransactionStores } from '../ports/stores/transaction.ts';

/** The end of a right, for the audit log. */
interface EndOfRight extends Pick<AuditEvent, 'recordId' | 'recordName' | 'owner'> {
  readonly action: 'endRight';
  readonly recordType: 'client';
  readonly before: Readonly<Record<string, unknown>>;
}

/** Ends rights of clients in the transaction of what ends them: they hold nowhere from then on. */
export async function endRights(
  selection: EndedRights,
  { rights, clients, resourceServers }: Pick<TransactionStores, 'rights' | 'clients' | 'resourceServers'>,
): Promise<EndOfRight[]> {
  const ends: EndOfRight[] = [];
  for (const { clientRecordId, right, giver } of await rights.end(selection)) {
    const client = await clients.findById(clientRecordId);
    const home = client && (await resourceServers.findById(client.resourceServerId));
    ends.push({
      action: 'endRight',
      recordType: 'client',
      recordId: String(clientRecordId),
      recordName: client?.clientId ?? String(clientRecordId),
      owner: { identityProvider: home?.ownerAuthority ?? '', name: home?.owner ?? '' },
      before: { right, givenBy: giver.name, givenByAuthority: giver.identityProvider },
    });
  }
  return ends;
}
