import type { ResourceServer } from '../../model/records/resource-server.ts';
import { comparedResourceUri } from '../../model/resource-uri.ts';
import type { FormerResource } from '../../ports/stores/records/resource-server-store.ts';
import { listedTime } from './revocation-list.ts';

type Named = Pick<ResourceServer, 'resources' | 'accessTokenFormat'>;

/**
 * The URIs of a resource server that is changed or deleted, under which an API can still accept JWTs that were issued for it. Until
 * then they can be those of no other resource server.
 *
 * @param former those of before the change
 * @param after `undefined`: it is deleted
 * @param now epoch milliseconds
 */
export function formerResources(
  former: readonly FormerResource[],
  before: Named,
  after: Named | undefined,
  now: number,
): readonly FormerResource[] {
  const isIn = (server: Named | undefined, uri: string) =>
    server?.accessTokenFormat === 'jwt' &&
    server.resources.some((own) => comparedResourceUri(own) === comparedResourceUri(uri));
  const lost = before.resources.filter((uri) => isIn(before, uri) && !isIn(after, uri));
  const known = former.filter(({ uri, until }) => until > now && !isIn(before, uri) && !isIn(after, uri));
  return [...known, ...lost.map((uri) => ({ uri, until: now + listedTime }))];
}
