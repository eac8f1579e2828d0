import type { RequestObjectAnswer, RequestObjects } from '@watchword/protocol';
import { addressGroup } from './limits/address-group.ts';
import { Pace } from './limits/pace.ts';

/** Never rejects because of what the other server does. */
export type FetchRequestObject = (uri: string) => Promise<RequestObjectAnswer>;

// Each holds a connection for up to five seconds.
const maxParallel = 50;
/** Of browsers in one network: a page can send one here again and again, and each time the server of a client is asked. */
const perAddress = { atOnce: 50, perSecond: 5 };

/** Request objects at the URLs of clients. None is kept, because an object can change; parallel requests for one share an answer. */
export class RequestObjectsAtUrls implements RequestObjects {
  readonly #fetch: FetchRequestObject;
  readonly #addresses: Pace;
  readonly #underWay = new Map<string, Promise<RequestObjectAnswer>>();

  /** @param now monotonic milliseconds */
  constructor(fetch: FetchRequestObject, now: () => number = () => performance.now()) {
    this.#fetch = fetch;
    this.#addresses = new Pace(perAddress.atOnce, perAddress.perSecond, now);
  }

  read(uri: string, source: string): Promise<RequestObjectAnswer> {
    const underWay = this.#underWay.get(uri);
    if (underWay !== undefined) return underWay;
    if (this.#underWay.size >= maxParallel || this.#addresses.take(addressGroup(source)) > 0)
      return Promise.resolve({ problem: 'is asked for too often; try again' });
    const answer = this.#fetch(uri).finally(() => this.#underWay.delete(uri));
    this.#underWay.set(uri, answer);
    return answer;
  }
}
