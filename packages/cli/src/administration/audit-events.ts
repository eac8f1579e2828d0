import { type AdminClient, readAll } from '@watchword/admin-client';
import type { AuditKind, Identity } from '@watchword/protocol';
import { listed, personOf } from './find-records.ts';

/** Which events of the audit log are meant; of several members all must fit. */
export interface SelectedEvents {
  readonly person: Identity | undefined;
  /** The clientId. */
  readonly client: string | undefined;
  readonly kind: AuditKind | undefined;
  /** Epoch milliseconds. */
  readonly since: number | undefined;
  readonly until: number | undefined;
}

export function auditEventTools({ auditEvents }: AdminClient) {
  return {
    /** The newest first. */
    async list({ client: clientId, person, ...selected }: SelectedEvents, limit: number) {
      const filters = { clientId, ...personOf(person), ...selected };
      return listed(await readAll((page) => auditEvents.list({ ...page, ...filters }), limit));
    },
  };
}
