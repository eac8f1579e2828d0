import { OAuthError } from '@watchword/protocol';
import createRouter, { type HTTPVersion } from 'find-my-way';
import { preflight } from './cors.ts';
import type { Endpoint, Handler, OriginCheck } from './endpoint.ts';

/** The route of a request target, and its variable parts. */
export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** An endpoint with a handler for each of its methods. */
export interface Route {
  readonly path: string;
  /** The path in log and metrics. */
  readonly label: string;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly page: boolean;
  readonly isTraced: boolean;
  readonly isProbe: boolean;
  readonly anyHost: boolean;
  readonly origins: OriginCheck | undefined;
  readonly bodyLimit: number | undefined;
  readonly uriLimit: number | undefined;
  /** The value of `Allow`. */
  readonly allow: string;
}

/** Finds the endpoint of a path. An exact path takes precedence over a path with variable parts. */
export class Router {
  readonly #routes: readonly Route[];
  /** Paths without variable parts, as nearly every client writes them. */
  readonly #exact = new Map<string, Match>();
  #paths: Paths | undefined;

  constructor(endpoints: readonly Endpoint[]) {
    this.#routes = endpoints.map(routeOf);
    for (const route of this.#routes) {
      if (this.#exact.has(route.path)) throw new Error(`two endpoints have the path ${route.path}`);
      if (!/[:*]/.test(route.path)) this.#exact.set(route.path, { route, parameters: noParameters });
    }
  }

  /**
   * @param url the request target in origin form: a path with or without a query
   * @returns `undefined` if there is no such endpoint
   * @throws OAuthError `invalid_request` for a malformed path
   */
  find(url: string): Match | undefined {
    const end = url.indexOf('?');
    const exact = this.#exact.get(end === -1 ? url : url.slice(0, end));
    if (exact !== undefined) return exact;
    // `*` is the server as a whole and not a path (RFC 9112 §3.2.4).
    if (url === '*') return undefined;
    // Made when it is first needed: it takes a start 8 ms.
    this.#paths ??= pathsOf(this.#routes);
    const found = this.#paths.find('GET', url);
    if (found === null) return undefined;
    const route: Route | null = found.store;
    if (route === null) {
      throw new OAuthError('invalid_request', {
        description: 'The request URI is malformed.',
        rule: 'http_request',
      });
    }
    return { route, parameters: found.params };
  }
}

const noParameters = {};

type Paths = ReturnType<typeof createRouter<HTTPVersion.V1>>;

function pathsOf(routes: readonly Route[]): Paths {
  const paths = createRouter<HTTPVersion.V1>({
    // Not parsed here: an endpoint that uses the query parses it strictly.
    querystringParser: () => noParameters,
    // Used for a malformed path, without a route.
    onBadUrl: () => {},
    onMaxParamLength: () => {},
    // The id of a JWT is some hundred characters long.
    maxParamLength: 2000,
  });
  // Methods are looked up in the route, so that an existing path is found for any method.
  for (const route of routes) paths.on('GET', route.path, () => {}, route);
  return paths;
}

function routeOf(endpoint: Endpoint): Route {
  const {
    path,
    label = path,
    methods,
    page = false,
    hasEffects = false,
    isProbe = false,
    isTraced = !isProbe,
    anyHost = false,
  } = endpoint;
  const { origins, bodyLimit, uriLimit } = endpoint;
  const handlers = new Map<string, Handler>();
  for (const [method, handler] of Object.entries(methods)) {
    handlers.set(method, handler);
    if (method === 'GET' && !hasEffects) handlers.set('HEAD', handler);
  }
  if (origins !== undefined) handlers.set('OPTIONS', preflight([...handlers.keys()], origins));
  const allow = [...handlers.keys()].join(', ');
  return { path, label, handlers, page, isTraced, isProbe, anyHost, origins, bodyLimit, uriLimit, allow };
}
