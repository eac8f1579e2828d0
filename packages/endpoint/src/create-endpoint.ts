import { buildRequest } from './build-request.ts';
import { overlay, same } from './data.ts';
import { guarded } from './endpoint-error.ts';
import { parseBaseUrl, splitRoute } from './route.ts';
import { NO_SETTINGS, OPTIONS, parametersOf, type Settings, settle, show } from './settings.ts';
import type { Endpoint, Options, Parameters, UrlObject } from './types.ts';
import { USER_AGENT } from './user-agent.ts';

export interface EndpointConfiguration extends Options {
  /** Absolute; a path, a trailing slash and a query are welcome. */
  readonly baseUrl: string | UrlObject;
  /** What requests call themselves; default `watchword-endpoint/<version>`. */
  readonly userAgent?: string;
  /** The `accept` header; default `application/json`. */
  readonly accept?: string;
}

const derive = (settings: Settings, before: Parameters | undefined, options: Parameters): Endpoint => {
  const DEFAULTS = show(settings, before, options, Object.freeze);
  // Read back from the frozen copy, so that nothing a caller still holds can change the defaults.
  const defaults = settle(NO_SETTINGS, DEFAULTS as unknown as Parameters);
  const parameters = parametersOf(DEFAULTS as unknown as Parameters);
  type Finish<Result> = (settings: Settings, given: Parameters, more?: Parameters) => Result;
  const call = <Result>(finish: Finish<Result>) =>
    guarded((route: string | Options, options?: Options | null, more?: Parameters) =>
      typeof route === 'string'
        ? finish(settle(defaults, options, splitRoute(route)), options ?? {}, more)
        : finish(settle(defaults, route), route, more),
    );
  const build = call((settings, given, more) =>
    parameters || more
      ? buildRequest(settings, overlay(overlay({ ...parameters }, given, same, OPTIONS), more))
      : // Nothing to put together: what is given is not copied.
        buildRequest(settings, given, true),
  );
  return Object.assign(build, {
    DEFAULTS,
    defaults: guarded((options: Options) => derive(settle(defaults, options), parameters, options)),
    merge: call((settings, given) => show(settings, parameters, given)),
    parse: guarded((options: Options) => buildRequest(settle(NO_SETTINGS, options), options, true)),
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
    return derive(settings, undefined, options);
  },
);
