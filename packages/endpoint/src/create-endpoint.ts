import { buildRequest } from './build-request.ts';
import { overlay } from './data.ts';
import { guarded } from './endpoint-error.ts';
import { parseBaseUrl, splitRoute } from './route.ts';
import { NO_SETTINGS, OPTIONS, parametersOf, type Settings, settle, show, toOptions } from './settings.ts';
import type { Endpoint, Options, Parameters, RequestOptions, UrlObject } from './types.ts';
import { USER_AGENT } from './user-agent.ts';

export interface EndpointConfiguration extends Options {
  /** Absolute; a path, a trailing slash and a query are welcome. */
  readonly baseUrl: string | UrlObject;
  /** What requests call themselves; default `watchword-endpoint/<version>`. */
  readonly userAgent?: string;
  /** The `accept` header; default `application/json`. */
  readonly accept?: string;
}

const hasOption = (given: Options): boolean => Object.keys(given).some((name) => OPTIONS.has(name));

const buildAll = (settings: Settings, more?: Parameters): RequestOptions =>
  buildRequest(settings, overlay(parametersOf(settings), more));

const derive = (settings: Settings): Endpoint => {
  const DEFAULTS = show(settings, Object.freeze);
  // Read back from the frozen copy, so that nothing a caller still holds can change the defaults.
  const defaults = overlay(
    { ...NO_SETTINGS },
    { ...DEFAULTS, method: settings.method },
  ) as unknown as Settings;
  const parameters = parametersOf(defaults);
  const endpoint = guarded((route: string | Options, options?: Options | null, more?: Parameters) => {
    const given = options ?? {};
    // Most calls change no option: the defaults will do as they are.
    return typeof route === 'string' && !hasOption(given)
      ? buildRequest(
          defaults,
          parameters || more ? overlay(overlay({ ...parameters }, given), more) : given,
          splitRoute(route),
        )
      : buildAll(settle(defaults, toOptions(route, given)), more);
  });
  return Object.assign(endpoint, {
    DEFAULTS,
    defaults: guarded((options: Options) => derive(settle(defaults, options))),
    merge: guarded((route: string | Options, options?: Options) =>
      show(settle(defaults, toOptions(route, options))),
    ),
    parse: guarded((options: Options) => buildAll(settle(NO_SETTINGS, options))),
  }) as Endpoint;
};

/**
 * An endpoint function for the API at `baseUrl`. Every other option, and every parameter, becomes a default.
 * @throws EndpointError `INVALID_URL`, `INVALID_HEADER`, `INVALID_METHOD`
 */
export const createEndpoint = guarded(
  ({ userAgent = USER_AGENT, accept = 'application/json', ...options }: EndpointConfiguration): Endpoint => {
    const settings = settle(settle(NO_SETTINGS, { headers: { accept, 'user-agent': userAgent } }), options);
    parseBaseUrl(settings.baseUrl as string);
    return derive(settings);
  },
);
