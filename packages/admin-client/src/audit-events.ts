import type { Page, PageQuery } from './page.ts';
import type { AuditEvent } from './records.ts';
import type { CallOptions, Requests } from './requests.ts';

export type AuditedRecordType = AuditEvent['recordType'];

export interface AuditEventQuery extends PageQuery {
  /** Part of the name of the record, of the actor or of the client. */
  readonly q?: string | undefined;
  readonly recordType?: AuditedRecordType | undefined;
  readonly recordId?: string | undefined;
  /** Changes to records, or logins with logouts, grants and withdrawals; default: both. */
  readonly kind?: 'changes' | 'logins' | undefined;
}

export interface AuditEventsClient {
  /** Newest first. */
  list(query?: AuditEventQuery, options?: CallOptions): Promise<Page<AuditEvent>>;
}

export function auditEventsClient({ endpoint, page }: Requests): AuditEventsClient {
  return {
    list: async ({ q, recordType, recordId, kind, limit, cursor } = {}, options) =>
      page(endpoint('GET /admin/auditEvent', { q, recordType, recordId, kind, limit, cursor }), options),
  };
}
