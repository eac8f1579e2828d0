import type { Fetch } from '../platform/platform.ts';
import { ConfigurationError, type OptionError } from './configuration-error.ts';
import {
  aFunction,
  credential,
  displayName,
  type Kind,
  listOf,
  resourceUri,
  scopeName,
  truth,
  webAddress,
  webPage,
  wholeNumber,
} from './kinds.ts';

export interface CacheOptions {
  /** Milliseconds for which token info is used, at most until the token expires; 0 = not at all. Default 5 minutes. */
  readonly ttl?: number | undefined;
  /**
   * Maximum number of stored answers for valid tokens, and of those for invalid tokens. The answer that was unused for
   * the longest time is removed first. Default 10,000.
   */
  readonly maxEntries?: number | undefined;
  /** Milliseconds for which a stored rejection is used. Default 5 seconds. */
  readonly negativeTtl?: number | undefined;
  /**
   * Milliseconds beyond `ttl`, and for JWTs beyond `jwt.maxListAge`, for which what is known may serve while the authorization
   * server does not answer. Never beyond the token's expiry. Default 0, not at all.
   */
  readonly staleIfError?: number | undefined;
}

export interface JwtOptions {
  /** Whether JWT access tokens are verified here; otherwise each is a lookup, as an opaque token is. Default true. */
  readonly local?: boolean | undefined;
  /**
   * Milliseconds by which the clocks of API and server can differ: a token is accepted for so long after its expiry, and an answer
   * of the revocation feed counts as so much younger than its time says; at most a minute. Default 5 seconds.
   */
  readonly clockTolerance?: number | undefined;
  /**
   * Milliseconds for which the list of revocations is relied on after the server has confirmed it by a signature. When it is older,
   * each JWT is a lookup, and 503 where that fails. Default 10 seconds.
   */
  readonly maxListAge?: number | undefined;
}

/** What the metadata of this API say beside, with the names of RFC 9728 §2. */
export interface ResourceMetadata {
  /** Issuers that tokens for this API come from. Default: `issuer`, else `url`. */
  readonly authorization_servers?: readonly string[] | undefined;
  /** Scopes that clients ask for. Default: those of the `protect` that serves the document. */
  readonly scopes_supported?: readonly string[] | undefined;
  /** The name of this API, for people. */
  readonly resource_name?: string | undefined;
  /** Web page for developers. */
  readonly resource_documentation?: string | undefined;
  /** Web page with the rules for the use of its data. */
  readonly resource_policy_uri?: string | undefined;
  /** Web page with its terms of service. */
  readonly resource_tos_uri?: string | undefined;
}

export interface TokenVerifierOptions {
  /**
   * Base URL of the authorization server, which is its issuer: `https://id.example.com`. The server names all other addresses in its
   * metadata (RFC 8414), which are fetched for the first token.
   */
  readonly url?: string | undefined;
  /** In place of `url`: token info of the authorization server, `https://id.example.com/v1/tokeninfo`. */
  readonly tokenInfoUrl?: string | undefined;
  /** Key of this API, a resource server in the authorization server's words. */
  readonly key: string;
  readonly secret: string;
  /**
   * The same as the server's setting `adminService.jsonTypeInfoIncluded`. Default: with `url` what the metadata of the server say, else
   * false.
   */
  readonly jsonTypeInfoIncluded?: boolean | undefined;
  /**
   * `iss` of JWT access tokens, and the issuer of the metadata. Default: `url`; without it, what the server states when this API
   * authenticates to it.
   */
  readonly issuer?: string | undefined;
  /**
   * The URI of this API, as its clients name it (RFC 8707) and as its resource server has it in `resources`; several if clients know it by
   * several. With it, a token for another one is refused, and `protect` serves the metadata of this API (RFC 9728).
   */
  readonly resource?: string | readonly string[] | undefined;
  readonly resourceMetadata?: ResourceMetadata | undefined;
  readonly jwt?: JwtOptions | undefined;
  readonly cache?: CacheOptions | undefined;
  /** Milliseconds that a lookup may take, waiting and a second attempt included. Default 5,000. */
  readonly timeout?: number | undefined;
  /** Sends requests in place of the platform's `fetch`, for a proxy, a private certificate authority, tracing. */
  readonly fetch?: Fetch | undefined;
  /** Takes messages for operators, at most one a second of a kind. Default `console.warn`. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** The options that can come from the environment. */
export const connectionKinds = {
  url: webAddress,
  tokenInfoUrl: webAddress,
  key: credential,
  secret: credential,
  jsonTypeInfoIncluded: truth,
  issuer: webAddress,
  resource: resourceUri,
} as const;

const hour = 3_600_000;

const otherKinds = {
  timeout: wholeNumber(1, 60_000, 'milliseconds'),
  fetch: aFunction,
  warn: aFunction,
  'resourceMetadata.authorization_servers': listOf(webAddress),
  'resourceMetadata.scopes_supported': listOf(scopeName),
  'resourceMetadata.resource_name': displayName,
  'resourceMetadata.resource_documentation': webPage,
  'resourceMetadata.resource_policy_uri': webPage,
  'resourceMetadata.resource_tos_uri': webPage,
  'jwt.local': truth,
  'jwt.clockTolerance': wholeNumber(0, 60_000, 'milliseconds'),
  'jwt.maxListAge': wholeNumber(2000, 60_000, 'milliseconds'),
  'cache.ttl': wholeNumber(0, 24 * hour, 'milliseconds'),
  'cache.maxEntries': wholeNumber(1, 10_000_000, 'entries'),
  'cache.negativeTtl': wholeNumber(0, 60_000, 'milliseconds'),
  'cache.staleIfError': wholeNumber(0, hour, 'milliseconds'),
} as const;

const required = ['key', 'secret'];

/** All options by name. Those in a group have its name before them. */
export const optionKinds: Readonly<Record<string, Kind>> = { ...connectionKinds, ...otherKinds };

const groups = {
  cache: 'ttl: 0 switches it off',
  jwt: 'local: false switches it off',
  resourceMetadata: 'without resource there are none',
} as const;

type Group = keyof typeof groups;

/** Options with every default filled in. */
export interface Settings
  extends Omit<TokenVerifierOptions, 'url' | 'tokenInfoUrl' | 'timeout' | 'resource' | Group> {
  /** The one of the two that was given; the base URL without a slash at its end. */
  readonly server: { readonly url: string } | { readonly tokenInfoUrl: string };
  readonly timeout: number;
  readonly resource: readonly string[];
  readonly resourceMetadata: ResourceMetadata;
  readonly cache: Readonly<Record<keyof CacheOptions, number>>;
  readonly jwt: { readonly [Name in keyof JwtOptions]-?: NonNullable<JwtOptions[Name]> };
}

/** @throws ConfigurationError with every error at once */
export function readOptions(options: TokenVerifierOptions): Settings {
  const { cache, jwt, resourceMetadata, ...flat } = Object(options) as TokenVerifierOptions;
  const grouped = Object.entries({ cache, jwt, resourceMetadata }).map(([name, value]) =>
    membersOf(name as Group, value),
  );
  const errors = [
    ...optionErrors(Object.assign({ ...flat }, ...grouped.map(({ members }) => members))),
    ...grouped.flatMap((group) => group.errors),
  ];
  if (errors.length > 0) throw new ConfigurationError('The options of createTokenVerifier', errors);
  const { url, tokenInfoUrl, resource = [], ...rest } = flat;
  const base = url?.replace(/\/+$/, '');
  return {
    ...rest,
    server: base === undefined ? { tokenInfoUrl: String(tokenInfoUrl) } : { url: base },
    issuer: rest.issuer ?? base,
    timeout: rest.timeout ?? 5000,
    resource: typeof resource === 'string' ? [resource] : resource,
    resourceMetadata: resourceMetadata ?? {},
    cache: {
      ttl: cache?.ttl ?? 300_000,
      maxEntries: cache?.maxEntries ?? 10_000,
      negativeTtl: cache?.negativeTtl ?? 5000,
      staleIfError: cache?.staleIfError ?? 0,
    },
    jwt: {
      local: jwt?.local ?? true,
      clockTolerance: jwt?.clockTolerance ?? 5000,
      maxListAge: jwt?.maxListAge ?? 10_000,
    },
  };
}

/** The options of a group, with its name before them. */
function membersOf(
  group: Group,
  value: unknown,
): { members: Record<string, unknown>; errors: OptionError[] } {
  if (value !== undefined && (typeof value !== 'object' || value === null)) {
    const problem = `expected an object, got ${value}; ${groups[group]}`;
    return { members: {}, errors: [{ name: group, problem }] };
  }
  const entries = Object.entries(Object(value)).map(([name, member]) => [`${group}.${name}`, member]);
  return { members: Object.fromEntries(entries), errors: [] };
}

/**
 * What is wrong with values by name. An unknown name is an error: else a misspelt option would silently have no effect.
 */
export function optionErrors(
  values: Readonly<Record<string, unknown>>,
  nameOf: (option: string) => string = (option) => option,
): OptionError[] {
  const names = new Set([...required, ...Object.keys(values)]);
  const errors = [...names].flatMap((option) => {
    const value = values[option];
    if (value === undefined && !required.includes(option)) return [];
    const kind = Object.hasOwn(optionKinds, option) ? optionKinds[option] : undefined;
    if (kind?.isValid(value)) return [];
    const problem =
      kind === undefined
        ? `expected one of ${Object.keys(optionKinds).join(', ')}`
        : `expected ${kind.expected}, got ${kind.show(value)}`;
    return [{ name: nameOf(option), problem }];
  });
  return [...addressErrors(values, nameOf), ...errors, ...resourceErrors(values, nameOf)];
}

/** Two addresses could be of two servers. */
function addressErrors(
  { url, tokenInfoUrl }: Readonly<Record<string, unknown>>,
  nameOf: (option: string) => string,
): OptionError[] {
  const given = [url, tokenInfoUrl].filter((value) => value !== undefined).length;
  const isTokenInfo = given === 1 && /\/tokeninfo\/*$/i.test(String(url));
  if (given === 1 && !isTokenInfo) return [];
  const came = isTokenInfo ? webAddress.show(url) : given === 0 ? 'nothing' : 'both';
  const problem = `expected the base URL of the server, or ${nameOf('tokenInfoUrl')} in its place, got ${came}`;
  return [{ name: nameOf('url'), problem }];
}

/** What metadata of this API would lack. */
function resourceErrors(
  values: Readonly<Record<string, unknown>>,
  nameOf: (option: string) => string,
): OptionError[] {
  const { resource, url, issuer, 'resourceMetadata.authorization_servers': servers } = values;
  if (resource === undefined) {
    const isMeant = Object.keys(values).some((name) => name.startsWith('resourceMetadata.'));
    const problem = 'expected the URI that resourceMetadata are of, got nothing';
    return isMeant ? [{ name: nameOf('resource'), problem }] : [];
  }
  if ([url, issuer, servers].some((value) => value !== undefined)) return [];
  const problem = `expected the issuer of the server, which clients with ${nameOf('resource')} go to, got nothing`;
  return [{ name: nameOf('issuer'), problem }];
}
