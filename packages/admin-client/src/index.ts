export type { AccessTokenQuery, AccessTokenRequest, AccessTokensClient } from './access-tokens.ts';
export type { AccountQuery, AccountsClient, NewAccount } from './accounts.ts';
export { type AdminClient, createAdminClient } from './admin-client.ts';
export { AdminError, type AdminErrorDetails } from './admin-error.ts';
export type { AuditEventQuery, AuditEventsClient, AuditedRecordType } from './audit-events.ts';
export type { ClientAddress, ClientChange, ClientQuery, ClientsClient, NewClient } from './clients.ts';
export type { GrantQuery, GrantSelection, GrantsClient } from './grants.ts';
export type {
  IdentityProviderQuery,
  IdentityProvidersClient,
  IdentityProviderUse,
} from './identity-providers.ts';
export type { LoginSessionQuery, LoginSessionsClient, PersonSelection } from './login-sessions.ts';
export type { LogoutDeliveriesClient, LogoutDeliveryQuery } from './logout-deliveries.ts';
export { type Page, type PageQuery, type ReadList, readAll } from './page.ts';
export * from './record-fields.ts';
export type {
  AccessToken,
  AccessTokenFields,
  AccessTokenWithValue,
  Account,
  AccountFields,
  AccountWithResetLink,
  AuditEvent,
  ChangedAccount,
  ChangedAccountWithResetLink,
  ChangedClient,
  ChangedResourceServer,
  Client,
  ClientFields,
  ClientStatistics,
  ClientWithSecret,
  DescribedResourceServer,
  DescribedResourceServerFields,
  DescribedScope,
  EndedGrants,
  Grant,
  IdentityProvider,
  LoginSession,
  LogoutDelivery,
  OwnerRevocation,
  Principal,
  RequestError,
  RequestErrorExplanation,
  RequestErrorSummary,
  ResourceOwner,
  ResourceServer,
  ResourceServerFields,
  ResourceServerWithSecret,
  Statistics,
  SubmittedScope,
} from './records.ts';
export type { RequestErrorQuery, RequestErrorSummaryQuery, RequestErrorsClient } from './request-errors.ts';
export type { CallOptions, ChangeOptions, Versioned } from './requests.ts';
export type { ResourceOwnersClient } from './resource-owners.ts';
export type {
  NewResourceServer,
  ResourceServerQuery,
  ResourceServersClient,
  RotationOptions,
  SubmittedResourceServer,
} from './resource-servers.ts';
export type {
  CountedClient,
  ErrorCount,
  IssuedInHour,
  StatisticsClient,
  StatisticsPage,
  StatisticsQuery,
} from './statistics.ts';
export type { AdminClientOptions } from './transport.ts';
