import {
  type ClientKeySets,
  isOpenClientId,
  type KeyOwner,
  type KeySet,
  type KeySetAnswer,
  type KeySets,
} from '@watchword/protocol';
import { LRUCache } from 'lru-cache';
import { Pace } from './limits/pace.ts';

/** Reads the keys of an owner where they are. Never rejects because of what is there. */
export type FetchKeySet<Owner = KeyOwner> = (owner: Owner) => Promise<FetchedKeySet>;

export type FetchedKeySet =
  | {
      readonly keySet: KeySet;
      /** Seconds for which it is fresh. */
      readonly seconds: number;
      /** Seconds for which it is used while a newer one cannot be read. Default: a day, for which the server of a client can be away. */
      readonly usableSeconds?: number;
    }
  | { readonly problem: string };

/** What is known of an owner. Times in monotonic milliseconds. */
interface Known {
  readonly askedAt: number;
  /** The answer to the last request, which may still be under way. */
  readonly answer: Promise<KeySetAnswer>;
  /** The last keys. They stay in use while newer ones cannot be had. */
  readonly keys?: { readonly keySet: KeySet; readonly freshUntil: number; readonly usableUntil: number };
}

const minute = 60_000;
/** Between two reads for an owner, whatever they find. */
const pause = minute;
const usableSeconds = 86_400;
// Sets have at most 20 keys: so many are smaller than 30 MB.
const maxKnown = 1000;
// Each holds a connection for up to five seconds.
const maxParallel = 50;
const perHost = { atOnce: 50, perSecond: 10 };

const monotonic = () => performance.now();

/** The keys of clients at their URLs. Clients that nobody registered are asked in another way, and keep no others out. */
export function keySetsAtUrls(fetch: FetchKeySet, now = monotonic): ClientKeySets {
  const [open, registered] = [ownKeySets(fetch, now), ownKeySets(fetch, now)];
  const of = ({ clientId }: KeyOwner) => (isOpenClientId(clientId) ? open : registered);
  return { read: (owner) => of(owner).read(owner), readAgain: (owner) => of(owner).readAgain(owner) };
}

function ownKeySets(fetch: FetchKeySet, now: () => number): ClientKeySets {
  const hosts = new Pace(perHost.atOnce, perHost.perSecond, now);
  const isBusy = ({ jwksUri }: KeyOwner) => hosts.take(new URL(jwksUri).hostname) > 0;
  return new KnownKeySets({ fetch, nameOf: ({ jwksUri }) => jwksUri, isBusy, now });
}

interface KnownKeySetsOptions<Owner> {
  readonly fetch: FetchKeySet<Owner>;
  /** Owners of one name share their keys. */
  nameOf(owner: Owner): string;
  /** Counts a request that is about to be sent, and says whether it is one too many. Default: none is. */
  readonly isBusy?: (owner: Owner) => boolean;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Keys that others can change, in memory. Those who ask for the same keys share an answer. */
export class KnownKeySets<Owner> implements KeySets<Owner> {
  readonly #fetch: FetchKeySet<Owner>;
  readonly #nameOf: (owner: Owner) => string;
  readonly #isBusy: (owner: Owner) => boolean;
  readonly #now: () => number;
  #known: LRUCache<string, Known> | undefined;
  #underWay = 0;

  constructor({ fetch, nameOf, isBusy = () => false, now = monotonic }: KnownKeySetsOptions<Owner>) {
    this.#fetch = fetch;
    this.#nameOf = nameOf;
    this.#isBusy = isBusy;
    this.#now = now;
  }

  read(owner: Owner): Promise<KeySetAnswer> {
    const known = this.#known?.get(this.#nameOf(owner));
    const now = this.#now();
    if (known?.keys !== undefined && now < known.keys.freshUntil) return Promise.resolve(known.keys.keySet);
    return known !== undefined && now - known.askedAt < pause ? known.answer : this.#ask(owner, known);
  }

  async readAgain(owner: Owner): Promise<KeySetAnswer | undefined> {
    const known = this.#known?.get(this.#nameOf(owner));
    if (known !== undefined && this.#now() - known.askedAt < pause) return undefined;
    return this.#ask(owner, known);
  }

  #ask(owner: Owner, before: Known | undefined): Promise<KeySetAnswer> {
    this.#known ??= new LRUCache({ max: maxKnown });
    const [name, askedAt] = [this.#nameOf(owner), this.#now()];
    const usableKeys = before?.keys && askedAt < before.keys.usableUntil ? before.keys : undefined;
    if (this.#underWay >= maxParallel || this.#isBusy(owner))
      return Promise.resolve(usableKeys?.keySet ?? { problem: 'is asked for too often; try again' });
    const answer = this.#fetched(owner).then((fetched): KeySetAnswer => {
      if ('problem' in fetched) return usableKeys?.keySet ?? fetched;
      const { keySet } = fetched;
      const until = (seconds: number) => askedAt + seconds * 1000;
      const keys = {
        keySet,
        freshUntil: until(fetched.seconds),
        usableUntil: until(fetched.usableSeconds ?? usableSeconds),
      };
      this.#known?.set(name, { askedAt, answer, keys });
      return keySet;
    });
    this.#known.set(name, { askedAt, answer, ...(usableKeys && { keys: usableKeys }) });
    return answer;
  }

  async #fetched(owner: Owner): Promise<FetchedKeySet> {
    this.#underWay += 1;
    try {
      return await this.#fetch(owner);
    } finally {
      this.#underWay -= 1;
    }
  }
}
