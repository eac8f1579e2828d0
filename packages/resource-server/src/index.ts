export type { AccessRules, AnyOf, Requirement } from './bearer/access-rules.ts';
export { createGuard, type Guard } from './bearer/guard.ts';
export { CheckError, type CheckFinding } from './check/finding.ts';
export { ConfigurationError, type OptionError } from './configuration-error.ts';
export { createTokenVerifier } from './create-token-verifier.ts';
export { optionsFromEnvironment } from './environment.ts';
export type { Challenge } from './errors.ts';
export {
  AccessError,
  type AccessErrorCode,
  AuthorizationServerUnavailable,
  InsufficientPrivileges,
  RequestMalformed,
  TokenMissing,
  TokenRejected,
  type TokenRejection,
  type Unavailability,
} from './errors.ts';
export type { TimedOutcome, TokenOutcome, VerifierEvents } from './events.ts';
export type { CacheOptions, JwtOptions, TokenVerifierOptions } from './options.ts';
export type { Environment, Fetch, FetchAnswer, FetchInit } from './platform.ts';
export { requireGroup, requireRole, requireScope } from './require.ts';
export type { Confirmation, Principal, TokenInfo } from './token-info.ts';
export type { TokenVerifier } from './token-verifier.ts';
