export { AdminError, type AdminErrorDetails } from './admin-error.ts';
export { auditCsv, auditCsvHead } from './audit-csv.ts';
export { type ClientCredentials, type ClientTokens, clientCredentials } from './client-credentials.ts';
export { countGrants, isConsentAlone, isConsentRemembered } from './count-grants.ts';
export * from './functions.ts';
export { type Page, type PageQuery, type ReadList, readAll } from './page.ts';
export * from './record-fields.ts';
export type * from './records.ts';
export type { CallOptions, ChangeOptions, Versioned } from './requests.ts';
export type {
  CountedClient,
  ErrorCount,
  IssuedInHour,
  StatisticsClient,
  StatisticsPage,
  StatisticsQuery,
} from './statistics.ts';
export type * from './submitted.ts';
export type { AdminClientOptions } from './transport.ts';
