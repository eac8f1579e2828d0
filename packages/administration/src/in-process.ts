import { parseParameters } from '@watchword/protocol';
import type { Caller } from './callers/caller.ts';
import { ifMatch } from './requests/entity-tags.ts';
import { parseJsonBody } from './requests/json-body.ts';
import type { Route } from './route.ts';

/**
 * `fetch` over the routes, without a network, for a client of the administration interface. The caller is a value and no part of a
 * request: nobody can be this caller over the network. It rejects with the error of the rule that a request breaks.
 */
export function inProcessFetch(routes: readonly Route[], caller: Caller): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const { route, path } = routeOf(routes, request.method, pathname);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const answer = await route.handle({
      caller,
      path,
      query: parseParameters(search.slice(1), new Set(route.query?.map(({ name }) => name))),
      body: () => parseJsonBody({ type: request.headers.get('content-type') ?? undefined, bytes }),
      condition: ifMatch(request.headers.get('if-match') ?? undefined),
      prefix: '',
    });
    const text = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(text, { status: answer.status, headers: { ...answer.headers } });
  };
}

/** The route of a request, and the parts of its path that the route names. */
function routeOf(routes: readonly Route[], method: string, pathname: string) {
  const parts = pathname.split('/').map(decodeURIComponent);
  for (const route of routes) {
    const names = route.path.split('/');
    if (route.method !== method || names.length !== parts.length) continue;
    const path: Record<string, string> = {};
    const fits = names.every((name, index) => {
      const part = parts[index] ?? '';
      if (!name.startsWith('{')) return name === part;
      path[name.slice(1, -1)] = part;
      return true;
    });
    if (fits) return { route, path };
  }
  throw new Error(`the administration has no route ${method} ${pathname}`);
}
