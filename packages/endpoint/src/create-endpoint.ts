import { buildRequest, buildUrl } from './build-request.ts';
import { copyData } from './data.ts';
import { guarded, showRoute } from './endpoint-error.ts';
import type { TypedEndpoint } from './openapi-types.ts';
import { type Place, parseBaseUrl, splitRoute } from './route.ts';
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

type Finish<Result> = (
  defaults: Defaults,
  place: Place | undefined,
  given: Parameters | undefined,
  more?: Parameters,
) => Result;

/** The method and URL of a call, for its errors; undefined where they cannot be read. */
const nameOf = (defaults: Defaults, route: unknown): string | undefined => {
  try {
    const { method, url } =
      typeof route === 'string' ? splitRoute(route) : settle(defaults.settings, route as Options);
    return url ? showRoute(method, url) : undefined;
  } catch {
    return typeof route === 'string' ? showRoute('', route).trim() : undefined;
  }
};

/** A function that is called as the endpoint function is. */
const callable = <Result>(defaults: Defaults, finish: Finish<Result>) =>
  guarded(
    (route: string | Options, options?: Options, more?: Parameters) =>
      typeof route === 'string'
        ? finish(defaults, splitRoute(route), options, more)
        : finish(defaults, undefined, route, more),
    (route) => nameOf(defaults, route),
  );

const merge: Finish<MergedOptions> = (defaults, place, given) => {
  const settings = settle(defaults.settings, given, place !== undefined);
  return show(settings, place ?? settings, defaults, given);
};

const parse = guarded(
  (options: Options) => buildRequest(NO_DEFAULTS, undefined, options),
  (options) => nameOf(NO_DEFAULTS, options),
);

/** All defaults, frozen down to the last list, but for `schema` and `request`. */
const freeze = (defaults: Defaults): MergedOptions => {
  const frozen: Record<string, unknown> = merge(defaults, undefined, undefined);
  for (const name of Object.keys(frozen)) {
    if (name !== 'request' && name !== 'schema') frozen[name] = copyData(frozen[name], Object.freeze);
  }
  return Object.freeze(frozen as unknown as MergedOptions);
};

const DEFAULTS_OF = Symbol('defaults');

/** A property that is made when it is first asked for; then it is the function's own. */
const lazy = <Value>(name: string, make: (defaults: Defaults) => Value): PropertyDescriptor => ({
  get(this: { readonly [DEFAULTS_OF]: Defaults }) {
    const value = make(this[DEFAULTS_OF]);
    Object.defineProperty(this, name, { value, enumerable: true });
    return value;
  },
});

/** What all endpoint functions inherit, so that a new one costs little: few are asked for more than one part. */
const inherited = Object.create(Function.prototype, {
  DEFAULTS: lazy('DEFAULTS', freeze),
  defaults: lazy('defaults', (defaults) =>
    guarded((options: Options) => derive(addDefaults(defaults, options))),
  ),
  merge: lazy('merge', (defaults) => callable(defaults, merge)),
  parse: lazy('parse', () => parse),
  url: lazy('url', (defaults) => callable(defaults, buildUrl)),
});

const derive = (defaults: Defaults): Endpoint => {
  const build = callable(defaults, buildRequest) as unknown as { [DEFAULTS_OF]?: Defaults };
  build[DEFAULTS_OF] = defaults;
  return Object.setPrototypeOf(build, inherited);
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
