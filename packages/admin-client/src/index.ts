export type { AccessTokenQuery, AccessTokenRequest, AccessTokensClient } from './access-tokens.ts';
export { type AdminClient, createAdminClient } from './admin-client.ts';
export { AdminError, type AdminErrorDetails } from './admin-error.ts';
export type { AuditEventQuery, AuditEventsClient } from './audit-events.ts';
export type { ClientAddress, ClientChange, ClientQuery, ClientsClient } from './clients.ts';
export type {
  IdentityProvider,
  IdentityProviderQuery,
  IdentityProvidersClient,
  IdentityProviderUse,
} from './identity-providers.ts';
export { type Page, type PageQuery, readAll } from './page.ts';
export type {
  AccessToken,
  AccessTokenFields,
  AuditEvent,
  AuditedRecordType,
  ChangedClient,
  ChangedResourceServer,
  Client,
  ClientFields,
  Principal,
  ResourceServer,
  ResourceServerFields,
  WithSecret,
  WithToken,
} from './records.ts';
export type { CallOptions, ChangeOptions, Versioned } from './requests.ts';
export type { OwnerRevocation, ResourceOwner, ResourceOwnersClient } from './resource-owners.ts';
export type { ResourceServerQuery, ResourceServersClient, RotationOptions } from './resource-servers.ts';
export type {
  CountedClient,
  IssuedInHour,
  RefusalCount,
  Statistics,
  StatisticsClient,
  StatisticsQuery,
} from './statistics.ts';
export type { AdminClientOptions } from './transport.ts';
