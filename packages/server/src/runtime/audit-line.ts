import type { AuditEvent } from '@watchword/protocol';

/**
 * What the log says of a change: which record, and the names of the fields that an update has changed. What they became
 * stands in the audit log: it may be long, and not for whoever reads logs.
 */
export function auditLine({ id, actor, clientId, source, action, recordType, recordId, after }: AuditEvent) {
  return {
    id,
    actor,
    clientId,
    source,
    action,
    recordType,
    recordId,
    ...(action === 'update' && { fields: Object.keys(after ?? {}) }),
  };
}
