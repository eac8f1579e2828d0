import {
  isOpenClientId,
  type RequestObjectAnswer,
  type RequestObjects,
  type RequestUri,
} from '@watchword/protocol';
import { addressGroup } from './limits/address-group.ts';
import { Pace } from './limits/pace.ts';

/** Never rejects because of what the other server does. */
export type FetchRequestObject = (registered: RequestUri) => Promise<RequestObjectAnswer>;

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

  read(registered: RequestUri, source: string): Promise<RequestObjectAnswer> {
    // Clients that nobody registered are asked in another way, so that they have answers of their own.
    const name = `${isOpenClientId(registered.clientId)} ${registered.uri}`;
    const underWay = this.#underWay.get(name);
    if (underWay !== undefined) return underWay;
    if (this.#underWay.size >= maxParallel || this.#addresses.take(addressGroup(source)) > 0)
      return Promise.resolve({ problem: 'is asked for too often; try again' });
    const answer = this.#fetch(registered).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, answer);
    return answer;
  }
}
