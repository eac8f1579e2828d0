export type { AccessRules, AnyOf, LoginRequirement, Requirement } from './bearer/access-rules.ts';
export { createGuard, type Guard, type GuardedRequest } from './bearer/guard.ts';
export { requireGroup, requireLogin, requireRole, requireScope } from './bearer/require.ts';
export { CheckError, type CheckFinding } from './check/finding.ts';
export type { Challenge } from './errors.ts';
export {
  AccessError,
  type AccessErrorCode,
  AuthorizationServerUnavailable,
  InsufficientAuthentication,
  InsufficientPrivileges,
  ProofRejected,
  type ProofRejection,
  RequestMalformed,
  TokenMissing,
  TokenRejected,
  type TokenRejection,
  type Unavailability,
} from './errors.ts';
export type { TimedOutcome, TokenOutcome, VerifierEvents } from './events.ts';
export { ConfigurationError, type OptionError } from './options/configuration-error.ts';
export { optionsFromEnvironment } from './options/environment.ts';
export type {
  CacheOptions,
  ClientCertificateOptions,
  DpopOptions,
  JwtOptions,
  ResourceMetadata,
  TokenVerifierOptions,
  UsedProofs,
} from './options/token-verifier-options.ts';
export type { Environment, Fetch, FetchAnswer, FetchInit } from './platform/platform.ts';
export type { Possession } from './possession/possession.ts';
export type {
  ProtectedResource,
  ProtectedResourceMetadata,
} from './resource/protected-resource.ts';
export type { Confirmation, Principal, TokenInfo } from './token-info.ts';
export { createTokenVerifier } from './verifier/create-token-verifier.ts';
export type { TokenVerifier } from './verifier/token-verifier.ts';
