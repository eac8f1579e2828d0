import { buildRequest, buildUrl, type Finish } from './build-request.ts';
import { copyData, overlay } from './data.ts';
import { failure, guarded } from './endpoint-error.ts';
import type { TypedEndpoint } from './openapi-types.ts';
import { parseBaseUrl, splitRoute } from './route.ts';
import { addDefaults, type Defaults, NO_DEFAULTS, settle, show } from './settings.ts';
import type { Endpoint, MergedOptions, Options, Parameters, UrlObject } from './types.ts';
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
const nameOf = (defaults: Defaults, route: unknown): string | undefined => {
  const isRoute = typeof route === 'string';
  try {
    const { method, url } = isRoute ? splitRoute(route) : settle(defaults.settings, route as Options);
    return url && `${method.toUpperCase()} ${url}`;
  } catch {
    return isRoute ? route : undefined;
  }
};

const run = <Result>(
  defaults: Defaults,
  finish: Finish<Result>,
  route: string | Options,
  options: Parameters | undefined,
  more: Parameters | undefined,
): Result => {
  try {
    return typeof route === 'string'
      ? finish(defaults, splitRoute(route), options, more)
      : finish(defaults, undefined, route, options);
  } catch (cause) {
    throw failure(cause, nameOf(defaults, route));
  }
};

/** A function that is called as the endpoint function is. One closure is all that it costs. */
const callable =
  <Result>(defaults: Defaults, finish: Finish<Result>) =>
  (route: string | Options, options?: Parameters, more?: Parameters): Result =>
    run(defaults, finish, route, options, more);

const merge: Finish<MergedOptions> = (defaults, place, given) => {
  const settings = settle(defaults.settings, given, place !== undefined);
  return show(settings, place ?? settings, defaults, given);
};

/** All defaults, frozen down to the last list, but for `schema` and `request`. */
const freeze = (defaults: Defaults): MergedOptions => {
  const { schema, request, ...rest } = merge(defaults, undefined, undefined);
  const frozen = { ...(copyData(rest, Object.freeze) as Record<string, unknown>) };
  return Object.freeze(overlay(frozen, { schema, request })) as unknown as MergedOptions;
};

const DEFAULTS_OF = Symbol('defaults');

/** What all endpoint functions inherit, so that a new one costs little: few are asked for more than one part. */
const inherited = Object.create(Function.prototype);

for (const [name, make] of Object.entries<(defaults: Defaults) => unknown>({
  DEFAULTS: freeze,
  defaults: (defaults) => guarded((options: Options) => derive(addDefaults(defaults, options))),
  merge: (defaults) => callable(defaults, merge),
  parse: () => callable(NO_DEFAULTS, buildRequest),
  url: (defaults) => callable(defaults, buildUrl),
})) {
  Object.defineProperty(inherited, name, {
    // When it is first asked for; then it is the function's own.
    get(this: { readonly [DEFAULTS_OF]: Defaults }) {
      const value = make(this[DEFAULTS_OF]);
      Object.defineProperty(this, name, { value, enumerable: true });
      return value;
    },
  });
}

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
    const named = addDefaults(NO_DEFAULTS, { headers: { accept, 'user-agent': userAgent } });
    const defaults = addDefaults(named, options);
    parseBaseUrl(defaults.settings.baseUrl as string);
    return derive(defaults) as never;
  },
);
