import type { PathVariables } from './route.ts';

export type HeaderValue = string | number | boolean | null | undefined;

/** Null takes a default header away. A `Headers` object, a `Map` or a list of pairs will do, too. */
export type HeadersInput =
  | { readonly [name: string]: HeaderValue }
  | Iterable<readonly [string, HeaderValue]>;

export interface MediaType {
  /** `raw`, `html`, `text+json`, … */
  readonly format?: string | undefined;
  /** Names of GraphQL schema previews, with or without `-preview`. */
  readonly previews?: readonly string[] | undefined;
}

/** Values by name: they fill placeholders, the query, or the JSON body. */
export interface Parameters {
  readonly [name: string]: unknown;
}

/** A `URL`, in Node.js and browsers alike. */
export interface UrlObject {
  readonly href: string;
}

/** How lists and objects stand in the query. */
export interface ParameterStyle {
  /** `ids=1,2`, `ids=1&ids=2`, `ids[]=1&ids[]=2` or `ids[0]=1&ids[1]=2`; default: comma. */
  readonly arrays?: 'comma' | 'repeat' | 'brackets' | 'indices' | undefined;
  /** `filter=name,x` or `filter[name]=x`; default: form. */
  readonly objects?: 'form' | 'deepObject' | undefined;
}

export interface Style extends ParameterStyle {
  /** By the names of single parameters. */
  readonly parameters?: { readonly [name: string]: ParameterStyle } | undefined;
}

/** The part of [Standard Schema](https://standardschema.dev) that is used: any library that implements it will do. */
export interface StandardSchema {
  readonly '~standard': { readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult> };
}

export interface SchemaResult {
  readonly value?: unknown;
  readonly issues?: readonly SchemaIssue[] | undefined;
}

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema of all parameters of a call, or schemas of parameters and `data`. */
export type Schemas =
  | StandardSchema
  | { readonly parameters?: StandardSchema | undefined; readonly data?: StandardSchema | undefined };

export interface Options extends Parameters {
  /** Any HTTP method. Default: GET. It is not read if there is a route. */
  readonly method?: string | undefined;
  /** A path or full URL; an RFC 6570 template. Not read where a route is given. */
  readonly url?: string | UrlObject | undefined;
  readonly baseUrl?: string | UrlObject | undefined;
  readonly headers?: HeadersInput | undefined;
  readonly mediaType?: MediaType | undefined;
  /** The body itself, instead of a JSON body built from parameters. */
  readonly data?: unknown;
  /** Refuse what is legal and rarely meant: hidden slashes and dot segments, unused parameters, values that JSON has not. */
  readonly strict?: boolean | undefined;
  /** How lists and objects stand in the query, beside the template. */
  readonly style?: Style | undefined;
  /** What parameters and `data` must be. What the schema makes of them is sent. */
  readonly schema?: Schemas | undefined;
  /** Passed on unchanged, over the members of the defaults' where both are plain objects. */
  readonly request?: unknown;
}

/** What `merge` returns and `parse` takes: every default and option, and every parameter under its own name. */
export interface MergedOptions {
  /** Upper case. */
  method: string;
  /** Still a template. */
  url?: string;
  baseUrl?: string;
  headers: Record<string, string>;
  mediaType: MediaType;
  data?: unknown;
  strict?: boolean;
  style?: Style;
  schema?: Schemas;
  request?: unknown;
  [parameter: string]: unknown;
}

export interface RequestOptions {
  /** Lower case. */
  method: string;
  /** Full, percent-encoded. */
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** What goes into the body: data that a client sends as JSON, or text, bytes, a form, a stream. */
  body?: unknown;
  request?: unknown;
}

/** What a literal route's path still needs, `Given` being known already. */
export type Needed<Route extends string, Given extends PropertyKey> = {
  readonly [Name in Exclude<PathVariables<Route>, Given>]: NonNullable<unknown>;
};

/** Options with the path variables that are still needed; none have to be given where none are needed. */
type OptionsFor<Route extends string, Given extends PropertyKey> = [
  Exclude<PathVariables<Route>, Given>,
] extends [never]
  ? [options?: Options & { readonly [Name in PathVariables<Route>]?: unknown }]
  : [options: Options & Needed<Route, Given> & { readonly [Name in PathVariables<Route> & Given]?: unknown }];

/** `Given` are the names of parameters that the defaults hold. */
interface Build<Given extends PropertyKey, Result> {
  /**
   * From a route.
   * @param route `<METHOD> <url>`, or a URL, which goes with GET
   * @param options options and parameters, of which the variables of the path are required
   * @example
   * endpoint('GET /repos/{owner}/{repo}/issues', { owner: 'octocat', repo: 'hello-world', state: 'open' });
   */
  <const Route extends string>(route: Route, ...options: OptionsFor<Route, Given>): Result;
  /**
   * From options alone.
   * @param options with `url`, and with `method` if it is not GET
   * @example
   * endpoint({ method: 'POST', url: '/user/repos', name: 'hello-world' });
   */
  (options: Options): Result;
}

/** With a third argument. */
interface BuildWithParameters<Given extends PropertyKey, Result> {
  /**
   * From a route, and from parameters that can be untrusted.
   * @param route `<METHOD> <url>`, or a URL, which goes with GET
   * @param options options and parameters
   * @param parameters parameters only, by any name
   * @example
   * endpoint('GET /search/{kind}', { kind: 'code' }, Object.fromEntries(new URLSearchParams(location.search)));
   */
  // biome-ignore lint/style/useShorthandFunctionType: editors show the comment of a signature
  <const Route extends string, const Some extends Options>(
    route: Route,
    options: Some,
    parameters: Parameters & Needed<Route, Given | keyof Some>,
  ): Result;
}

interface BuildMore<Given extends PropertyKey, Result>
  extends Build<Given, Result>,
    BuildWithParameters<Given, Result> {}

/** Turns a route and parameters into request options; throws `EndpointError` only. */
export interface Endpoint<Given extends PropertyKey = never> extends BuildMore<Given, RequestOptions> {
  /** The defaults, deeply frozen. */
  readonly DEFAULTS: MergedOptions;
  /** A new endpoint function with `options` over this one's defaults; this one stays as it is. */
  readonly defaults: <const More extends Options>(options: More) => Endpoint<Given | keyof More>;
  /** The defaults and the options in one fresh object, for `parse`. */
  readonly merge: Build<Given, MergedOptions>;
  /** The full URL alone. */
  readonly url: BuildMore<Given, string>;
  /** Turns merged options into request options: `endpoint(o)` equals `endpoint.parse(endpoint.merge(o))`. */
  readonly parse: (options: Options) => RequestOptions;
}
