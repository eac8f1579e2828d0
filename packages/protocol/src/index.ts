export * from './admin/clients.ts';
export * from './admin/resource-servers.ts';
export type { AuthenticationDependencies } from './credentials/authenticate.ts';
export { secretMatches } from './credentials/machine-secret.ts';
export type { CredentialedRequest } from './credentials/presented-credentials.ts';
export * from './errors.ts';
export { clientCredentialsGrant } from './grants/client-credentials.ts';
export type { Grant, GrantRequest, IssuedTokens } from './grants/grant.ts';
export * from './metadata.ts';
export * from './model/access-token.ts';
export * from './model/client.ts';
export type { MachineSecret } from './model/machine-secret.ts';
export * from './model/principal.ts';
export type { ResourceServer } from './model/resource-server.ts';
export { formatScope, type Scopes } from './model/scope.ts';
export type { AccessTokenQuery, AccessTokenStore } from './ports/access-token-store.ts';
export type { AttemptLimiter } from './ports/attempt-limiter.ts';
export type { ClientQuery, ClientStore, NewClient } from './ports/client-store.ts';
export type { Clock } from './ports/clock.ts';
export type { Instruments } from './ports/instruments.ts';
export type { Random } from './ports/random.ts';
export type { Registry } from './ports/registry.ts';
export type {
  NewResourceServer,
  ResourceServerQuery,
  ResourceServerStore,
} from './ports/resource-server-store.ts';
export {
  optionalParameter,
  type Parameters,
  parseParameters,
  requiredParameter,
} from './rules/parameters.ts';
export { isLoopbackHost } from './rules/redirect-uri.ts';
export { grantScopes } from './rules/scope.ts';
export * from './token-endpoint.ts';
export { parseBearerValue } from './tokens/bearer-value.ts';
export type { TokenLookupDependencies } from './tokens/find-access-token.ts';
export * from './tokens/introspect.ts';
export * from './tokens/issue-access-token.ts';
export * from './tokens/java-type-information.ts';
export * from './tokens/revoke.ts';
export * from './tokens/token-info.ts';
