import type { RequestError } from '@watchword/protocol';

const maxOfClient = 1000;
// Of authenticated clients and of anonymous callers each. Neither kind can push out the other.
const maxOfKind = 5000;

/** Errors in the order of their arrival, the oldest first. */
type Arrivals = Set<RequestError>;

interface Kinds {
  readonly authenticated: Arrivals;
  readonly anonymous: Arrivals;
}

/**
 * The last errors of requests, at most 10,000 in all and 1,000 of one client: when there are more, the oldest fall out.
 *
 * Anybody can cause an error of a client whose `client_id` is known. So errors of authenticated clients and those of anonymous
 * callers are kept apart, 5,000 each. Of one client, each kind is sure of half, and can use what the other does not need.
 */
export class RequestErrorMemory {
  readonly #all = newKinds();
  readonly #byClient = new Map<number, Kinds>();
  readonly #byRequest = new Map<string, RequestError>();

  add(error: RequestError): void {
    const { clientRecordId } = error;
    const ofKind = kindOf(error, this.#all);
    const ofClient = this.#byClient.get(clientRecordId) ?? newKinds();
    this.#byClient.set(clientRecordId, ofClient);
    ofKind.add(error);
    kindOf(error, ofClient).add(error);
    if (error.requestId !== undefined) this.#byRequest.set(error.requestId, error);
    const { authenticated, anonymous } = ofClient;
    if (authenticated.size + anonymous.size > maxOfClient) {
      this.#removeOldest(anonymous.size > maxOfClient / 2 ? anonymous : authenticated);
    }
    if (ofKind.size > maxOfKind) this.#removeOldest(ofKind);
  }

  /** In no order. @param clientRecordId only errors of this client */
  list(clientRecordId: number | undefined): RequestError[] {
    const kinds = clientRecordId === undefined ? this.#all : this.#byClient.get(clientRecordId);
    return kinds === undefined ? [] : [...kinds.authenticated, ...kinds.anonymous];
  }

  find(requestId: string): RequestError | undefined {
    return this.#byRequest.get(requestId);
  }

  #removeOldest(arrivals: Arrivals): void {
    const [oldest] = arrivals;
    if (oldest === undefined) return;
    const { clientRecordId, requestId } = oldest;
    if (requestId !== undefined && this.#byRequest.get(requestId) === oldest)
      this.#byRequest.delete(requestId);
    const ofClient = this.#byClient.get(clientRecordId) ?? newKinds();
    kindOf(oldest, this.#all).delete(oldest);
    kindOf(oldest, ofClient).delete(oldest);
    if (ofClient.authenticated.size + ofClient.anonymous.size === 0) this.#byClient.delete(clientRecordId);
  }
}

function newKinds(): Kinds {
  return { authenticated: new Set(), anonymous: new Set() };
}

function kindOf({ isAuthenticated }: RequestError, kinds: Kinds): Arrivals {
  return isAuthenticated ? kinds.authenticated : kinds.anonymous;
}
