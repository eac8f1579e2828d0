import type { Client } from '@watchword/protocol';

type OtherServers = Pick<Client, 'otherResourceServers' | 'formerResourceServers'>;

const none: OtherServers = { otherResourceServers: [], formerResourceServers: [] };

/** Reads the column `other_servers`. @throws SyntaxError if it is damaged */
export function readOtherServers(column: string | null): OtherServers {
  if (column === null) return none;
  const { others, former } = JSON.parse(column);
  return { otherResourceServers: others, formerResourceServers: former };
}

/** The column `other_servers`. {@link namesResourceServer} depends on the order of the members. */
export function writeOtherServers({
  otherResourceServers,
  formerResourceServers,
}: OtherServers): string | null {
  if (otherResourceServers.length + formerResourceServers.length === 0) return null;
  return JSON.stringify({
    others: otherResourceServers.map(({ resourceServerId, scopes }) => ({ resourceServerId, scopes })),
    former: formerResourceServers.map(({ resourceServerId, until }) => ({ resourceServerId, until })),
  });
}

/** A pattern for `like`: the client can use the resource server. */
export function namesResourceServer(resourceServerId: number): string {
  return `%{"resourceServerId":${resourceServerId},"scopes"%`;
}
