import type { Client, Hours, IssuedToClient, SnapshotStores } from '@watchword/protocol';
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
