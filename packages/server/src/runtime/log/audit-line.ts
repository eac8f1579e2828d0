import type { AuditEvent } from '@watchword/protocol';

/**
 * The line of the log for a change: the record, and the names of the fields that an update has changed. Only the audit log
 * has the new values, because they can be long and are not for all readers of the log.
 */
export function auditLine(event: AuditEvent) {
  const { id, actor, clientId, clientName, source, action, recordType, recordId, after } = event;
  return {
    id,
    actor,
    clientId,
    clientName,
    source,
    action,
    recordType,
    recordId,
    ...(action === 'update' && { fields: Object.keys(after ?? {}) }),
  };
}
