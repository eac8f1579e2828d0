export {
  type KeySet,
  type ListedKey,
  maxKeySetBytes,
  maxKeys,
  noKeys,
  readKeySet,
  signatureKeys,
} from '@watchword/proofs';
export {
  type AuthState,
  type AuthStateDependencies,
  AuthStates,
  clockTolerance,
  type OwnPage,
  type Stage,
} from './authorize/auth-state.ts';
export type * from './authorize/authorization-answer.ts';
export { type Browser, type BrowserCookies, waitingLimits } from './authorize/browser.ts';
export type {
  ForeseenAnswer,
  IncomingDependencies,
  IncomingRequest,
  RequestSource,
} from './authorize/incoming-request.ts';
export type { Interaction } from './authorize/interaction.ts';
export { type NeededLevels, neededLevels } from './authorize/needed-levels.ts';
export { isAdministratorNow } from './authorize/needs-login.ts';
export { pushedRequests } from './authorize/pushed-requests.ts';
export type { AuthorizationRequest } from './authorize/request/authorization-request.ts';
export { supportedPrompts } from './authorize/request/prompt.ts';
export { requestObjects } from './authorize/request-objects.ts';
export { type ResponseTypes, responseTypesOf } from './authorize/response-types/response-types.ts';
export { deviceOf } from './authorize/sessions/device.ts';
export type { Factor } from './authorize/sessions/factor.ts';
export { endRightsGivenBy } from './authorize/sessions/lapsed-administrator.ts';
export { actingClient, type EventOrigin, loginEvent } from './authorize/sessions/login-event.ts';
export { LoginSessions } from './authorize/sessions/login-sessions.ts';
export type { LoginStep, LoginStepAnswer, LoginStepForm } from './authorize/steps/login-step.ts';
export { loginStepsOf } from './authorize/steps/login-steps.ts';
export { actionKey, type RequiredAction } from './authorize/steps/required-action.ts';
export { destinationOf } from './authorize/targets/response-target.ts';
export type { Destination, ResponseTarget, TargetKind } from './authorize/targets/target-kind.ts';
export type * from './clients/authentication/authentication-method.ts';
export {
  type AuthenticationMethodDependencies,
  clientAuthenticationMethods,
} from './clients/authentication/authentication-methods.ts';
export { clientJwtRefusal } from './clients/authentication/client-keys.ts';
export {
  endingBy,
  expiresSoon,
  lastingSecrets,
  lastToEnd,
  noDetails,
  rotatedClientSecret,
  type SecretDetails,
  secretsEnd,
  secretsOf,
  withChangedSecret,
  withNewSecret,
  withOnlySecret,
  withoutSecret,
  withSlowHash,
} from './clients/authentication/client-secrets.ts';
export type { CredentialedRequest } from './clients/authentication/credentialed-request.ts';
export type { AuthenticationDependencies } from './clients/authentication/guard.ts';
export {
  type ChosenSecret,
  chosenSecret,
  generateSecret,
  rotatedSecret,
  secretMatches,
  storedSecret,
} from './clients/authentication/machine-secret.ts';
export { slowSecrets } from './clients/authentication/slow-secrets.ts';
export {
  type ClientMetadata,
  readClientMetadata,
  registeredMetadata,
  selfRegistration,
} from './clients/registration/client-metadata.ts';
export {
  type ClientRegistration,
  checkClient,
  clientDefaults,
  editedClient,
  registrationOf,
} from './clients/registration/client-rules.ts';
export { checkJwtClient, hasOwnSubjects, lacksJwtLifetime } from './clients/registration/jwt-client-rules.ts';
export { unusableMetadata } from './clients/registration/metadata-reader.ts';
export { isOwnPage } from './clients/registration/registered-pages.ts';
export {
  checkSector,
  type SectorDocuments,
  sectorUriToCheck,
} from './clients/registration/sector-documents.ts';
export { type ClientDocument, readClientDocument } from './clients/resolution/client-document.ts';
export {
  describedFields,
  documentClient,
  isDescribedAs,
  openClientsHome,
  unstoredHome,
  untrusted,
} from './clients/resolution/document-client.ts';
export { documentUrlProblem } from './clients/resolution/document-url.ts';
export { type AnswerHeaders, secondsFresh } from './clients/resolution/freshness.ts';
export * from './clients/resolution/host-rules.ts';
export * from './endpoints/authorization.ts';
export * from './endpoints/introspection.ts';
export * from './endpoints/java-type-information.ts';
export * from './endpoints/logout.ts';
export * from './endpoints/metadata.ts';
export { openidMetadata } from './endpoints/openid-metadata.ts';
export * from './endpoints/pushed-authorization.ts';
export { errorCause } from './endpoints/report-request-error.ts';
export * from './endpoints/revocation.ts';
export * from './endpoints/revocations.ts';
export * from './endpoints/token.ts';
export * from './endpoints/token-info.ts';
export * from './endpoints/userinfo.ts';
export type { AuthorizationCodeDependencies } from './grants/authorization-code.ts';
export type { GrantDependencies } from './grants/grant-pipeline.ts';
export type * from './grants/grant-type.ts';
export { type GrantTypeDependencies, grantTypesOf } from './grants/grant-types.ts';
export { maxRefreshGrace, type RefreshTokenDependencies } from './grants/refresh-token.ts';
export * from './keys/account-digest.ts';
export { openWith, sealWith } from './keys/aead.ts';
export { derivedKey } from './keys/derived-key.ts';
export { KeyRing, newSealingKey, type Sealer } from './keys/key-ring.ts';
export { keyedDigest } from './keys/keyed-digest.ts';
export { proofNonces } from './keys/proof-nonces.ts';
export * from './keys/public-key.ts';
export * from './keys/signing-key-changes.ts';
export * from './keys/signing-key-states.ts';
export { type IdentifiedUser, subjectInEvent, subjectOf } from './keys/subject.ts';
export { type AssertionIssuer, lacksKeys, maxAssertionIssuers } from './model/assertion-issuer.ts';
export * from './model/authenticator-name.ts';
export type * from './model/claims-request.ts';
export { type ClientSecret, isValidSecret, lastDate, maxClientSecrets } from './model/client-secret.ts';
export * from './model/errors/error-table.ts';
export * from './model/errors/errors.ts';
export type * from './model/errors/request-error.ts';
export type { ErrorRule } from './model/errors/rules/error-rule.ts';
export { because, type ErrorRuleName, errorRules } from './model/errors/rules/error-rules.ts';
export * from './model/fields/account-claims.ts';
export * from './model/fields/authenticator-kinds.ts';
export { clientFields } from './model/fields/client.ts';
export { nameKind } from './model/fields/described.ts';
export * from './model/fields/field.ts';
export * from './model/fields/kind.ts';
export { kindProblems } from './model/fields/kind-problems.ts';
export { isInvisible, nameProblems, textProblems } from './model/fields/problems.ts';
export { resourceServerFields } from './model/fields/resource-server.ts';
export { scopeDescriptionsKind } from './model/fields/scope-descriptions.ts';
export { scopesKind } from './model/fields/scopes.ts';
export { httpsUriProblems } from './model/fields/uris.ts';
export { named, shown, withEscapes, withHidden } from './model/hidden-characters.ts';
export { isObject, type JsonObject } from './model/json-object.ts';
export { type LoginLevel, loginLevels, reaches, strongest } from './model/login-level.ts';
export {
  canBeGuessed,
  isWeakSecret,
  type MachineSecret,
  type NumberedSecrets,
  slowHashes,
  strongSecretLength,
} from './model/machine-secret.ts';
export * from './model/openid-scope.ts';
export * from './model/principal.ts';
export { type Profile, profiles, type StricterProfile } from './model/profiles/profile.ts';
export type { ProfiledSettings, ProfileRule } from './model/profiles/profile-rule.ts';
export { type ProfileRuleName, profileRules } from './model/profiles/profile-rules.ts';
export { isProtocolClaim } from './model/protocol-claims.ts';
export type { ClaimValue, ProvidedClaims } from './model/provided-claims.ts';
export { quoted } from './model/quoted.ts';
export * from './model/records/access-token.ts';
export * from './model/records/account.ts';
export type * from './model/records/administrative-right.ts';
export type * from './model/records/applied-configuration.ts';
export type * from './model/records/audit-event.ts';
export type { AuthenticationEvent } from './model/records/authentication-event.ts';
export type { AuthorizationCode } from './model/records/authorization-code.ts';
export type * from './model/records/branding.ts';
export * from './model/records/client.ts';
export type * from './model/records/client-registration.ts';
export type * from './model/records/credential.ts';
export type { Grant } from './model/records/grant.ts';
export * from './model/records/host-rule.ts';
export type { LoginSession, SessionState } from './model/records/login-session.ts';
export type { RefreshToken } from './model/records/refresh-token.ts';
export type { ResourceServer } from './model/records/resource-server.ts';
export * from './model/records/session-client.ts';
export * from './model/records/signing-key.ts';
export type * from './model/records/stored-authenticator.ts';
export { isLoopbackHost, isWebAddress, redirectUriProblem } from './model/redirect-uri.ts';
export type { RequestHead, RequestHeaders } from './model/request-head.ts';
export * from './model/reserved-identity-providers.ts';
export * from './model/resource-owner.ts';
export type { ResourceServerScopes } from './model/resource-server-scopes.ts';
export { comparedResourceUri, resourceUriProblem } from './model/resource-uri.ts';
export { formatScope, type Scopes, scopeTokenPattern } from './model/scope.ts';
export type { ScopeDescription } from './model/scope-description.ts';
export { shellCommand, shellWord } from './model/shell-word.ts';
export { type SigningAlgorithm, signingAlgorithms, withBothNames } from './model/signing-algorithm.ts';
export {
  endedAt,
  endsOf,
  kept,
  leftUnder,
  memberOf,
  namesAt,
  namesOf,
  scopeAt,
  targetsOf,
  withNames,
  withoutTargets,
} from './model/targeted-scope.ts';
export type * from './openid/claims-request.ts';
export type { ClaimMapping } from './openid/default-claims.ts';
export * from './openid/deliver-logout.ts';
export * from './openid/id-token.ts';
export * from './openid/id-token-hint.ts';
export { type AccessElsewhere, type ListedAccess, listedAccess } from './openid/listed-access.ts';
export type { OpenidRequest } from './openid/openid-request.ts';
export * from './openid/scopes.ts';
export { sessionIdFor } from './openid/session-id.ts';
export {
  type PublicSubject,
  publicSubjectFrom,
  type SubjectClient,
  Subjects,
  type SubjectsOptions,
} from './openid/subjects.ts';
export { claimMapping, type UserClaimSet, UserClaims } from './openid/user-claims.ts';
export * from './ports/crypto/key-management.ts';
export type { PasswordLoad, Passwords } from './ports/crypto/passwords.ts';
export type { Random } from './ports/crypto/random.ts';
export type * from './ports/crypto/token-signer.ts';
export type * from './ports/modules/authentication-module.ts';
export {
  type Authenticators,
  type IdentityProviders,
  openAuthenticators,
} from './ports/modules/authenticators.ts';
export type * from './ports/modules/consent-module.ts';
export type { LinkedLogins } from './ports/modules/linked-logins.ts';
export type { AttemptedAccount, LoginAttempts, LoginTurn } from './ports/modules/login-attempts.ts';
export * from './ports/modules/module-description.ts';
export type * from './ports/modules/module-endpoint.ts';
export * from './ports/modules/module-options-error.ts';
export type { ModuleServices } from './ports/modules/module-services.ts';
export * from './ports/modules/module-step.ts';
export { OptionReader } from './ports/modules/option-reader.ts';
export * from './ports/modules/principal-sources.ts';
export { type ProviderAttempt, reportingRejection } from './ports/modules/report-rejection.ts';
export type * from './ports/stores/grants/access-token-store.ts';
export {
  type AuthorizationCodeStore,
  type CodeContext,
  type FoundAuthorizationCode,
  maxCodeFailures,
} from './ports/stores/grants/authorization-code-store.ts';
export type * from './ports/stores/grants/consent-store.ts';
export type * from './ports/stores/grants/grant-list-store.ts';
export type * from './ports/stores/grants/grant-store.ts';
export type { AccessTokenChange, IssuedTokenStore } from './ports/stores/grants/issued-token-store.ts';
export type * from './ports/stores/grants/refresh-token-store.ts';
export type * from './ports/stores/grants/revocation-store.ts';
export type {
  AuditEventQuery,
  AuditEventStore,
  LastLoginQuery,
} from './ports/stores/history/audit-event-store.ts';
export type * from './ports/stores/history/request-error-store.ts';
export type * from './ports/stores/history/statistics-store.ts';
export type {
  DigestKeyStore,
  KeyRenewalStore,
  SealingKey,
  SealingKeyStore,
  SigningKeyReader,
  SigningKeyStore,
  SubjectKeyStore,
} from './ports/stores/key-stores.ts';
export type * from './ports/stores/logins/login-attempt-store.ts';
export type {
  LoginSessionQuery,
  LoginSessionStore,
  SessionEnd,
} from './ports/stores/logins/login-session-store.ts';
export type { OneTimeStore } from './ports/stores/logins/one-time-store.ts';
export type * from './ports/stores/logins/session-client-store.ts';
export type { SessionLink, SessionLinkStore } from './ports/stores/logins/session-link-store.ts';
export type { StepRecord, StepRecordStore } from './ports/stores/logins/step-record-store.ts';
export type * from './ports/stores/people/account-link-store.ts';
export type {
  AccountChange,
  AccountQuery,
  AccountSelection,
  AccountStore,
  EndedByChange,
} from './ports/stores/people/account-store.ts';
export type * from './ports/stores/people/authenticator-store.ts';
export type * from './ports/stores/people/branding-store.ts';
export type * from './ports/stores/people/credential-store.ts';
export type * from './ports/stores/people/identity-provider-store.ts';
export type * from './ports/stores/people/outgoing-mail-store.ts';
export type { ChangeCount, OwnerChangeStore } from './ports/stores/people/owner-change-store.ts';
export type * from './ports/stores/people/person-link-store.ts';
export type * from './ports/stores/records/client-registration-store.ts';
export type {
  ClientChange,
  ClientQuery,
  ClientStore,
  NamedClient,
  NewClient,
} from './ports/stores/records/client-store.ts';
export type * from './ports/stores/records/configuration-store.ts';
export type * from './ports/stores/records/host-rule-store.ts';
export type {
  FormerResource,
  KnownUri,
  NewResourceServer,
  ResourceServerChange,
  ResourceServerQuery,
  ResourceServerStore,
} from './ports/stores/records/resource-server-store.ts';
export type * from './ports/stores/records/right-store.ts';
export type { Registry } from './ports/stores/registry.ts';
export * from './ports/stores/store-errors.ts';
export type { Stores } from './ports/stores/stores.ts';
export type {
  ReadSnapshot,
  SnapshotStores,
  Transact,
  TransactionStores,
} from './ports/stores/transaction.ts';
export type { AttemptLimiter } from './ports/system/attempt-limiter.ts';
export { type Clock, changeDelay, latestNow, nodeClockTolerance } from './ports/system/clock.ts';
export type * from './ports/system/document-clients.ts';
export type { Instruments, PresentedFactor } from './ports/system/instruments.ts';
export type * from './ports/system/key-sets.ts';
export type * from './ports/system/mail.ts';
export type * from './ports/system/outbound-fetch.ts';
export type * from './ports/system/request-error-log.ts';
export type * from './ports/system/request-objects.ts';
export type { SecretUses } from './ports/system/secret-uses.ts';
export type * from './ports/system/sector-identifiers.ts';
export type * from './ports/system/security-log.ts';
export type { BridgedToken, TokenBridge } from './ports/system/token-bridge.ts';
export * from './ports/system/tracer.ts';
export { endRights } from './rules/administrative-rights.ts';
export {
  administrationBaseUrl,
  administrationClientId,
  administrationKey,
  administrationRedirectUri,
  checkFixedFields,
  commandLineClientId,
  commandLineRedirectUri,
  isAdministration,
  isBuiltIn,
  isBuiltInClient,
  isHomeOfOpenClients,
  onlyAdministers,
  openClientsKey,
  reservedNames,
} from './rules/built-in-records.ts';
export * from './rules/describable.ts';
export {
  documentHost,
  isDocumentClient,
  isDocumentUrl,
  isOpenClientId,
  isSelfRegistered,
  selfRegisteredId,
  vendorOf,
} from './rules/document-client.ts';
export { explainRule, type RuleExplanation } from './rules/explain-rule.ts';
export {
  hasEndedWithSession,
  isValidSession,
  type SessionLookup,
  type SessionValidity,
} from './rules/login-session.ts';
export {
  type LoginStrength,
  levelClasses,
  levelOfValues,
  type ProviderLevels,
  supportedClasses,
} from './rules/login-strength.ts';
export { misspelledName, nearestName } from './rules/nearest-name.ts';
export {
  missingParameter,
  optionalParameter,
  type Parameters,
  parseParameters,
  parseRepeatableParameters,
  requiredParameter,
} from './rules/parameters.ts';
export { pathProblem } from './rules/path-problem.ts';
export {
  addViolations,
  type ProfileChecks,
  type ProfileFinding,
  profileChecks,
} from './rules/profile-checks.ts';
export { randomText } from './rules/random-text.ts';
export { publicOrigins, scriptOrigin } from './rules/redirect-uri.ts';
export {
  checkFields,
  type MalformedField,
  normalized,
  type Registered,
  Violations,
} from './rules/registration.ts';
export { grantScopes, remainingScopes, type ScopeSyntax } from './rules/scope.ts';
export {
  type DescribedScopes,
  describedScopes,
  descriptionsOf,
  scopesOf,
} from './rules/scope-descriptions.ts';
export * from './rules/searched-texts.ts';
export { isSameDigest, sha256 } from './rules/sha256.ts';
export { checkChosen, checkFree, identifiersOf } from './rules/slug.ts';
export { homeTarget, type TargetServer, targetServers } from './rules/target-servers.ts';
export { timeOrderedId } from './rules/time-ordered-id.ts';
export { isWithoutHome, scopesAt } from './rules/usable-resource-servers.ts';
export * from './rules/utf8-text.ts';
export {
  type AccessTokenDependencies,
  authenticateAccessToken,
  type PresentedTokenRequest,
  presentedBearer,
} from './tokens/authenticate-access-token.ts';
export { createBearerValue, importedBearerValue, parseBearerValue } from './tokens/bearer-value.ts';
export { type DpopProofs, dpopAlgorithms, dpopProofs } from './tokens/dpop-proofs.ts';
export { scopesFor, type TokenLookupDependencies } from './tokens/find-access-token.ts';
export { type AccessTokenFormats, accessTokenFormats, canBeAccessToken } from './tokens/formats/formats.ts';
export { findUnrevoked, revocationOf } from './tokens/formats/jwt.ts';
export { clientsInMemory, type RegisteredClients } from './tokens/formats/registered-clients.ts';
export { longestAccessToken, type NearsLongest } from './tokens/formats/token-length.ts';
export * from './tokens/issue-access-token.ts';
export { formerResourceServers } from './tokens/revocations/former-resource-servers.ts';
export { formerResources } from './tokens/revocations/former-resources.ts';
export { RecentRevocations } from './tokens/revocations/recent-revocations.ts';
export { expiryMargin, listedTime, type RevokedKey } from './tokens/revocations/revocation-list.ts';
export { WholeRevocations } from './tokens/revocations/whole-revocations.ts';
export { type CertificateForm, certificateForms, certificateThumbprint } from './tokens/sender-constraint.ts';
