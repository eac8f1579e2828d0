import { dpopWindow } from '@watchword/proofs';
import { platform } from '../platform/platform.ts';
import { ConfigurationError, type OptionError } from './configuration-error.ts';
import {
  aFunction,
  certificateForm,
  credential,
  displayName,
  headerName,
  type Kind,
  listOf,
  longSecret,
  oneOrMore,
  proofAlgorithm,
  proofStore,
  proxies,
  resourceUri,
  scopeName,
  truth,
  webAddress,
  webPage,
  wholeNumber,
} from './kinds.ts';
import type {
  CacheOptions,
  ClientCertificateOptions,
  DpopOptions,
  JwtOptions,
  ResourceMetadata,
  TokenVerifierOptions,
} from './token-verifier-options.ts';

/** The options that can come from the environment. */
export const connectionKinds = {
  url: webAddress,
  tokenInfoUrl: webAddress,
  key: credential,
  secret: credential,
  jsonTypeInfoIncluded: truth,
  issuer: webAddress,
  resource: resourceUri,
  publicUrl: oneOrMore(webAddress),
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
  'dpop.algorithms': listOf(proofAlgorithm),
  'dpop.window': wholeNumber(1000, 600_000, 'milliseconds'),
  'dpop.usedProofs': proofStore,
  'dpop.nonceSecret': longSecret,
  'clientCertificate.header': headerName,
  'clientCertificate.form': certificateForm,
  'clientCertificate.trustedProxies': proxies,
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
  dpop: 'without it there are defaults',
  clientCertificate: 'without it there is none',
  resourceMetadata: 'without resource there are none',
} as const;

type Group = keyof typeof groups;

/** Options with every default filled in. */
export interface Settings
  extends Omit<TokenVerifierOptions, 'url' | 'tokenInfoUrl' | 'timeout' | 'resource' | 'publicUrl' | Group> {
  /** The one of the two that was given; the base URL without a slash at its end. */
  readonly server: { readonly url: string } | { readonly tokenInfoUrl: string };
  readonly timeout: number;
  readonly resource: readonly string[];
  readonly resourceMetadata: ResourceMetadata;
  /** Without slashes at their ends. */
  readonly publicUrl: readonly string[];
  readonly clientCertificate: ClientCertificateOptions | undefined;
  readonly dpop: DpopOptions & { readonly window: number };
  readonly cache: Readonly<Record<keyof CacheOptions, number>>;
  readonly jwt: { readonly [Name in keyof JwtOptions]-?: NonNullable<JwtOptions[Name]> };
}

/** @throws ConfigurationError with every error at once */
export function readOptions(options: TokenVerifierOptions): Settings {
  const { cache, jwt, dpop, clientCertificate, resourceMetadata, ...flat } = Object(
    options,
  ) as TokenVerifierOptions;
  const grouped = Object.entries({ cache, jwt, dpop, clientCertificate, resourceMetadata }).map(
    ([name, value]) => membersOf(name as Group, value),
  );
  const errors = [
    ...optionErrors(Object.assign({ ...flat }, ...grouped.map(({ members }) => members))),
    ...grouped.flatMap((group) => group.errors),
  ];
  if (errors.length > 0) throw new ConfigurationError('The options of createTokenVerifier', errors);
  const { url, tokenInfoUrl, resource = [], publicUrl, ...rest } = flat;
  const resources = [resource].flat();
  const base = url?.replace(/\/+$/, '');
  return {
    ...rest,
    server: base === undefined ? { tokenInfoUrl: String(tokenInfoUrl) } : { url: base },
    issuer: rest.issuer ?? base,
    timeout: rest.timeout ?? 5000,
    resource: resources,
    resourceMetadata: resourceMetadata ?? {},
    publicUrl: [publicUrl ?? resources.map((uri) => new platform.URL(uri).origin)]
      .flat()
      .map((base) => base.replace(/\/+$/, '')),
    clientCertificate,
    dpop: { ...dpop, window: dpop?.window ?? dpopWindow },
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
  return [
    ...addressErrors(values, nameOf),
    ...errors,
    ...resourceErrors(values, nameOf),
    ...certificateErrors(values),
  ];
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

/** A header without its form, or from anybody, would be of no use, or a hole. */
function certificateErrors(values: Readonly<Record<string, unknown>>): OptionError[] {
  const names = Object.keys(optionKinds).filter((name) => name.startsWith('clientCertificate.'));
  if (names.every((name) => values[name] === undefined)) return [];
  return names.flatMap((name) =>
    values[name] === undefined
      ? [{ name, problem: `expected ${optionKinds[name]?.expected}, got nothing` }]
      : [],
  );
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
