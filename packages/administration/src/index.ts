export type * from './accounts/account-administration.ts';
export { type AccountRecord, accountRecord, type ListedAccount } from './accounts/account-record.ts';
export { accountRecordAdministration } from './accounts/account-records.ts';
export type { AccountFields, AccountRegistration } from './accounts/account-rules.ts';
export * from './accounts/accounts.ts';
export * from './audit/audit-log.ts';
export { auditRestore } from './audit/audit-restore.ts';
export { auditKinds } from './audit/schema.ts';
export { type BootstrapReport, bootstrap } from './bootstrap/bootstrap.ts';
export { checkPageAddress, pageAddresses, registeredPageAddresses } from './bootstrap/page-addresses.ts';
export { type AdministrationScope, authenticateCaller } from './callers/authenticate-caller.ts';
export { type Caller, commandLineCaller, systemCaller } from './callers/caller.ts';
export type { ClientAddress } from './callers/ownership.ts';
export { mayRegister, type RegistrationRight } from './callers/registration-right.ts';
export type { AdministrationDependencies } from './changes/change-records.ts';
export { type Edit, type EditCondition, type NewRecord, revisionTag } from './changes/edit.ts';
export type { OwnerLimit, OwnerLimits } from './changes/owner-limits.ts';
export type * from './clients/client-administration.ts';
export { confirmedFields } from './clients/client-trust.ts';
export * from './clients/clients.ts';
export { clientSchema } from './clients/schema.ts';
export { explained } from './errors/explain-request-error.ts';
export * from './errors/request-errors.ts';
export type * from './grants/grant-administration.ts';
export * from './grants/grant-record.ts';
export type { GrantFilter, GrantPosition } from './grants/grant-sources.ts';
export * from './grants/grants.ts';
export * from './identity-providers/identity-providers.ts';
export { type ImportReport, importRecords } from './import/import-records.ts';
export type { ImportedClient, ImportedRecord, ImportedResourceServer } from './import/imported-record.ts';
export { inProcessFetch } from './in-process.ts';
export * from './keys/renew-keys.ts';
export { type RenewedSecret, renewAllSecrets } from './keys/renew-secrets.ts';
export * from './keys/signing-keys.ts';
export { everyRecord, type Page, type PageRequest } from './lists/page.ts';
export { totalsOf } from './lists/totals.ts';
export { type OpenApiDocument, openApiDocument, openApiPath } from './openapi.ts';
export * from './records.ts';
export { referenceOf } from './reference.ts';
export { ifMatch } from './requests/entity-tags.ts';
export { parseJsonBody } from './requests/json-body.ts';
export * from './resource-owners/resource-owners.ts';
export type * from './resource-servers/resource-server-administration.ts';
export {
  type ResourceServerRegistration,
  resourceServerDefaults,
} from './resource-servers/resource-server-rules.ts';
export * from './resource-servers/resource-servers.ts';
export {
  storedFields,
  submittedResourceServerSchema,
  submittedScopeSchema,
} from './resource-servers/schema.ts';
export type { Route } from './route.ts';
export { adminRoutes } from './routes.ts';
export type { JsonSchema } from './schema/json-schema.ts';
export { readRecord } from './schema/read-record.ts';
export {
  inputSchema,
  type RecordSchema,
  type SubmittedField,
} from './schema/record-schema.ts';
export * from './sessions/login-sessions.ts';
export * from './sessions/logout-deliveries.ts';
export type { ClientUse } from './statistics/client-use.ts';
export type * from './statistics/health.ts';
export { countLimit } from './statistics/kept-counts.ts';
export * from './statistics/statistics.ts';
export type * from './tokens/access-token-administration.ts';
export * from './tokens/access-tokens.ts';
export { isAccessTokenId } from './tokens/jwt-address.ts';
export { accessTokenTag } from './tokens/own-token.ts';
export type { AccessTokenFilter, AccessTokenPosition } from './tokens/token-sources.ts';
