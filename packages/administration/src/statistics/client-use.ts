import type { Client, ClientAccess, Hours, IssuedToClient, SnapshotStores } from '@watchword/protocol';
import type { RegisteredRecords } from '../callers/active-token.ts';

/** The use of a client, by the tokens that were issued to it. */
export interface ClientUse {
  readonly client: Client;
  /** Tokens issued in the hours that were asked for. */
  readonly issued: number;
  /** Hours since the epoch: the last one in which a token was issued; `undefined` if none was in the last month. */
  readonly lastHour: number | undefined;
}

const maxBusiest = 10;

/** Adds the use to counted clients. */
export async function withUse<Counted extends Pick<ClientUse, 'client'>>(
  counted: readonly Counted[],
  hours: Hours,
  { statistics }: Pick<SnapshotStores, 'statistics'>,
): Promise<(Counted & ClientUse)[]> {
  const ids = counted.map(({ client }) => client.id);
  const issued = new Map(
    (await statistics.issuedTo(ids, hours)).map((each) => [each.clientRecordId, each] as const),
  );
  return counted.map((each) => ({ ...each, ...useOf(each.client, issued.get(each.client.id)) }));
}

/** Who uses a client, and for what. */
export interface AccessToClient extends Pick<ClientAccess, 'resourceOwners' | 'scopes'> {
  /** Epoch milliseconds: start of the hour in which a token was last issued, if one was in the last month. */
  readonly lastIssued: number | undefined;
}

// The newest grants of each client.
const maxGrants = 1000;

/** By record id. */
export async function accessToClients(
  clients: readonly Client[],
  lastIssued: ReadonlyMap<number, number>,
  now: number,
  { statistics }: Pick<SnapshotStores, 'statistics'>,
): Promise<ReadonlyMap<number, AccessToClient>> {
  const access = await statistics.accessTo(clients, now, maxGrants);
  const found = new Map(access.map((each) => [each.clientRecordId, each] as const));
  return new Map(
    clients.map(({ id }) => {
      const { resourceOwners = 0, scopes = [] } = found.get(id) ?? {};
      return [id, { resourceOwners, scopes, lastIssued: lastIssued.get(id) }] as const;
    }),
  );
}

/** The clients to which most tokens were issued in these hours, the busiest first. */
export async function busiestClients(
  hours: Hours,
  { statistics }: Pick<SnapshotStores, 'statistics'>,
  { clients }: Pick<RegisteredRecords, 'clients'>,
): Promise<ClientUse[]> {
  const uses: ClientUse[] = [];
  for (const issued of await statistics.busiest(hours, maxBusiest)) {
    const client = await clients.findById(issued.clientRecordId);
    if (client !== undefined) uses.push(useOf(client, issued));
  }
  return uses;
}

function useOf(client: Client, issued: IssuedToClient | undefined): ClientUse {
  return { client, issued: issued?.tokens ?? 0, lastHour: issued?.lastHour };
}
