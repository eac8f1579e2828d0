export type { AccountRecordAdministration } from './accounts/account-administration.ts';
export { type AccountLinkAdministration, accountLinkAdministration } from './accounts/account-links.ts';
export { accountRecordAdministration } from './accounts/account-records.ts';
export type { AccountFields, AccountRegistration } from './accounts/account-rules.ts';
export { accountAdministration } from './accounts/accounts.ts';
export { type AuditLog, auditLog, auditRestore } from './audit/audit-log.ts';
export { auditActions, auditKinds } from './audit/routes.ts';
export {
  type BootstrapReport,
  bootstrap,
  checkPageAddress,
  pageAddresses,
  registeredPageAddresses,
} from './bootstrap/bootstrap.ts';
export {
  type BrandingAdministration,
  brandingAdministration,
  draftLifetime,
} from './branding/branding-administration.ts';
export { brandColourNames, brandColours, contrast } from './branding/colours.ts';
export { type PageTexts, previewPath } from './branding/routes.ts';
export {
  type AdministrationScope,
  authenticateCaller,
  type CallerDependencies,
} from './callers/authenticate-caller.ts';
export { type Caller, commandLineCaller, systemCaller } from './callers/caller.ts';
export { type FreshLoginDependencies, requireFreshLogin } from './callers/fresh-login.ts';
export { operationRights } from './callers/operation-rights.ts';
export type { RegistrationRight } from './callers/registration-right.ts';
export { isRight, type Right, rights } from './callers/rights.ts';
export type { AdministrationDependencies } from './changes/change-records.ts';
export {
  type ClientHostAdministration,
  type ClientHostDependencies,
  clientHostAdministration,
} from './client-hosts/client-hosts.ts';
export { type ToolAdministration, type ToolDependencies, toolAdministration } from './client-hosts/tools.ts';
export type { ClientAdministration, ClientWithSecret } from './clients/client-administration.ts';
export { type AnsweredClient, type ClientRecord, clientRecord } from './clients/client-record.ts';
export { clientAdministration } from './clients/clients.ts';
export { blockedHost, describedClients } from './clients/described-clients.ts';
export { clientPartSchemas, clientSchema, resourceServerScopesSchema } from './clients/schema.ts';
export { purgeUnusedClients, type UnusedLifetimes } from './clients/unused-clients.ts';
export {
  type ConfigurationAdministration,
  type ConfigurationDependencies,
  configurationAdministration,
} from './configuration/configurations.ts';
export { type ConfigurationDrift, driftInWords, driftReader } from './configuration/drift.ts';
export type { ConfigurationPlan, FieldChange, PlannedChange } from './configuration/plan.ts';
export { configurationSchema, schemaVersion } from './configuration/schema.ts';
export {
  type ConfirmationAdministration,
  confirmationAdministration,
} from './confirmations/confirmations.ts';
export { confirmationPurposes } from './confirmations/routes.ts';
export { type ExplainedError, explained } from './errors/explain-request-error.ts';
export {
  type RequestErrorAdministration,
  requestErrorAdministration,
  requestErrorHours,
} from './errors/request-errors.ts';
export { type FactorAdministration, factorAdministration } from './factors/factors.ts';
export type { GrantAdministration } from './grants/grant-administration.ts';
export type { GrantRecord } from './grants/grant-record.ts';
export { grantAdministration } from './grants/grants.ts';
export type { AuthenticatorAdministration } from './identity-providers/authenticator-administration.ts';
export type {
  AuthenticatorModules,
  AuthenticatorState,
  CheckedAuthenticator,
  ConfiguredAuthenticator,
} from './identity-providers/authenticator-modules.ts';
export { authenticatorAdministration } from './identity-providers/authenticators.ts';
export {
  type IdentityProviderAdministration,
  identityProviderAdministration,
  sumOfUse,
} from './identity-providers/identity-providers.ts';
export { type TestLogins, testLogins } from './identity-providers/test-logins.ts';
export { type AccountImportRouteDependencies, importBodyLimit } from './import/account-import-routes.ts';
export {
  type AccountLine,
  accountImport,
  importedAccountSchema,
  importedFactors,
  importedFactorsSchema,
  importedHash,
  type LineReport,
} from './import/import-accounts.ts';
export { type ImportReport, importRecords } from './import/import-records.ts';
export { type ImportedToken, importTokens, type TokenReport } from './import/import-tokens.ts';
export type {
  ImportedClient,
  ImportedRecord,
  ImportedResourceServer,
  ScopesByKey,
} from './import/imported-record.ts';
export { inProcessFetch } from './in-process.ts';
export { type InvitationAdministration, invitationAdministration } from './invitations/invitations.ts';
export {
  type CompromisedKey,
  type KeyAdministration,
  keyAdministration,
  type RetiredKey,
} from './keys/key-administration.ts';
export { isMissing, type KeyHolder, makeKey } from './keys/make-key.ts';
export { type RenewedSecret, renewAllSecrets } from './keys/renewal.ts';
export type { ForeignKey, KeyRouteDependencies } from './keys/routes.ts';
export { placeOfPrivateKey } from './keys/schema.ts';
export { renewKeys, type SealingKeyAdministration, sealingKeyAdministration } from './keys/sealing-keys.ts';
export { changeSigningKeys, type SigningKeyDependencies } from './keys/signing-keys.ts';
export { type LintDependencies, lint } from './lint/lint.ts';
export { everyRecord } from './lists/page.ts';
export { totalsOf, unlisted } from './lists/totals.ts';
export { type OpenApiDocument, openApiDocument, openApiPath } from './openapi.ts';
export { referenceOf } from './reference.ts';
export { ifMatch } from './requests/entity-tags.ts';
export { parseJsonBody } from './requests/json-body.ts';
export {
  type ResourceOwnerAdministration,
  resourceOwnerAdministration,
} from './resource-owners/resource-owners.ts';
export type {
  ResourceServerAdministration,
  ResourceServerWithSecret,
} from './resource-servers/resource-server-administration.ts';
export {
  answeredResourceServer,
  type ResourceServerRecord,
} from './resource-servers/resource-server-record.ts';
export {
  type ResourceServerRegistration,
  resourceServerDefaults,
} from './resource-servers/resource-server-rules.ts';
export { resourceServerAdministration } from './resource-servers/resource-servers.ts';
export {
  storedFields,
  submittedResourceServerSchema,
  submittedScopeSchema,
} from './resource-servers/schema.ts';
export { type UseByOthers, useByOthers } from './resource-servers/use-by-others.ts';
export { type RightAdministration, rightAdministration } from './rights/rights.ts';
export type { Route } from './route.ts';
export { adminRoutes } from './routes.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export { readRecord } from './schema/read-record.ts';
export { inputSchema, type RecordSchema, type SubmittedField } from './schema/record-schema.ts';
export {
  type InitialTokenAdministration,
  initialTokenAdministration,
} from './self-registration/initial-tokens.ts';
export {
  type SelfRegisteredClient,
  type SelfRegistration,
  selfRegistrationOf,
} from './self-registration/self-registration.ts';
export type { PlacesOf } from './sessions/login-session-routes.ts';
export { type LoginSessionAdministration, loginSessionAdministration } from './sessions/login-sessions.ts';
export {
  type LogoutDeliveryAdministration,
  logoutDeliveryAdministration,
} from './sessions/logout-deliveries.ts';
export { type EffectiveSetting, settingElementId } from './settings/routes.ts';
export type { AuthenticatorHealth, BackgroundWork, FailedLogins, Health } from './statistics/health.ts';
export { administrationStatistics, type Statistics } from './statistics/statistics.ts';
export type {
  AccessTokenAdministration,
  AccessTokenFields,
  RevokedIssue,
} from './tokens/access-token-administration.ts';
export { accessTokenAdministration } from './tokens/access-tokens.ts';
export { isAccessTokenId } from './tokens/jwts.ts';
export { accessTokenRecord } from './tokens/token-record.ts';
