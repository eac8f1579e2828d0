import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto';
import { canBePassword, normalizedPassword, type Random } from '@watchword/protocol';
import { BoundedQueue } from './bounded-queue.ts';
import { type Argon2Cost, formatPhcString, parsePhcString } from './phc-string.ts';

/** Hashes passwords slowly, in other threads than the one that answers requests, and few at a time. */
export interface PasswordHasher {
  /** A hash that no password matches. Its check costs the same as the check of a new hash. */
  readonly unmatched: string;
  /** Whether the queue is full, so that another password gets a `QueueFullError`. */
  readonly isBusy: boolean;
  /** @throws QueueFullError */
  hash(password: string): Promise<string>;
  /** The check takes the same time for a right and a wrong password. @throws QueueFullError */
  matches(password: string, hash: string): Promise<boolean>;
  /** Whether the hash was made at another cost than the current one. */
  isOutdated(hash: string): boolean;
}

export interface PasswordHasherOptions {
  readonly random: Random;
  /** Maximum number of simultaneous hashings. Each keeps a core busy, and the thread that answers requests needs a core. */
  readonly concurrency: number;
  /** Hashings that can wait. */
  readonly maxWaiting?: number;
  readonly cost?: Argon2Cost;
}

/** The minimum of OWASP's Password Storage Cheat Sheet (2025); some 30 ms of one core. */
export const currentCost: Argon2Cost = { memory: 19_456, passes: 2, parallelism: 1 };

// A second of work for one core. If the queue is longer, the user tries again.
const defaultMaxWaiting = 32;

const saltLength = 16;
const tagLength = 32;

export function argon2Hasher({
  random,
  concurrency,
  maxWaiting = defaultMaxWaiting,
  cost = currentCost,
}: PasswordHasherOptions): PasswordHasher {
  const queue = new BoundedQueue({ concurrency, maxWaiting });
  const tagOf = (password: string, parameters: Omit<Argon2Parameters, 'message'>) =>
    queue.run(() => compute({ ...parameters, message: normalizedPassword(password) }));

  return {
    unmatched: formatPhcString({ ...cost, salt: Buffer.alloc(saltLength), tag: Buffer.alloc(tagLength) }),

    get isBusy() {
      return queue.isFull;
    },

    async hash(password) {
      const salt = Buffer.alloc(saltLength);
      random.fill(salt);
      const tag = await tagOf(password, { ...cost, nonce: salt, tagLength });
      return formatPhcString({ ...cost, salt, tag });
    },

    async matches(password, hash) {
      const { salt, tag, ...itsCost } = parsePhcString(hash);
      const isPossible = canBePassword(password);
      const found = await tagOf(isPossible ? password : '', {
        ...itsCost,
        nonce: salt,
        tagLength: tag.length,
      });
      return timingSafeEqual(found, tag) && isPossible;
    },

    isOutdated(hash) {
      const { memory, passes, parallelism, tag } = parsePhcString(hash);
      return (
        memory !== cost.memory ||
        passes !== cost.passes ||
        parallelism !== cost.parallelism ||
        tag.length !== tagLength
      );
    },
  };
}

function compute(parameters: Argon2Parameters): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => (error === null ? resolve(tag) : reject(error)));
  });
}
