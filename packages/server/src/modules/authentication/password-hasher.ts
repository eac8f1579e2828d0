import { type Argon2Parameters, argon2, timingSafeEqual } from 'node:crypto';
import { canBePassword, normalizedPassword } from '@watchword/accounts';
import type { LoginTurn, PasswordLoad, Random } from '@watchword/protocol';
import { BoundedQueue } from './bounded-queue.ts';

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
  /** The check takes the same time for a right and a wrong password. @throws QueueFullError */
  matches(password: string, hash: string, turn?: LoginTurn): Promise<boolean>;
  /** Whether the hash was made at another cost than the current one. */
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
  const tagOf = (password: string, parameters: Omit<Argon2Parameters, 'message'>, turn?: LoginTurn) =>
    queue.run(() => compute({ ...parameters, message: normalizedPassword(password) }), turn);

  return {
    unmatched: formatPhcString({ ...cost, salt: Buffer.alloc(saltLength), tag: Buffer.alloc(tagLength) }),

    get isBusy() {
      return queue.isFull;
    },

    get load() {
      return { running: queue.running, waiting: queue.waiting, limit: maxWaiting };
    },

    refuses: (turn) => queue.refuses(turn),

    async hash(password, turn) {
      const salt = Buffer.alloc(saltLength);
      random.fill(salt);
      const tag = await tagOf(password, { ...cost, nonce: salt, tagLength }, turn);
      return formatPhcString({ ...cost, salt, tag });
    },

    async matches(password, hash, turn) {
      const { salt, tag, ...itsCost } = parsePhcString(hash);
      const isPossible = canBePassword(password);
      const parameters = { ...itsCost, nonce: salt, tagLength: tag.length };
      const found = await tagOf(isPossible ? password : '', parameters, turn);
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

/** Cost of argon2id (RFC 9106 §3.1). */
interface Argon2Cost {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** An argon2id hash with the parameters to compute it again. */
interface Argon2Hash extends Argon2Cost {
  readonly salt: Uint8Array;
  readonly tag: Uint8Array;
}

const pattern =
  /^\$argon2id\$v=19\$m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,8})\$([A-Za-z0-9+/]{11,128})\$([A-Za-z0-9+/]{16,128})$/;

/** The PHC string form: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`, base64 without padding. */
function formatPhcString({ memory, passes, parallelism, salt, tag }: Argon2Hash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** @throws Error for any other text; its message does not contain the text */
function parsePhcString(text: string): Argon2Hash {
  const [, memory, passes, parallelism, salt = '', tag = ''] = pattern.exec(text) ?? [];
  if (memory === undefined) throw new Error('the stored password hash is not argon2id in PHC string form');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
