import { takeContext } from './background.ts';
import { optionsFromEnvironment } from './environment.ts';
import { lookupOfIssuer } from './jwt/expected-issuer.ts';
import { jwtVerification } from './jwt/jwt-verification.ts';
import { askTokenInfo } from './lookup/ask.ts';
import { lookupWith } from './lookup/lookup.ts';
import { TokenCache } from './lookup/token-cache.ts';
import { readOptions, type TokenVerifierOptions } from './options.ts';
import { type System, system } from './system.ts';
import { type TokenVerifier, tokenVerifier } from './token-verifier.ts';
import { carefully, connectionWarning, warningsOf } from './warnings.ts';

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
  const { timeout, tokenInfoUrl, fetch = machine.fetch } = settings;
  const warn = carefully(settings.warn ?? machine.warn, machine.warn);
  // Called without an object before it, because browsers and Workers reject a `fetch` that is called on another object.
  const deps: System = { ...machine, fetch: (url, init) => fetch(url, init) };
  const warning = connectionWarning(tokenInfoUrl);
  if (warning !== undefined) warn(warning);
  const lookUp = lookupOfIssuer(lookupWith(askTokenInfo(settings, deps), timeout, deps), settings.issuer);
  const jwts = jwtVerification(settings, lookUp, { ...deps, background: takeContext() }, warn);
  return tokenVerifier({
    cache: new TokenCache(settings.cache, deps),
    verifyToken: jwts?.verify ?? (async (token) => ({ info: await lookUp(token) })),
    timeout,
    digest: deps.digest,
    failed: warningsOf(tokenInfoUrl, warn, deps),
    close: () => jwts?.close(),
  });
}
