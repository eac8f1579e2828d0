import { AuthorizationServerUnavailable, TokenRejected, type Unavailability } from '../errors.ts';
import type { JwtVerification } from '../jwt/jwt-verification.ts';
import type { Ask } from '../lookup/ask.ts';
import type { Settings } from '../options/options.ts';
import type { AbortSignal } from '../platform/platform.ts';
import type { System } from '../platform/system.ts';
import {
  type ClockDifference,
  type ClockWatch,
  clockAdvice,
  isOff,
  shownDifference,
} from '../requests/clock-watch.ts';
import { expectIssuer } from '../requests/expect-issuer.ts';
import type { ServerAddresses } from '../requests/server-addresses.ts';
import { within } from '../requests/within.ts';
import { type CheckFinding, demandWhole } from './finding.ts';
import { connectionWarning, shownFailure } from './warnings.ts';

interface CheckParts {
  readonly settings: Settings;
  readonly addresses: ServerAddresses;
  readonly ask: Ask;
  readonly clock: ClockWatch;
  readonly jwts: JwtVerification | undefined;
  readonly deps: Pick<System, 'monotonic' | 'after'>;
}

/** No server issues it. */
const madeUpToken = 'a-token-that-nobody-has-issued';

/** Asks the server all that the verifier will ask, about no real token. Cache and circuit breaker have no part in it. */
export function checkOf(parts: CheckParts): () => Promise<readonly CheckFinding[]> {
  return async () => demandWhole(findingsOf(await factsOf(parts)));
}

async function factsOf({ settings, addresses, ask, clock, jwts, deps }: CheckParts): Promise<Facts> {
  const deadline = deps.monotonic() + settings.timeout;
  const left = () => Math.max(1, deadline - deps.monotonic());
  const attempt = <Value>(work: (signal: AbortSignal) => Promise<Value>) =>
    within(left(), deps, work).then((value) => ({ value, failure: undefined }), failed);

  const metadata = await attempt(() => addresses.state());
  const tokenInfo = metadata.failure ?? (await attempt((signal) => askAboutNothing(ask, signal))).failure;
  const areCredentialsGood = tokenInfo === undefined;
  const list =
    areCredentialsGood && jwts !== undefined ? await attempt(() => jwts.readList(left())) : undefined;
  const { issuer, jsonTypeInfoIncluded } = metadata.value ?? {};
  const compared = await attempt(async () => {
    if (issuer !== undefined) expectIssuer(settings, issuer, 'its metadata');
  });
  const otherIssuer = list?.failure?.reason === 'other_issuer' ? list.failure : compared.failure;
  const failure = tokenInfo ?? otherIssuer;
  if (failure !== undefined) addresses.failed(failure);
  return {
    failure,
    asked: addresses.shown('tokenInfo'),
    areCredentialsGood,
    issuer: list?.value?.issuer ?? issuer,
    clock: clock.difference(),
    clockTolerance: settings.jwt.clockTolerance,
    expectsTypes:
      settings.jsonTypeInfoIncluded ?? ('url' in settings.server && jsonTypeInfoIncluded === true),
    hasTypes: jsonTypeInfoIncluded,
    tokens: tokensOf(list),
    listAsked: addresses.shown('revocations'),
    publicUrl: settings.publicUrl,
  };
}

/** @throws AuthorizationServerUnavailable unless the server knows this API, and no such token */
async function askAboutNothing(ask: Ask, signal: AbortSignal): Promise<void> {
  try {
    await ask(madeUpToken, signal);
  } catch (error) {
    if (error instanceof TokenRejected) return;
    throw error;
  }
  const detail = 'it accepts a made-up token';
  throw new AuthorizationServerUnavailable('invalid_answer', { detail });
}

function failed(failure: unknown) {
  if (failure instanceof AuthorizationServerUnavailable) return { value: undefined, failure };
  throw failure;
}

function tokensOf(list: Outcome | undefined): Tokens {
  if (list === undefined) return 'lookups';
  return list.failure ?? (list.value === undefined ? 'opaque' : 'jwt');
}

interface Outcome {
  readonly value: unknown;
  readonly failure: AuthorizationServerUnavailable | undefined;
}

/** What a verifier has found out about its server. */
export interface Facts {
  /** Address of token info, or of metadata that do not name it. */
  readonly asked: string;
  /** Of metadata, of token info, or of an issuer that is not the expected one. */
  readonly failure: AuthorizationServerUnavailable | undefined;
  readonly areCredentialsGood: boolean;
  /** `undefined` if the server has stated none. */
  readonly issuer: string | undefined;
  readonly clock: ClockDifference | undefined;
  /** Milliseconds. */
  readonly clockTolerance: number;
  /** Whether token info has type information: as this API expects it, and as the server states it. */
  readonly expectsTypes: boolean;
  readonly hasTypes: boolean | undefined;
  readonly tokens: Tokens;
  /** Address of the list of revocations. */
  readonly listAsked: string;
  /** Where clients reach this API, as it knows. */
  readonly publicUrl: readonly string[];
}

/** How the tokens of this API are verified, or why JWTs are not verified here. */
type Tokens = 'opaque' | 'jwt' | 'lookups' | AuthorizationServerUnavailable;

type Text = Omit<CheckFinding, 'check'>;

/** One for each check, in order. */
export function findingsOf(facts: Facts): readonly CheckFinding[] {
  return [
    { check: 'address', ...addressText(facts) },
    { check: 'credentials', ...credentialsText(facts) },
    { check: 'issuer', ...issuerText(facts) },
    { check: 'clock', ...clockText(facts) },
    { check: 'format', ...formatText(facts) },
    { check: 'proofs', ...proofsText(facts) },
  ];
}

function addressText({ asked, failure }: Facts): Text {
  if (
    failure !== undefined &&
    failure.reason !== 'other_issuer' &&
    failure.reason !== 'credentials_refused'
  ) {
    return {
      level: failure.reason === 'rate_limited' ? 'warning' : 'broken',
      message: shownFailure(failure, asked),
      expected: 'a Watchword server that answers at this address',
      advice: adviceFor(failure.reason),
    };
  }
  const message = connectionWarning(asked);
  if (message === undefined) return { level: 'ok', message: `the server answers at ${asked}` };
  const expected = 'an address with https';
  return { level: 'warning', message, expected, advice: 'give the server TLS, or keep to a private network' };
}

function credentialsText({ asked, failure, areCredentialsGood }: Facts): Text {
  if (areCredentialsGood) return { level: 'ok', message: 'the server accepts key and secret' };
  if (failure?.reason !== 'credentials_refused') return unknown('key and secret');
  return {
    level: 'broken',
    message: shownFailure(failure, asked),
    expected: 'the key and the secret of a resource server that is registered there',
    advice:
      '"watchword resource-server list" shows the keys, "watchword resource-server rotate-secret" makes a new secret',
  };
}

function issuerText({ asked, failure, issuer }: Facts): Text {
  if (failure?.reason === 'other_issuer') {
    return {
      level: 'broken',
      message: shownFailure(failure, asked),
      expected: 'the issuer that the options name, letter by letter',
      advice: 'set url, or issuer beside it, to the baseUrl of the server',
    };
  }
  if (issuer === undefined) return unknown('the issuer');
  return { level: 'ok', message: `the issuer is ${issuer}` };
}

function clockText({ clock, clockTolerance }: Facts): Text {
  if (clock === undefined) return { level: 'skipped', message: 'no answer tells the time of the server' };
  if (!isOff(clock, clockTolerance))
    return { level: 'ok', message: 'the clock agrees with that of the server' };
  return {
    level: isOff(clock) ? 'broken' : 'warning',
    message: `the clock of this machine is ${shownDifference(clock)} that of the server`,
    expected: `clocks that agree within ${clockTolerance} ms (jwt.clockTolerance)`,
    advice: clockAdvice,
  };
}

function formatText({ listAsked, areCredentialsGood, expectsTypes, hasTypes, tokens }: Facts): Text {
  if (hasTypes !== undefined && hasTypes !== expectsTypes) {
    return {
      level: 'broken',
      message: `token info has ${formOf(hasTypes)}, by the metadata of the server`,
      expected: `${formOf(expectsTypes)}, by jsonTypeInfoIncluded`,
      advice: `set jsonTypeInfoIncluded to ${hasTypes}, as adminService.jsonTypeInfoIncluded of the server`,
    };
  }
  if (!areCredentialsGood) return unknown('the format of tokens and token info');
  if (typeof tokens !== 'string') {
    return {
      level: 'warning',
      message: `each JWT is a lookup: ${shownFailure(tokens, listAsked)}`,
      expected: 'keys and a list of revocations, by which this API verifies JWTs alone',
      advice: adviceFor(tokens.reason),
    };
  }
  const form = hasTypes === undefined ? 'a form that the server does not state' : formOf(hasTypes);
  return { level: 'ok', message: `${tokenWords[tokens]}; token info has ${form}` };
}

function proofsText({ publicUrl }: Facts): Text {
  if (publicUrl.length > 0) return { level: 'ok', message: `DPoP proofs are for ${publicUrl.join(', ')}` };
  return {
    level: 'warning',
    message: 'tokens that are bound to a DPoP key are accepted at addresses of this machine alone',
    expected: 'the URL by which clients reach this API, because proofs name it',
    advice: 'set publicUrl, or resource',
  };
}

const tokenWords = {
  opaque: 'tokens are opaque',
  jwt: 'tokens are JWTs, and are verified without a lookup',
  lookups: 'each token is a lookup',
} as const;

function formOf(hasTypes: boolean): string {
  return hasTypes ? 'type information' : 'no type information';
}

function unknown(what: string): Text {
  return { level: 'skipped', message: `${what}: the server could not be asked, or does not tell` };
}

function adviceFor(reason: Unavailability): string {
  switch (reason) {
    case 'unreachable':
    case 'timeout':
      return 'find out whether the server runs, and whether this machine knows its name, reaches its port and trusts its certificate';
    case 'server_error':
      return 'look at the log of the server, and of the proxy before it';
    case 'rate_limited':
      return 'check again later';
    default:
      return 'set url to the baseUrl of the server, and let proxies pass its paths on';
  }
}
