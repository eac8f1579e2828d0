import { sha256 } from '../../rules/sha256.ts';
import { commitDelay, type RecentRevocations, type Revocations } from './recent-revocations.ts';

/**
 * What a reader of the list has: everything until a time, and of the time shortly before it exactly the entries whose digest this is.
 * So each node can decide whether there is anything new, although a revocation can be committed later than the time that it has.
 */
export interface RevocationCursor {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly digest: string;
}

/** Epoch milliseconds: revocations until then are in the list of every reader with a cursor of the time. */
export function certainUntil(time: number): number {
  return time - commitDelay;
}

/**
 * Makes the cursor of a time for a resource server. The entries are those of its clients after {@link certainUntil} of the time, or
 * of an earlier one.
 */
export type CursorAt = (
  time: number,
  resourceServerId: number,
  entries: Revocations,
  keys: readonly { readonly kid: string }[],
) => RevocationCursor;

/**
 * After an incident there are many entries, and a digest sorts them all. Entries after a time are a part of those after an earlier time,
 * so while nothing changes as many of them are the same ones, and have one digest.
 *
 * @param recent all entries are from it
 */
export function cursorsOf(recent: Pick<RecentRevocations, 'version' | 'readAt'>): CursorAt {
  let state = '';
  const digests = new Map<string, string>();
  return (time, resourceServerId, entries, keys) => {
    // A client that is deleted is not in the registry any more, within a second.
    const current = `${recent.version} ${Math.floor(recent.readAt / 1000)} ${keys.map(({ kid }) => kid)}`;
    if (current !== state) digests.clear();
    state = current;
    const isLater = ({ revokedAt }: { readonly revokedAt: number }) => revokedAt > certainUntil(time);
    const latest = {
      grants: entries.grants.filter(isLater),
      tokens: entries.tokens.filter(isLater),
      clients: entries.clients.filter(isLater),
    };
    const counts = [latest.grants, latest.tokens, latest.clients].map(({ length }) => length);
    const name = `${resourceServerId} ${counts}`;
    const digest = digests.get(name) ?? digestOf(latest, keys);
    digests.set(name, digest);
    return { time, digest };
  };
}

function digestOf(
  { grants, tokens, clients }: Revocations,
  keys: readonly { readonly kid: string }[],
): string {
  const entries = [
    ...grants.map(({ id }) => `grant ${id}`),
    ...tokens.map(({ id }) => `token ${id}`),
    ...clients.map(({ clientId, revokedAt }) => `client ${clientId} ${revokedAt}`),
    ...keys.map(({ kid }) => `key ${kid}`),
  ];
  return sha256(entries.sort().join('\n')).toString('base64url', 0, 12);
}

export function formatCursor({ time, digest }: RevocationCursor): string {
  return `${time.toString(36)}.${digest}`;
}

/** `undefined` for any other text. */
export function parseCursor(text: string): RevocationCursor | undefined {
  const [, time, digest = ''] = /^([0-9a-z]{1,10})\.([\w-]{16})$/.exec(text) ?? [];
  return time === undefined ? undefined : { time: parseInt(time, 36), digest };
}
