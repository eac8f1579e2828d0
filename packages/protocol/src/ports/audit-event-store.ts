import type { AuditEvent, AuditKind } from '../model/audit-event.ts';
import type { Identity } from '../model/resource-owner.ts';

/** The trail of what was changed. There is no way to change or remove an event but the purge's. */
export interface AuditEventStore {
  /** Changes to records; those of the kind `logins` are stored with what they tell of. */
  append(events: readonly AuditEvent[]): Promise<void>;
  /** Newest first. */
  list(query: AuditEventQuery): Promise<AuditEvent[]>;
}

export interface AuditEventQuery {
  /** Only events about records of this owner. */
  readonly owner?: Identity;
  /** Default: both. */
  readonly kind?: AuditKind;
  /** Only events before the one with this id. */
  readonly before?: string;
  readonly limit: number;
}
