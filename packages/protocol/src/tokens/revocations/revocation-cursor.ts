import { sha256 } from '../../rules/sha256.ts';
import { commitDelay, type Revocations } from './recent-revocations.ts';

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

/** @param recent the revocations after {@link certainUntil} */
export function revocationCursor(
  time: number,
  { grants, tokens, clients }: Revocations,
  keys: readonly { readonly kid: string }[],
): RevocationCursor {
  const entries = [
    ...grants.map(({ id }) => `grant ${id}`),
    ...tokens.map(({ id }) => `token ${id}`),
    ...clients.map(({ clientId, revokedAt }) => `client ${clientId} ${revokedAt}`),
    ...keys.map(({ kid }) => `key ${kid}`),
  ];
  return { time, digest: sha256(entries.sort().join('\n')).toString('base64url', 0, 12) };
}

export function formatCursor({ time, digest }: RevocationCursor): string {
  return `${time.toString(36)}.${digest}`;
}

/** `undefined` for any other text. */
export function parseCursor(text: string): RevocationCursor | undefined {
  const [, time, digest] = /^([0-9a-z]{1,10})\.([\w-]{16})$/.exec(text) ?? [];
  return time === undefined || digest === undefined ? undefined : { time: parseInt(time, 36), digest };
}
