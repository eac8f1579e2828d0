import { createEndpoint } from '@watchword/endpoint';
import { platform } from '../platform/platform.ts';
import { userAgent } from '../user-agent.ts';

/**
 * Makes requests to addresses as they stand: routes have the placeholder `{+path}`. The last address is kept, because it hardly ever
 * changes.
 */
export function requestsTo(headers: Readonly<Record<string, string>> = {}): (address: string) => Request {
  let last: { readonly address: string; readonly request: Request } | undefined;
  return (address) => {
    if (last?.address !== address) last = { address, request: requestTo(address, headers) };
    return last.request;
  };
}

type Request = ReturnType<typeof requestTo>;

function requestTo(address: string, headers: Readonly<Record<string, string>>) {
  const { origin, pathname } = new platform.URL(address);
  const segment = pathname.lastIndexOf('/');
  // All but the last segment stands in the base URL, where `//` and the like are text as any other.
  const baseUrl = `${origin}${pathname.slice(0, segment)}/`;
  return createEndpoint({ baseUrl, userAgent }).defaults({ headers, path: pathname.slice(segment) });
}
