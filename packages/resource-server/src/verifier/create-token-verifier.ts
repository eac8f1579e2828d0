import { checkOf } from '../check/check.ts';
import { carefully, connectionWarning, paced, warningsOf } from '../check/warnings.ts';
import type { AuthorizationServerUnavailable } from '../errors.ts';
import { events, observed } from '../events.ts';
import { jwtVerification, lookupOfThisApi } from '../jwt/jwt-verification.ts';
import { askTokenInfo } from '../lookup/ask.ts';
import { type Lookup, lookupWith } from '../lookup/lookup.ts';
import { TokenCache } from '../lookup/token-cache.ts';
import { optionsFromEnvironment } from '../options/environment.ts';
import { readOptions } from '../options/options.ts';
import type { TokenVerifierOptions } from '../options/token-verifier-options.ts';
import { takeContext } from '../platform/background.ts';
import { closing } from '../platform/closing.ts';
import { type System, system } from '../platform/system.ts';
import { possessionOf } from '../possession/possession.ts';
import { watchClock } from '../requests/clock-watch.ts';
import { type Place, serverAddresses } from '../requests/server-addresses.ts';
import { protectedResources } from '../resource/protected-resource.ts';
import { type TokenVerifier, tokenVerifier } from './token-verifier.ts';

/**
 * A verifier of access tokens that asks the authorization server and remembers its answers. Make one for the life of the
 * process and share it.
 * @param options default: those of the environment
 * @throws ConfigurationError with every error at once
 */
export function createTokenVerifier(options: TokenVerifierOptions = optionsFromEnvironment()): TokenVerifier {
  return composeVerifier(options, system);
}

/** Puts the verifier together, on the system that is handed in. */
export function composeVerifier(options: TokenVerifierOptions, machine: System): TokenVerifier {
  const settings = readOptions(options);
  const { timeout, server, fetch = machine.fetch } = settings;
  const warn = carefully(settings.warn ?? machine.warn, machine.warn);
  // Called without an object before it, because browsers and Workers reject a `fetch` that is called on another object.
  const clock = watchClock((url, init) => fetch(url, init), machine, warn);
  const deps: System = { ...machine, fetch: clock.fetch };
  const warning = connectionWarning('url' in server ? server.url : server.tokenInfoUrl);
  if (warning !== undefined) warn(warning);
  const warnOften = paced(warn, deps);
  const addresses = serverAddresses(settings, deps);
  const failedAt = (place: Place) => {
    const warnOf = warningsOf(() => addresses.shown(place), warn, deps);
    return (error: AuthorizationServerUnavailable) => {
      warnOf(error);
      addresses.failed(error);
    };
  };
  const ask = askTokenInfo(settings, addresses, deps);
  const lookUpUnseen = lookupOfThisApi(lookupWith(ask, timeout, deps), settings, (message) =>
    warnOften('resource', message),
  );
  const lookUp: Lookup = (token) => observed(events.lookup, settings.key, deps, () => lookUpUnseen(token));
  const jwts = jwtVerification(settings, { ...deps, addresses, background: takeContext(), lookUp, failedAt });
  const close = () => jwts?.close();
  const verifier = tokenVerifier({
    api: settings.key,
    cache: new TokenCache(settings.cache, deps),
    verifyToken: jwts?.verify ?? (async (token) => ({ info: await lookUp(token) })),
    timeout,
    digest: deps.digest,
    failed: failedAt('tokenInfo'),
  });
  const possession = possessionOf(settings, { now: deps.now, warn: warnOften, server: addresses });
  const check = checkOf({ settings, addresses, ask, clock, jwts, deps });
  return {
    ...verifier,
    resources: protectedResources(settings, possession),
    possession,
    check,
    close,
    ...closing(close),
  };
}
