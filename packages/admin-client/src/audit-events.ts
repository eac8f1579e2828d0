import type { PersonSelection } from './login-sessions.ts';
import type { Page, PageQuery } from './page.ts';
import type { AuditEvent } from './records.ts';
import type { CallOptions, Requests } from './requests.ts';

export type AuditedRecordType = AuditEvent['recordType'];

export interface AuditEventQuery extends PageQuery, PersonSelection {
  /** Part of the name of the record, of the actor or of the client. */
  readonly q?: string | undefined;
  readonly recordType?: AuditedRecordType | undefined;
  readonly recordId?: string | undefined;
  /** Events of requests that used this client, and changes of it. */
  readonly clientId?: string | undefined;
  /** Epoch milliseconds: only events of this time or later. */
  readonly since?: number | undefined;
  /** Epoch milliseconds: only events before this time. */
  readonly until?: number | undefined;
  /** Changes to records, or logins with logouts, grants and withdrawals; default: both. */
  readonly kind?: 'changes' | 'logins' | undefined;
}

export interface AuditEventsClient {
  /** Newest first. */
  list(query?: AuditEventQuery, options?: CallOptions): Promise<Page<AuditEvent>>;
}

export function auditEventsClient({ endpoint, page }: Requests): AuditEventsClient {
  return {
    list: async (query = {}, options) => {
      const { q, recordType, recordId, clientId, since, until, kind, limit, cursor } = query;
      const { resourceOwnerId, identityProvider } = query;
      const filters = { q, recordType, recordId, clientId, since, until, kind };
      const person = { resourceOwnerId, identityProvider };
      return page(endpoint('GET /admin/auditEvent', { ...filters, ...person, limit, cursor }), options);
    },
  };
}
