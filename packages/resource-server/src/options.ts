import { ConfigurationError, type OptionError } from './configuration-error.ts';
import { aFunction, credential, type Kind, truth, webAddress, wholeNumber } from './kinds.ts';
import type { Fetch } from './platform.ts';

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
   * Milliseconds beyond `ttl` for which an answer may serve while the authorization server does not answer. Never
   * beyond the token's expiry. Default 0, not at all.
   */
  readonly staleIfError?: number | undefined;
}

export interface TokenVerifierOptions {
  /** Token info of the authorization server: `https://id.example.com/v1/tokeninfo`. */
  readonly tokenInfoUrl: string;
  /** Key of this API, a resource server in the authorization server's words. */
  readonly key: string;
  readonly secret: string;
  /** The same as the server's setting `adminService.jsonTypeInfoIncluded`. Default false. */
  readonly jsonTypeInfoIncluded?: boolean | undefined;
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
  tokenInfoUrl: webAddress,
  key: credential,
  secret: credential,
  jsonTypeInfoIncluded: truth,
} as const;

const hour = 3_600_000;

const otherKinds = {
  timeout: wholeNumber(1, 60_000, 'milliseconds'),
  fetch: aFunction,
  warn: aFunction,
  'cache.ttl': wholeNumber(0, 24 * hour, 'milliseconds'),
  'cache.maxEntries': wholeNumber(1, 10_000_000, 'entries'),
  'cache.negativeTtl': wholeNumber(0, 60_000, 'milliseconds'),
  'cache.staleIfError': wholeNumber(0, hour, 'milliseconds'),
} as const;

const required = ['tokenInfoUrl', 'key', 'secret'];

/** All options by name. The options of the cache have a prefix. */
export const optionKinds: Readonly<Record<string, Kind>> = { ...connectionKinds, ...otherKinds };

/** Options with every default filled in. */
export interface Settings extends Omit<TokenVerifierOptions, 'jsonTypeInfoIncluded' | 'cache' | 'timeout'> {
  readonly jsonTypeInfoIncluded: boolean;
  readonly timeout: number;
  readonly cache: Readonly<Record<keyof CacheOptions, number>>;
}

/** @throws ConfigurationError with every error at once */
export function readOptions(options: TokenVerifierOptions): Settings {
  const { cache, ...rest } = Object(options) as TokenVerifierOptions;
  const isObject = cache === undefined || (typeof cache === 'object' && cache !== null);
  const inCache = Object.entries(isObject ? Object(cache) : {}).map(([name, value]) => [
    `cache.${name}`,
    value,
  ]);
  const errors = [
    ...optionErrors({ ...rest, ...Object.fromEntries(inCache) }),
    ...(isObject
      ? []
      : [{ name: 'cache', problem: `expected an object, got ${cache}; ttl: 0 switches it off` }]),
  ];
  if (errors.length > 0) throw new ConfigurationError('The options of createTokenVerifier', errors);
  return {
    ...rest,
    jsonTypeInfoIncluded: rest.jsonTypeInfoIncluded ?? false,
    timeout: rest.timeout ?? 5000,
    cache: {
      ttl: cache?.ttl ?? 300_000,
      maxEntries: cache?.maxEntries ?? 10_000,
      negativeTtl: cache?.negativeTtl ?? 5000,
      staleIfError: cache?.staleIfError ?? 0,
    },
  };
}

/**
 * What is wrong with values by name. An unknown name is an error: else a misspelt option would silently have no effect.
 */
export function optionErrors(
  values: Readonly<Record<string, unknown>>,
  nameOf: (option: string) => string = (option) => option,
): OptionError[] {
  const names = new Set([...required, ...Object.keys(values)]);
  return [...names].flatMap((option) => {
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
}
