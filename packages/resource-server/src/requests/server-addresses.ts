import { dpopAlgorithms, isOneOf } from '@watchword/proofs';
import { AuthorizationServerUnavailable } from '../errors.ts';
import { webAddress } from '../options/kinds.ts';
import type { Settings } from '../options/options.ts';
import { platform } from '../platform/platform.ts';
import type { System } from '../platform/system.ts';
import { expectIssuer } from './expect-issuer.ts';
import { getOf } from './get.ts';
import { unavailable } from './unavailable.ts';

/** What is asked of the server, by the members of its metadata (RFC 8414 §2, and two of Watchword). */
const members = {
  tokenInfo: 'tokeninfo_endpoint',
  keys: 'jwks_uri',
  revocations: 'revocation_feed_endpoint',
} as const;

export type Place = keyof typeof members;

export interface ServerDescription {
  readonly tokenInfo: string;
  readonly keys?: string;
  readonly revocations?: string;
  /** The form of token info. */
  readonly jsonTypeInfoIncluded: boolean;
  /** Of proofs, as far as they are known here; `undefined` if the server names none. */
  readonly proofAlgorithms?: readonly string[] | undefined;
}

/** What the server says of itself, whatever the options say. */
export interface Statement {
  readonly issuer: string;
  /** `undefined` if its metadata do not name token info. */
  readonly jsonTypeInfoIncluded: boolean | undefined;
}

/** Where the server is asked. */
export interface ServerAddresses {
  /** Whether the keys and the list of revocations can be found. */
  readonly haveKeys: boolean;
  /** Those that the server takes in proofs; `undefined` while it has not said so. */
  readonly proofAlgorithms: readonly string[] | undefined;
  /** At once if it is known. @throws AuthorizationServerUnavailable */
  describe(): ServerDescription | Promise<ServerDescription>;
  /**
   * Asks anew. `undefined` if the metadata cannot be read, and lookups do without.
   *
   * @throws AuthorizationServerUnavailable where lookups need them
   */
  state(): Promise<Statement | undefined>;
  /** @throws AuthorizationServerUnavailable */
  find(place: Place): Promise<string>;
  /** The address, or that of the metadata while it is not known: what was asked last. */
  shown(place: Place): string;
  /** Takes the failure of a request to one of the addresses. */
  failed(error: AuthorizationServerUnavailable): void;
}

type Deps = Pick<System, 'fetch' | 'after' | 'now' | 'monotonic'>;

const tokenInfoPath = '/v1/tokeninfo';
const metadataPath = '/.well-known/oauth-authorization-server';
const maxBytes = 1_048_576;
/** Milliseconds for which metadata are not fetched again, though an address is wrong. */
const leastAge = 1000;

/** Those that the metadata of `url` name, or those that follow from `tokenInfoUrl`. */
export function serverAddresses(settings: Settings, deps: Deps): ServerAddresses {
  const { server } = settings;
  return 'url' in server
    ? addressesByMetadata(server.url, settings, deps)
    : fixedAddresses(server.tokenInfoUrl, settings, deps);
}

function fixedAddresses(
  tokenInfo: string,
  { issuer, jsonTypeInfoIncluded = false, timeout }: Settings,
  deps: Deps,
): ServerAddresses {
  const url = tokenInfo.endsWith(tokenInfoPath) ? tokenInfo.slice(0, -tokenInfoPath.length) : issuer;
  const base = url?.replace(/\/+$/, '');
  const keys = { keys: `${base}/oauth2/jwks`, revocations: `${base}/oauth2/revocations` };
  const description = { tokenInfo, jsonTypeInfoIncluded, ...(base !== undefined && keys) };
  let proofAlgorithms: readonly string[] | undefined;
  return {
    haveKeys: base !== undefined,
    get proofAlgorithms() {
      return proofAlgorithms;
    },
    describe: () => description,
    async state() {
      if (base === undefined) return undefined;
      const get = getOf(() => metadataAddressOf(base), maxBytes, deps);
      const answer = await get({ 'cache-control': 'no-cache' }, timeout / 2).catch(() => undefined);
      const metadata = answer?.status === 200 ? objectOf(answer.text) : undefined;
      if (metadata !== undefined) proofAlgorithms = proofAlgorithmsOf(metadata);
      return statementOf(metadata);
    },
    find: async (place) => addressOf(description, place),
    shown: (place) => description[place] ?? tokenInfo,
    failed() {},
  };
}

/** Metadata that were read are used until an address of theirs is wrong. */
function addressesByMetadata(url: string, settings: Settings, deps: Deps): ServerAddresses {
  const { timeout } = settings;
  const metadataAddress = metadataAddressOf(url);
  const get = getOf(() => metadataAddress, maxBytes, deps);
  let known: ServerDescription | undefined;
  let stated: Statement | undefined;
  // Kept while the rest is not known: an API must not take more when it cannot ask.
  let proofAlgorithms: readonly string[] | undefined;
  let knownSince = Number.NEGATIVE_INFINITY;
  /** One request for all lookups that need it. One without an answer by `until` is lost. */
  let current: { readonly answer: Promise<ServerDescription>; readonly until: number } | undefined;

  return {
    haveKeys: true,
    get proofAlgorithms() {
      return proofAlgorithms;
    },
    describe,
    async state() {
      await ask();
      return stated;
    },
    find: async (place) => addressOf(await describe(), place),
    shown: (place) => known?.[place] ?? metadataAddress,
    failed({ reason }) {
      const isMoved = reason === 'wrong_address' || reason === 'redirected';
      if (isMoved && deps.monotonic() - knownSince >= leastAge) known = undefined;
    },
  };

  function describe(): ServerDescription | Promise<ServerDescription> {
    if (known !== undefined) return known;
    const now = deps.monotonic();
    if (current !== undefined && now < current.until) return current.answer;
    const answer = ask().finally(() => {
      if (current?.answer === answer) current = undefined;
    });
    // Half of the time of a lookup, so that token info can be asked in the rest.
    current = { answer, until: now + timeout / 2 };
    return answer;
  }

  async function ask(): Promise<ServerDescription> {
    const answer = await get({ 'cache-control': 'no-cache' }, timeout / 2);
    if (answer.status !== 200) throw unavailable(answer, deps.now());
    const metadata = objectOf(answer.text);
    known = readMetadata(metadata, url, settings);
    stated = statementOf(metadata);
    proofAlgorithms = known.proofAlgorithms;
    knownSince = deps.monotonic();
    return known;
  }
}

/** The well-known part stands between host and path (RFC 8414 §3.1). */
function metadataAddressOf(url: string): string {
  const [, origin = url, path = ''] = /^(\w+:\/\/[^/]+)(.*)$/.exec(url) ?? [];
  return `${origin}${metadataPath}${path}`;
}

function statementOf(metadata: Metadata | undefined): Statement | undefined {
  if (metadata === undefined || typeof metadata.issuer !== 'string') return undefined;
  const { issuer, [members.tokenInfo]: tokenInfo, tokeninfo_json_type_info_included: isTyped } = metadata;
  return { issuer, jsonTypeInfoIncluded: tokenInfo === undefined ? undefined : isTyped === true };
}

/** @throws AuthorizationServerUnavailable */
function readMetadata(
  metadata: Metadata | undefined,
  url: string,
  { issuer = url, ...settings }: Settings,
): ServerDescription {
  if (metadata === undefined) throw invalid('expected metadata (RFC 8414), a JSON object');
  // RFC 8414 §3.3: other metadata may have been put in the place of those of the server.
  expectIssuer({ ...settings, issuer }, metadata.issuer, 'its metadata');
  const { origin } = new platform.URL(issuer);
  const found: Partial<Record<Place, string>> = {};
  for (const [place, member] of Object.entries(members) as [Place, string][]) {
    const address = metadata[member];
    if (address === undefined) continue;
    // The secret of this API goes there.
    if (!isAddress(address) || new platform.URL(address).origin !== origin) {
      throw invalid(
        `expected an address of ${origin} as ${member} of its metadata, got ${webAddress.show(address)}`,
      );
    }
    found[place] = address;
  }
  const { jsonTypeInfoIncluded = metadata.tokeninfo_json_type_info_included === true } = settings;
  const tokenInfo = addressOf(found, 'tokenInfo');
  return { ...found, tokenInfo, jsonTypeInfoIncluded, proofAlgorithms: proofAlgorithmsOf(metadata) };
}

/** RFC 9449 §5.1. */
function proofAlgorithmsOf({ dpop_signing_alg_values_supported: named }: Metadata) {
  return Array.isArray(named) ? dpopAlgorithms.filter((each) => isOneOf(each, named)) : undefined;
}

/** @throws AuthorizationServerUnavailable */
function addressOf(found: Partial<Record<Place, string>>, place: Place): string {
  const address = found[place];
  if (address !== undefined) return address;
  throw invalid(
    `expected the member ${members[place]} in its metadata; update the server, or set tokenInfoUrl in place of url`,
  );
}

function invalid(detail: string): AuthorizationServerUnavailable {
  return new AuthorizationServerUnavailable('invalid_answer', { detail });
}

function isAddress(value: unknown): value is string {
  return webAddress.isValid(value);
}

type Metadata = Readonly<Record<string, unknown>>;

function objectOf(text: string | undefined): Metadata | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? (value as Metadata) : undefined;
  } catch {
    return undefined;
  }
}
