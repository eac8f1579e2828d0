import type { Client, FormerResourceServer } from '../../model/records/client.ts';
import { listedTime } from './revocation-list.ts';

/**
 * The former resource servers of a client that is changed: those that it can no longer use by this change, and those of before for as
 * long as it can have a JWT of them.
 *
 * @param now epoch milliseconds
 */
export function formerResourceServers(
  before: Pick<Client, 'otherResourceServers' | 'formerResourceServers'>,
  after: Pick<Client, 'otherResourceServers'>,
  now: number,
): readonly FormerResourceServer[] {
  const kept = new Set(after.otherResourceServers.map(({ resourceServerId }) => resourceServerId));
  const lost = before.otherResourceServers.map(({ resourceServerId }) => ({
    resourceServerId,
    until: now + listedTime,
  }));
  return [...before.formerResourceServers.filter(({ until }) => until > now), ...lost].filter(
    ({ resourceServerId }) => !kept.has(resourceServerId),
  );
}
