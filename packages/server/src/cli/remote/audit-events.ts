import { type AdminClient, readAll } from '@watchword/admin-client';
import type { AuditEventTools } from '../administration.ts';
import { listed, personOf } from './find-records.ts';

export function remoteAuditEvents({ auditEvents }: AdminClient): AuditEventTools {
  return {
    async list({ client: clientId, person, ...selected }, limit) {
      const filters = { clientId, ...personOf(person), ...selected };
      return listed(await readAll((page) => auditEvents.list({ ...page, ...filters }), limit));
    },
  };
}
