import { buildRequest } from './build-request.ts';
import { overlay } from './data.ts';
import { parseBaseUrl, splitRoute } from './route.ts';
import { NO_SETTINGS, OPTIONS, parametersOf, type Settings, settle, show } from './settings.ts';
import type { Endpoint, Options, Parameters, RequestOptions } from './types.ts';
import { USER_AGENT } from './user-agent.ts';

export interface EndpointConfiguration extends Options {
  /** Absolute; a path, a trailing slash and a query are welcome. */
  readonly baseUrl: string;
  /** What requests call themselves; default `@watchword/endpoint/<version>`. */
  readonly userAgent?: string;
  /** The `accept` header; default `application/json`. */
  readonly accept?: string;
}

function hasOption(given: Options): boolean {
  for (const name in given) if (OPTIONS.has(name)) return true;
  return false;
}

function buildAll(settings: Settings, more?: Parameters): RequestOptions {
  return buildRequest(settings, overlay(parametersOf(settings), more));
}

function derive(before: Settings, changes: Options): Endpoint {
  const DEFAULTS = show(settle(before, changes), Object.freeze);
  // Read back from the frozen copy, so that nothing a caller still holds can change the defaults.
  const defaults = settle(NO_SETTINGS, DEFAULTS);
  const parameters = parametersOf(defaults);
  const endpoint = (route: string | Options, options?: Options | null, more?: Parameters) => {
    const given = options ?? {};
    // Most calls change no option: the defaults will do as they are.
    return typeof route === 'string' && !hasOption(given)
      ? buildRequest(
          defaults,
          parameters || more ? overlay(overlay({ ...parameters }, given), more) : given,
          splitRoute(route),
        )
      : buildAll(settle(defaults, route, given), more);
  };
  return Object.assign(endpoint, {
    DEFAULTS,
    defaults: (options: Options) => derive(defaults, options),
    merge: (route: string | Options, options?: Options) => show(settle(defaults, route, options)),
    parse: (options: Options) => buildAll(settle(NO_SETTINGS, options)),
  }) as Endpoint;
}

/**
 * An endpoint function for the API at `baseUrl`. Every other option, and every parameter, becomes a default.
 * @throws EndpointError `INVALID_URL`, `INVALID_HEADER`, `INVALID_METHOD`
 */
export function createEndpoint(configuration: EndpointConfiguration): Endpoint {
  const { userAgent = USER_AGENT, accept = 'application/json', ...options } = configuration;
  parseBaseUrl(options.baseUrl);
  return derive(settle(NO_SETTINGS, { headers: { accept, 'user-agent': userAgent } }), options);
}
