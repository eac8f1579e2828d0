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

class UnderWay extends Map<string, Promise<RequestObjectAnswer>> {}

/** Request objects at the URLs of clients. None is kept, because an object can change; parallel requests for one share an answer. */
export class RequestObjectsAtUrls implements RequestObjects {
  readonly #fetch: FetchRequestObject;
  readonly #addresses: Pace;
  /** Clients that nobody registered are asked in another way, and keep no others out. */
  readonly #underWay = { open: new UnderWay(), registered: new UnderWay() };

  /** @param now monotonic milliseconds */
  constructor(fetch: FetchRequestObject, now: () => number = () => performance.now()) {
    this.#fetch = fetch;
    this.#addresses = new Pace(perAddress.atOnce, perAddress.perSecond, now);
  }

  read(registered: RequestUri, source: string): Promise<RequestObjectAnswer> {
    const { clientId, uri } = registered;
    const underWay = this.#underWay[isOpenClientId(clientId) ? 'open' : 'registered'];
    const current = underWay.get(uri);
    if (current !== undefined) return current;
    if (underWay.size >= maxParallel || this.#addresses.take(addressGroup(source)) > 0)
      return Promise.resolve({ problem: 'is asked for too often; try again' });
    const answer = this.#fetch(registered).finally(() => underWay.delete(uri));
    underWay.set(uri, answer);
    return answer;
  }
}
