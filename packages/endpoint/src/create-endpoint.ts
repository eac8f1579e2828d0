import { buildRequest } from './build-request.ts';
import { copyData, overlay } from './data.ts';
import { failure, guarded } from './endpoint-error.ts';
import { type Place, parseBaseUrl, splitRoute } from './route.ts';
import { addDefaults, type Defaults, NO_DEFAULTS, settle, show } from './settings.ts';
import type { TypedEndpoint } from './types/openapi.ts';
import type { Endpoint, Options, Parameters, UrlObject } from './types/options.ts';
import { USER_AGENT } from './user-agent.ts';

export interface EndpointConfiguration extends Options {
  /** Absolute; a path, a trailing slash and a query are welcome. */
  readonly baseUrl: string | UrlObject;
  /** What requests call themselves; default `watchword-endpoint/<version>`. */
  readonly userAgent?: string;
  /** The `accept` header; default `application/json`. */
  readonly accept?: string;
}

/** The method and URL of a call, for its errors; undefined where they cannot be read. */
const nameOf = (defaults: Defaults, route: unknown): unknown => {
  try {
    const { method, url } =
      typeof route === 'string' ? splitRoute(route) : settle(defaults.settings, route as Options);
    return url && `${method.toUpperCase()} ${url}`;
  } catch {
    return route;
  }
};

/** What a call does, from its defaults, route, options and further parameters. */
type Finish<Result> = (
  defaults: Defaults,
  place: Place | undefined,
  given: Parameters | undefined,
  more: Parameters | undefined,
) => Result;

/** A function that is called as the endpoint function is. One closure is all that it costs. */
const callable =
  <Result>(defaults: Defaults, finish: Finish<Result>) =>
  (route: string | Options, options?: Parameters, more?: Parameters): Result => {
    try {
      return typeof route === 'string'
        ? finish(defaults, splitRoute(route), options, more)
        : finish(defaults, undefined, route, options);
    } catch (cause) {
      throw failure(cause, nameOf(defaults, route));
    }
  };

const DEFAULTS_OF = /* @__PURE__ */ Symbol();

/** What all endpoint functions inherit, made when it is asked for: so a new one costs little. */
const inherited = /* @__PURE__ */ (() => {
  const parts: ThisType<{ readonly [DEFAULTS_OF]: Defaults }> = {
    // Frozen down to the last list, but for `schema` and `request`
    get DEFAULTS() {
      const shown = show(this[DEFAULTS_OF]);
      const frozen = (value: unknown) => copyData(value, Object.freeze);
      return Object.freeze(overlay(shown, shown, frozen, new Set(['schema', 'request'])));
    },
    get defaults() {
      const defaults = this[DEFAULTS_OF];
      return guarded((options: Options) => derive(addDefaults(defaults, options)));
    },
    get merge() {
      return callable(this[DEFAULTS_OF], show);
    },
    get parse() {
      return callable(NO_DEFAULTS, buildRequest);
    },
    get url() {
      return callable(this[DEFAULTS_OF], (...call) => buildRequest(...call).url);
    },
  };
  return Object.setPrototypeOf(parts, Function.prototype);
})();

const derive = (defaults: Defaults): Endpoint => {
  // Before its property: V8 remembers what this makes of a function without any.
  const build = Object.setPrototypeOf(callable(defaults, buildRequest), inherited);
  build[DEFAULTS_OF] = defaults;
  return build;
};

interface CreateEndpoint {
  /**
   * An endpoint function for the API at `baseUrl`. Every other option, and every parameter, becomes a default.
   * @example
   * const acme = createEndpoint({ baseUrl: 'https://api.acme.example/v1', userAgent: 'acme-cli/2.0' });
   * @throws EndpointError `INVALID_URL`, `INVALID_HEADER`, `INVALID_METHOD`, `INVALID_OPTION`
   */
  (configuration: EndpointConfiguration): Endpoint;
  /**
   * The same for an API with a description: `Paths` are the types that openapi-typescript writes of it.
   * @example
   * const github = createEndpoint<paths>({ baseUrl: 'https://api.github.com' });
   */
  <Paths extends object>(configuration: EndpointConfiguration): TypedEndpoint<Paths>;
}

export const createEndpoint: CreateEndpoint = guarded(
  ({ userAgent = USER_AGENT, accept = 'application/json', ...options }: EndpointConfiguration) => {
    const headers = { accept, 'user-agent': userAgent };
    const defaults = addDefaults(addDefaults(NO_DEFAULTS, { headers }), options);
    parseBaseUrl(defaults.settings.baseUrl as string);
    return derive(defaults) as never;
  },
);
