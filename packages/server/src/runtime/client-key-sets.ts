import {
  type ClientKeySets,
  isOpenClientId,
  type KeyOwner,
  type KeySet,
  type KeySetAnswer,
} from '@watchword/protocol';
import { LRUCache } from 'lru-cache';
import { Pace } from './limits/pace.ts';

/** Requests the keys of a client. Never rejects because of what the other server does. */
export type FetchKeySet = (owner: KeyOwner) => Promise<FetchedKeySet>;

type FetchedKeySet =
  /** Fresh for so many seconds. */
  { readonly keySet: KeySet; readonly seconds: number } | { readonly problem: string };

/** What is known of a URL. Times in monotonic milliseconds. */
interface Known {
  readonly askedAt: number;
  /** The answer to the last request, which may still be under way. */
  readonly answer: Promise<KeySetAnswer>;
  /** The last keys. They stay in use while newer ones cannot be had. */
  readonly keys?: { readonly keySet: KeySet; readonly freshUntil: number; readonly usableUntil: number };
}

const minute = 60_000;
/** Between two requests to a URL, whatever its server answers. */
const pause = minute;
/** The server of a client can be away for a day. */
const usable = 24 * 60 * minute;
// Sets have at most 20 keys: all together are smaller than 30 MB.
const maxKnown = 1000;
// Each holds a connection for up to five seconds.
const maxParallel = 50;
const perHost = { atOnce: 50, perSecond: 10 };

/** The keys of clients at their URLs, in memory. Requests for one URL share an answer. */
export class KeySetsAtUrls implements ClientKeySets {
  readonly #fetch: FetchKeySet;
  readonly #now: () => number;
  readonly #hosts: Pace;
  #known: LRUCache<string, Known> | undefined;
  #underWay = 0;

  /** @param now monotonic milliseconds */
  constructor(fetch: FetchKeySet, now: () => number = () => performance.now()) {
    this.#fetch = fetch;
    this.#now = now;
    this.#hosts = new Pace(perHost.atOnce, perHost.perSecond, now);
  }

  read(owner: KeyOwner): Promise<KeySetAnswer> {
    const known = this.#known?.get(nameOf(owner));
    const now = this.#now();
    if (known?.keys !== undefined && now < known.keys.freshUntil) return Promise.resolve(known.keys.keySet);
    return known !== undefined && now - known.askedAt < pause ? known.answer : this.#ask(owner, known);
  }

  async readAgain(owner: KeyOwner): Promise<KeySetAnswer | undefined> {
    const known = this.#known?.get(nameOf(owner));
    if (known !== undefined && this.#now() - known.askedAt < pause) return undefined;
    return this.#ask(owner, known);
  }

  #ask(owner: KeyOwner, before: Known | undefined): Promise<KeySetAnswer> {
    this.#known ??= new LRUCache({ max: maxKnown });
    const [name, askedAt] = [nameOf(owner), this.#now()];
    const usableKeys = before?.keys && askedAt < before.keys.usableUntil ? before.keys : undefined;
    const isBusy = this.#underWay >= maxParallel || this.#hosts.take(new URL(owner.jwksUri).hostname) > 0;
    if (isBusy)
      return Promise.resolve(usableKeys?.keySet ?? { problem: 'is asked for too often; try again' });
    const answer = this.#fetched(owner).then((fetched): KeySetAnswer => {
      if ('problem' in fetched) return usableKeys?.keySet ?? fetched;
      const { keySet, seconds } = fetched;
      const keys = { keySet, freshUntil: askedAt + seconds * 1000, usableUntil: askedAt + usable };
      this.#known?.set(name, { askedAt, answer, keys });
      return keySet;
    });
    this.#known.set(name, { askedAt, answer, ...(usableKeys && { keys: usableKeys }) });
    return answer;
  }

  async #fetched(owner: KeyOwner): Promise<FetchedKeySet> {
    this.#underWay += 1;
    try {
      return await this.#fetch(owner);
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** Clients that nobody registered are asked in another way, so that they have answers of their own. */
function nameOf({ clientId, jwksUri }: KeyOwner): string {
  return `${isOpenClientId(clientId)} ${jwksUri}`;
}
