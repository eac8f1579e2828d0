import type { TokenInfo } from '../token-info.ts';

/** What is known of a request beside its `Authorization` header. */
export interface Asked {
  readonly method: string | undefined;
  /** Where it was sent: a whole URL. Its host is what the client or a proxy says. */
  readonly url: () => string;
  /** A header, by its name in lower case. */
  readonly header: (name: string) => string | readonly string[] | null | undefined;
  /** The IP address that the request came from; `undefined` where the platform does not tell it. */
  readonly peer: string | undefined;
  /** The same object for all guards of the request: a proof is used up once, and not by each of them. */
  readonly request: object;
  /** Of a guard before. */
  readonly tokenInfo?: TokenInfo | undefined;
}
