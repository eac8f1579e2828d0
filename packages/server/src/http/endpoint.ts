import type { HttpAnswer } from './answer.ts';
import type { HttpRequest } from './request.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Answers a request. `error-answer.ts` turns an error that it throws into an answer. */
export type Handler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** The origins whose scripts can read an answer: those for which the function returns `true`, or all. */
export type OriginCheck = ((origin: string) => boolean) | 'every';

/** One address and its methods. Any other method gets 405 with `Allow`. */
export interface Endpoint {
  /** Begins with `/`. A variable part is written as `:name`. */
  readonly path: string;
  /** The path in log and metrics, for a path that has the hash of a file in it. Default: the path. */
  readonly label?: string;
  readonly methods: Readonly<Partial<Record<Method, Handler>>>;
  /** Scripts of these origins can read the answer (CORS). Absent: no script of another origin can. */
  readonly origins?: OriginCheck;
  /** The endpoint is for people: it answers errors with the error page and not with JSON. */
  readonly page?: boolean;
  /**
   * GET has effects: it begins a login, issues a code or sets a cookie. Then there is no HEAD, because HEAD must be safe
   * (RFC 9110 §9.2.1) and prefetchers and link scanners send it. At other endpoints HEAD answers the headers of GET.
   */
  readonly hasEffects?: boolean;
  /** Machines ask often how the server is. Such requests tell nothing: they have no trace, and the log can leave them out. */
  readonly isProbe?: boolean;
  /** Default: a request can have a trace if it is no probe. */
  readonly isTraced?: boolean;
  /**
   * It answers requests for every host, also where others are refused (`foreign-host.ts`): probes come by address. Its answers
   * have nothing that a page of another site must not read.
   */
  readonly anyHost?: boolean;
  /** Maximum size of a body in bytes, if it differs from the usual one. */
  readonly bodyLimit?: number;
  /** Maximum length of a URI in characters, if it differs from the usual one. */
  readonly uriLimit?: number;
}

/**
 * Where a document stands whose readers know the host alone: at its root, and below the base URL, for a proxy that passes nothing else to
 * the server.
 *
 * @param path begins with `/.well-known/`
 * @param prefix path of the base URL, `''` when it has none
 */
export function pathsOfHost(path: string, prefix: string): readonly string[] {
  return prefix === '' ? [path] : [path, `${prefix}${path}`];
}
