import type { AccessTokenClaims } from './claims.ts';

/** An answer of the feed, as docs/revocation-feed.md describes it. Times are epoch seconds. */
export interface ListAnswer {
  readonly issuer: string;
  /** When it was made. */
  readonly issuedAt: number;
  readonly cursor: string;
  /** The cursor to which these are the changes; `undefined` for a whole list. */
  readonly since: string | undefined;
  readonly grants: ReadonlyMap<string, number>;
  readonly clients: ReadonlyMap<string, number>;
  readonly tokens: ReadonlyMap<string, number>;
  readonly keys: ReadonlyMap<string, number>;
}

const members = ['grants', 'clients', 'tokens', 'keys'] as const;

/** Seconds: no JWT access token is valid for longer. */
const longestLifetime = 86_400;
/** Seconds by which the clock of this machine may be ahead of that of the server. */
const clockError = 300;
/** Seconds by which the clocks of two nodes of the server may differ. */
const nodeClockError = 5;
/** Seconds between two searches for entries that can be forgotten. */
const pruneInterval = 60;

/** What was revoked, in memory. */
export class RevocationList {
  #cursor: string | undefined;
  /** Epoch seconds: when the youngest answer was made. */
  #issuedAt = 0;
  #issuer: string | undefined;
  #entries = noEntries();
  #prunedAt = Number.NEGATIVE_INFINITY;
  /** Another one after each change. */
  version = 0;

  /** `undefined` if the next answer must be a whole list. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** Whether the server has made an answer since that was taken over. */
  isOlder({ issuedAt }: ListAnswer): boolean {
    return issuedAt < this.#issuedAt - nodeClockError;
  }

  /** The issuer that signs the list. */
  get issuer(): string | undefined {
    return this.#issuer;
  }

  /** @param now epoch seconds */
  takeOver(answer: ListAnswer, now: number): void {
    if (answer.since === undefined) this.#entries = noEntries();
    for (const member of members) {
      const entries = this.#entries[member];
      for (const [key, time] of answer[member]) entries.set(key, time);
    }
    this.#cursor = answer.cursor;
    this.#issuedAt = Math.max(this.#issuedAt, answer.issuedAt);
    this.#issuer = answer.issuer;
    this.version += 1;
    if (now - this.#prunedAt >= pruneInterval) this.#prune(now);
  }

  /** Asks for the whole list. Until it is there, what was revoked stays revoked. */
  restart(): void {
    this.#cursor = undefined;
  }

  forget(): void {
    this.#cursor = undefined;
    this.#issuedAt = 0;
    this.#entries = noEntries();
    this.version += 1;
  }

  isKeyRevoked(kid: string): boolean {
    return this.#entries.keys.has(kid);
  }

  /** @param kid the key that has signed the token */
  isRevoked({ grantId, clientId, tokenId, issuedAt }: AccessTokenClaims, kid: string): boolean {
    const { grants, clients, tokens, keys } = this.#entries;
    const limit = clients.get(clientId);
    return (
      (grantId !== undefined && grants.has(grantId)) ||
      (limit !== undefined && issuedAt <= limit) ||
      tokens.has(tokenId) ||
      keys.has(kid)
    );
  }

  #prune(now: number): void {
    this.#prunedAt = now;
    for (const member of members) {
      const lasts = member === 'clients' ? longestLifetime : 0;
      const entries = this.#entries[member];
      for (const [key, time] of entries) if (time + lasts + clockError < now) entries.delete(key);
    }
  }
}

function noEntries(): Record<(typeof members)[number], Map<string, number>> {
  return { grants: new Map(), clients: new Map(), tokens: new Map(), keys: new Map() };
}

/** `undefined` if the claims are not those of a list. */
export function readList(claims: Readonly<Record<string, unknown>>): ListAnswer | undefined {
  const { iss, iat, cursor, since, revoked } = claims;
  const isRead =
    typeof iss === 'string' &&
    typeof iat === 'number' &&
    isCursor(cursor) &&
    (since === undefined || isCursor(since)) &&
    typeof revoked === 'object' &&
    revoked !== null;
  if (!isRead) return undefined;
  const maps: [string, ReadonlyMap<string, number>][] = [];
  for (const member of members) {
    const entries = Object.entries(Object((revoked as Record<string, unknown>)[member]));
    if (!entries.every((entry): entry is [string, number] => Number.isFinite(entry[1]))) return undefined;
    maps.push([member, new Map(entries)]);
  }
  return { issuer: iss, issuedAt: iat, cursor, since, ...Object.fromEntries(maps) } as ListAnswer;
}

/** Characters that an entity tag can have (RFC 9110 §8.8.3). */
function isCursor(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21\x23-\x7e]{1,200}$/.test(value);
}
