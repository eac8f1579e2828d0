/** The addresses to which requests can be sent. */
export interface OutboundPolicy {
  /**
   * Permits addresses that are not on the public internet: of all hosts, or only of the listed hosts. An entry is a host
   * name or an IP address in the form of a URL, with `:port` for that port only. Default: `false`.
   */
  readonly allowPrivateAddresses?: boolean | readonly string[];
  /** Permits `http:` in addition to `https:`. Default: `false`. */
  readonly allowHttp?: boolean;
  /** Maximum number of redirects of a GET request. Each URL is checked like the first one. Default: 0. */
  readonly maxRedirects?: number;
  /** PEM. The only certificate authorities that are trusted. Default: those of Node.js. */
  readonly certificateAuthorities?: readonly string[];
}

export interface OutboundRequest {
  /** Default: `GET`, or `POST` with a body. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as UTF-8. */
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Maximum size of the body of the answer in bytes, decompressed. Default: 1,000,000. */
  readonly maxBytes?: number;
  /** Milliseconds until the answer begins. Default: 5,000. */
  readonly answerTimeout?: number;
  /** Milliseconds for the whole request. Default: 10,000. */
  readonly timeout?: number;
}

/** An answer. Its body is read once, by one of the methods, or the answer is closed. */
export interface OutboundAnswer extends Disposable {
  /** The URL that answered. After a redirect it differs from the URL of the request. */
  readonly url: URL;
  /** Any status except a redirect, also an error. */
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
 * Sends a request within limits of time and size, and only to addresses on the public internet, unless the policy permits
 * others. Throws an `OutboundError`. Its `kind` is the reason (`timeout`, `private-address` and so on). Its message is a
 * sentence for the operator, with the host and without secrets.
 */
export type OutboundFetch = (url: string | URL, request?: OutboundRequest) => Promise<OutboundAnswer>;
