import { OAuthError } from '@watchword/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowOrigin, answerPreflight, type OriginCheck } from './cors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Answers a request: the value returned is sent as JSON; `undefined` means that the handler has sent. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** One address and the methods it answers. */
export interface Endpoint {
  readonly path: string;
  readonly methods: Readonly<Partial<Record<Method, Handler>>>;
  /** Scripts of these origins may read the answer (CORS). Absent: no script of another origin may. */
  readonly origins?: OriginCheck;
  /** People look at it: faults are answered with the error page and not with JSON. */
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

declare module 'fastify' {
  interface FastifyContextConfig {
    page?: boolean;
    bodyLimit?: number | undefined;
    uriLimit?: number | undefined;
  }
}

/** Registers the endpoints; any other method of theirs is 405 with `Allow`, any other address is 404. */
export function registerEndpoints(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const allowed = new AllowedMethods();
  for (const endpoint of endpoints) {
    const { path, methods, origins, page = false, bodyLimit, uriLimit } = endpoint;
    const hooks = origins === undefined ? {} : { onRequest: allowOrigin(origins) };
    const names = methodsOf(endpoint);
    const exposeHeadRoute = names.includes('HEAD');
    const config = { page, bodyLimit, uriLimit };
    for (const [method, handler] of Object.entries(methods)) {
      app.route({ method, url: path, handler, exposeHeadRoute, config, ...hooks });
    }
    if (origins !== undefined) {
      app.route({ method: 'OPTIONS', url: path, handler: answerPreflight(names), ...hooks });
      names.push('OPTIONS');
    }
    allowed.add(path, names);
  }
  refuseOtherMethods(app, endpoints, allowed);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allow = allowed.of(path);
    if (allow === undefined) throw new OAuthError('not_found');
    reply.header('allow', allow);
    throw new OAuthError('method_not_allowed');
  });
}

/** Else `/records/statistics` would be taken for a record, by the methods that it does not have and records have. */
function refuseOtherMethods(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  allowed: AllowedMethods,
): void {
  for (const endpoint of endpoints) {
    const { path } = endpoint;
    const own = methodsOf(endpoint);
    const others = endpoints
      .filter((other) => other.path.includes(':') && patternOf(other.path).test(path) && other.path !== path)
      .flatMap(methodsOf)
      .filter((method) => !own.includes(method));
    for (const method of new Set(others)) {
      app.route({
        method,
        url: path,
        handler: (_request, reply) => {
          reply.header('allow', allowed.of(path));
          throw new OAuthError('method_not_allowed');
        },
      });
    }
  }
}

/** The methods that an address answers, HEAD included. */
function methodsOf({ methods, hasEffects = false }: Endpoint): string[] {
  return Object.keys(methods).flatMap((method) =>
    method === 'GET' && !hasEffects ? ['GET', 'HEAD'] : [method],
  );
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}

/** Which methods there are for an address, also where parts of it vary (`/records/:id`). */
class AllowedMethods {
  readonly #exact = new Map<string, string>();
  readonly #patterns: { readonly pattern: RegExp; readonly allow: string }[] = [];

  add(path: string, names: readonly string[]): void {
    const allow = names.join(', ');
    if (!path.includes(':')) this.#exact.set(path, allow);
    else this.#patterns.push({ pattern: patternOf(path), allow });
  }

  of(path: string): string | undefined {
    return this.#exact.get(path) ?? this.#patterns.find(({ pattern }) => pattern.test(path))?.allow;
  }
}
