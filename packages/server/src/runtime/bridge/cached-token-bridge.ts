import {
  type BridgedToken,
  type Client,
  type Clock,
  isRevokedWithClient,
  OAuthError,
  type ResourceServer,
  sha256,
  type TokenBridge,
} from '@watchword/protocol';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../log/logger.ts';
import type { AskForeignServer, ForeignToken } from './foreign-token.ts';

interface BridgeDependencies {
  readonly ask: AskForeignServer;
  /** Epoch milliseconds: nothing is asked from then on. */
  readonly until: number;
  /** For which an answer is used. */
  readonly cacheSeconds: number;
  /** Own tokens are never sent anywhere. */
  readonly issuer: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  findClient(token: ForeignToken, caller: ResourceServer): Promise<Client | undefined>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const maxKnown = 10_000;
// Requests at the same moment. Who sends tokens that nobody knows must not hold up the others for long.
const maxParallel = 32;
// Milliseconds for which an unknown token is not asked for again.
const unknownFor = 10_000;
const failuresToPause = 5;
// Milliseconds.
const pause = 1000;

export class CachedTokenBridge implements TokenBridge {
  readonly #deps: BridgeDependencies;
  readonly #now: () => number;
  readonly #underWay = new Map<string, Promise<ForeignToken | undefined>>();
  #known: LRUCache<string, { readonly token: ForeignToken | undefined }> | undefined;
  #failures = 0;
  #askAgainAt = 0;

  constructor(deps: BridgeDependencies) {
    this.#deps = deps;
    this.#now = deps.now ?? (() => performance.now());
  }

  async find(value: string, caller: ResourceServer): Promise<BridgedToken | undefined> {
    const { clock, until, issuer } = this.#deps;
    if (clock.now() >= until || !canBeForeign(value, issuer)) return undefined;
    const token = await this.#token(value);
    if (token === undefined || (token.expires !== 0 && token.expires <= clock.now())) return undefined;
    const client = await this.#deps.findClient(token, caller);
    if (client === undefined || isRevokedWithClient(client, token)) return undefined;
    const scopes = token.scopes.filter((scope) => client.scopes.includes(scope));
    return { client, scopes, principal: token.principal, expires: token.expires };
  }

  #token(value: string): Promise<ForeignToken | undefined> {
    const key = sha256(value).toString('base64');
    const known = this.#known?.get(key);
    if (known !== undefined) return Promise.resolve(known.token);
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    if (this.#underWay.size >= this.#mostAtOnce()) throw unavailable();
    const asking = this.#ask(value, key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asking);
    return asking;
  }

  /** After some failures one request at a time finds out whether the other server is there again. */
  #mostAtOnce(): number {
    if (this.#failures < failuresToPause) return maxParallel;
    return this.#now() < this.#askAgainAt ? 0 : 1;
  }

  async #ask(value: string, key: string): Promise<ForeignToken | undefined> {
    let token: ForeignToken | undefined;
    try {
      token = await this.#deps.ask(value);
    } catch (error) {
      this.#failures += 1;
      if (this.#failures >= failuresToPause) this.#askAgainAt = this.#now() + pause;
      this.#deps.logger.warn({ err: error }, 'the server of the bridge gave no answer about a token');
      throw unavailable();
    }
    this.#failures = 0;
    this.#known ??= new LRUCache({ max: maxKnown, perf: { now: this.#now }, ttlResolution: 0 });
    const ttl = token === undefined ? unknownFor : this.#deps.cacheSeconds * 1000;
    // A time of 0 would be for ever.
    if (ttl > 0) this.#known.set(key, { token }, { ttl });
    return token;
  }
}

function unavailable(): OAuthError {
  return new OAuthError('temporarily_unavailable', {
    description: 'The server that issued the token gives no answer.',
    retryAfter: 1,
  });
}

const plausible = /^[\x21-\x7e]{8,8192}$/;

/** Nothing that this server has issued leaves it, valid or not: `ww?_` begins each of its secrets, and a JWT names its issuer. */
export function canBeForeign(value: string, issuer: string): boolean {
  return plausible.test(value) && !/^ww[a-z]_/.test(value) && issuerOf(value) !== issuer;
}

function issuerOf(value: string): unknown {
  const [, payload] = value.split('.');
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return (claims as { readonly iss?: unknown } | null)?.iss;
  } catch {
    return undefined;
  }
}
