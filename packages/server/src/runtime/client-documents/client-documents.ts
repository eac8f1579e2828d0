import { because, type ClientDocument, OAuthError } from '@watchword/protocol';
import { LRUCache } from 'lru-cache';
import { addressGroup } from '../limits/address-group.ts';
import { Pace } from '../limits/pace.ts';

/** Reads the document at a URL. @throws OAuthError */
export type FetchDocument = (url: string) => Promise<FetchedDocument>;

export interface FetchedDocument {
  readonly document: ClientDocument;
  /** For which it can be used. */
  readonly seconds: number;
}

// Octets of all documents in memory, as they are counted here.
const maxSize = 4_000_000;
// Requests at the same moment, to all hosts: each holds a connection for up to five seconds.
const maxParallel = 50;
const perHost = { atOnce: 5, perSecond: 5 };
// People of one network rarely meet so many tools at once that no node has seen today.
const perAddress = { atOnce: 30, perSecond: 0.5 };

/**
 * The documents of clients in memory. Only good ones stay, for the time that their servers allow. Parallel requests for one share a
 * fetch. Neither an address that asks nor a host that is asked can have more than its pace.
 */
export class ClientDocuments {
  readonly #fetch: FetchDocument;
  readonly #now: () => number;
  readonly #underWay = new Map<string, Promise<ClientDocument>>();
  readonly #hosts: Pace;
  readonly #addresses: Pace;
  #known: LRUCache<string, ClientDocument> | undefined;

  /** @param now monotonic milliseconds */
  constructor(fetch: FetchDocument, now: () => number = () => performance.now()) {
    this.#fetch = fetch;
    this.#now = now;
    this.#hosts = new Pace(perHost.atOnce, perHost.perSecond, now);
    this.#addresses = new Pace(perAddress.atOnce, perAddress.perSecond, now);
  }

  /** @param source network address that asks @throws OAuthError */
  read(url: string, source: string): Promise<ClientDocument> {
    const known = this.#known?.get(url);
    if (known !== undefined) return Promise.resolve(known);
    const underWay = this.#underWay.get(url);
    if (underWay !== undefined) return underWay;
    const retryAfter = this.#secondsToWait(url, source);
    if (retryAfter > 0) {
      const why = because('client_document_pace', { retryAfter });
      return Promise.reject(new OAuthError('too_many_requests', { ...why, retryAfter }));
    }
    const reading = this.#read(url).finally(() => this.#underWay.delete(url));
    this.#underWay.set(url, reading);
    return reading;
  }

  async #read(url: string): Promise<ClientDocument> {
    const { document, seconds } = await this.#fetch(url);
    this.#known ??= new LRUCache({
      maxSize,
      sizeCalculation: sizeOf,
      perf: { now: this.#now },
      ttlResolution: 0,
    });
    this.#known.set(url, document, { ttl: seconds * 1000 });
    return document;
  }

  /** The address first: what one asks too much must not count against the host. */
  #secondsToWait(url: string, source: string): number {
    if (this.#underWay.size >= maxParallel) return 1;
    return this.#addresses.take(addressGroup(source)) || this.#hosts.take(new URL(url).hostname);
  }
}

function sizeOf({ keys, name, redirectUris }: ClientDocument, url: string): number {
  const texts = [url, name, ...redirectUris, JSON.stringify(keys) ?? ''];
  return 500 + 2 * texts.join('').length;
}
