import type { HttpAnswer } from './answer.ts';
import type { OriginCheck } from './cors.ts';
import type { HttpRequest } from './request.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Answers a request. An error that it throws is answered as `error-answer.ts` says. */
export type Handler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** One address and the methods it answers. Any other method of it is answered 405 with `Allow`. */
export interface Endpoint {
  /** Begins with `/`; a part that varies is written `:name`. */
  readonly path: string;
  readonly methods: Readonly<Partial<Record<Method, Handler>>>;
  /** Scripts of these origins may read the answer (CORS). Absent: no script of another origin may. */
  readonly origins?: OriginCheck;
  /** People look at it: errors are answered with the error page and not with JSON. */
  readonly page?: boolean;
  /**
   * GET does more than read: it begins a login, issues a code, sets a cookie. Then there is no HEAD, which must be safe
   * (RFC 9110 §9.2.1) and which prefetchers and link scanners send. Everywhere else HEAD answers the headers of GET.
   */
  readonly hasEffects?: boolean;
  /** Bytes that a body may have here, where that is not what it is everywhere. */
  readonly bodyLimit?: number;
  /** Characters that a URI may have here, where that is not what it is everywhere. */
  readonly uriLimit?: number;
}
