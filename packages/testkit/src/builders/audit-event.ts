import type { AuditEvent } from '@watchword/protocol';
import { selectorFactory } from './selector.ts';

/** Each call makes another event. Its id contains `time`. */
export type AuditEventFactory = (overrides?: Partial<AuditEvent>) => AuditEvent;

export function auditEventFactory(seed = 'audit'): AuditEventFactory {
  const selector = selectorFactory(seed);
  return (overrides = {}) => {
    const time = overrides.time ?? Date.UTC(2026, 0, 1);
    return {
      id: selector(time).id,
      time,
      actor: { identityProvider: 'password', name: 'emma' },
      clientId: 'admin-pages',
      clientName: 'Pages of the administration',
      source: '192.0.2.9',
      action: 'update',
      recordType: 'client',
      recordId: '7',
      recordName: 'night-job',
      owner: { identityProvider: 'password', name: 'emma' },
      before: { description: 'old' },
      after: { description: 'new' },
      ...overrides,
    };
  };
}
