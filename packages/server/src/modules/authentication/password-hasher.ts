import {
  type Argon2Hash,
  canBePassword,
  formatPasswordHash,
  normalizedPassword,
  type PasswordHash,
  parsePasswordHash,
} from '@watchword/accounts';
import type { LoginTurn, PasswordLoad, Random } from '@watchword/protocol';
import { BoundedQueue } from './bounded-queue.ts';
import { argon2Tag, isHashOf } from './hash-functions.ts';

/** Hashes passwords slowly, in other threads than the one that answers requests, and few at a time. */
export interface PasswordHasher {
  /** A hash that no password matches. Its check costs the same as the check of a new hash. */
  readonly unmatched: string;
  /** Whether the queue is full: work that can be left is left. */
  readonly isBusy: boolean;
  /** Hashings that run, that wait, and that can wait. */
  readonly load: PasswordLoad;
  /** Asked before an attempt is counted: whether another password of this turn gets a `QueueFullError`. Then it counts as refused. */
  refuses(turn: LoginTurn): boolean;
  /** @throws QueueFullError */
  hash(password: string, turn?: LoginTurn): Promise<string>;
  /**
   * The check takes the same time for a right and a wrong password.
   *
   * @param hash of this server, or of an import
   * @throws QueueFullError
   */
  matches(password: string, hash: string, turn?: LoginTurn): Promise<boolean>;
  /** Whether the hash was made by another function, or at another cost, than a new one. */
  isOutdated(hash: string): boolean;
}

export interface PasswordHasherOptions {
  readonly random: Random;
  /** Maximum number of simultaneous hashings. Each keeps a core busy, and the thread that answers requests needs a core. */
  readonly concurrency: number;
  /** Hashings that can wait; absent = any number. */
  readonly maxWaiting?: number;
  readonly cost?: Argon2Cost;
  /** Called for each password that gets a `QueueFullError`. */
  readonly onRefused?: () => void;
}

/** Cost of argon2id (RFC 9106 §3.1). */
type Argon2Cost = Pick<Argon2Hash, 'memory' | 'passes' | 'parallelism'>;

/** The minimum of OWASP's Password Storage Cheat Sheet (2025); some 40 ms of one core. */
export const currentCost: Argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 };

const saltLength = 16;
const tagLength = 32;

export function argon2Hasher({
  random,
  concurrency,
  maxWaiting = Number.POSITIVE_INFINITY,
  cost = currentCost,
  onRefused,
}: PasswordHasherOptions): PasswordHasher {
  const queue = new BoundedQueue({ concurrency, maxWaiting, onRefused });
  const empty = (salt: Uint8Array): Argon2Hash => ({
    kind: 'argon2id',
    ...cost,
    salt,
    tag: new Uint8Array(tagLength),
  });

  return {
    unmatched: formatPasswordHash(empty(new Uint8Array(saltLength))),

    get isBusy() {
      return queue.isFull;
    },

    get load() {
      return { running: queue.running, waiting: queue.waiting, limit: maxWaiting };
    },

    refuses: (turn) => queue.refuses(turn),

    async hash(password, turn) {
      const salt = new Uint8Array(saltLength);
      random.fill(salt);
      const made = empty(salt);
      const tag = await queue.run(() => argon2Tag(normalizedPassword(password), made), turn);
      return formatPasswordHash({ ...made, tag });
    },

    async matches(password, hash, turn) {
      const known = parsed(hash);
      const isPossible = canBePassword(password);
      const isSame = await queue.run(() => isOneOf(isPossible ? password : '', known), turn);
      return isSame && isPossible;
    },

    isOutdated(hash) {
      const { memory, passes, parallelism } = cost;
      const known = parsed(hash);
      return (
        known.kind !== 'argon2id' ||
        known.memory !== memory ||
        known.passes !== passes ||
        known.parallelism !== parallelism ||
        known.tag.length !== tagLength
      );
    },
  };
}

/** Other products hash a password as it was typed, so a text that is not normalized is tried as it is, too. */
async function isOneOf(password: string, hash: PasswordHash): Promise<boolean> {
  for (const text of new Set([normalizedPassword(password), password])) {
    if (await isHashOf(text, hash)) return true;
  }
  return false;
}

/** @throws Error for any other text; its message does not contain the text */
function parsed(text: string): PasswordHash {
  const hash = parsePasswordHash(text);
  if (hash === undefined) throw new Error('the stored password hash has no form that this server stores');
  return hash;
}
