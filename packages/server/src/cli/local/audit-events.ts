import type { PageRequest } from '@watchword/protocol';
import { auditEventRecord } from '../../admin/records/audit-event.ts';
import type { AuditEventTools } from '../administration.ts';
import { listedPages } from './read-pages.ts';
import type { LocalRecords } from './records.ts';

export function localAuditEvents({ caller, auditLog }: LocalRecords): AuditEventTools {
  return {
    list: ({ client: clientId, ...selected }, limit) =>
      listedPages(
        (page: PageRequest<string>) => auditLog(caller, { clientId, ...selected }, page),
        limit,
        auditEventRecord,
      ),
  };
}
