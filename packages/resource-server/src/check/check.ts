import { AuthorizationServerUnavailable, TokenRejected } from '../errors.ts';
import type { JwtVerification } from '../jwt/jwt-verification.ts';
import type { Ask } from '../lookup/ask.ts';
import type { Settings } from '../options/options.ts';
import type { AbortSignal } from '../platform/platform.ts';
import type { System } from '../platform/system.ts';
import type { ClockWatch } from '../requests/clock-watch.ts';
import { expectIssuer } from '../requests/expect-issuer.ts';
import type { ServerAddresses } from '../requests/server-addresses.ts';
import { within } from '../requests/within.ts';
import { type CheckFinding, demandWhole } from './finding.ts';
import { type Facts, findingsOf, type Tokens } from './findings-of.ts';

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
