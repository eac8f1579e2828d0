/** Where requests can go. */
export interface OutboundPolicy {
  /**
   * Permits addresses that are not on the public internet: of every host, or of the listed ones only. An entry is a host
   * name or an IP address as it stands in a URL, with `:port` for that port only. Default: `false`.
   */
  readonly allowPrivateAddresses?: boolean | readonly string[];
  /** Permits `http:` beside `https:`. Default: `false`. */
  readonly allowHttp?: boolean;
  /** How many redirects a GET request follows; each is checked like the first URL. Default: 0. */
  readonly maxRedirects?: number;
  /** PEM. The only certificate identity providers that are trusted; default: those of Node.js. */
  readonly certificateAuthorities?: readonly string[];
}

export interface OutboundRequest {
  /** Default: `GET`, or `POST` with a body. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as UTF-8. */
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Bytes of the answer's body, unpacked. Default: 1,000,000. */
  readonly maxBytes?: number;
  /** Milliseconds until the answer begins. Default: 5,000. */
  readonly answerTimeout?: number;
  /** Milliseconds for all of it. Default: 10,000. */
  readonly timeout?: number;
}

/** Its body is read once, by one of the methods, or it is closed. */
export interface OutboundAnswer extends Disposable {
  /** The URL that answered: another one than the request's after a redirect. */
  readonly url: URL;
  /** Any status but a redirect, errors included. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly content: AsyncIterable<Uint8Array>;
  bytes(): Promise<Uint8Array>;
  text(): Promise<string>;
  json(): Promise<unknown>;
  close(): void;
}

/**
 * Sends a request within limits of time and size, and to addresses on the public internet only, unless the policy permits
 * others. Throws an `OutboundError`: `kind` says why (`timeout`, `private-address` and so on), and its message is a sentence
 * for an operator that names the host and no secret.
 */
export type OutboundFetch = (url: string | URL, request?: OutboundRequest) => Promise<OutboundAnswer>;
