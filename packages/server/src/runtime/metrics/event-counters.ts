import type { AuditEvent, CredentialKind, PresentedFactor } from '@watchword/protocol';
import { described } from './descriptions.ts';
import { Counter, type Registry } from './prom-client.ts';

/** What people do with their own accounts, and the audit events that say so. */
const accountEvents: Readonly<Record<string, (event: AuditEvent) => boolean>> = {
  reset_asked: (event) => isConfirmation(event, 'reset_password'),
  address_asked: (event) => isConfirmation(event, 'change_address'),
  sign_up_asked: (event) => isConfirmation(event, 'sign_up'),
  signed_up: ({ action, after }) => action === 'create' && after?.signUp !== undefined,
  invited: ({ action, after }) => action === 'create' && after?.invitation !== undefined,
  password_changed: ({ action }) => action === 'changePassword',
  address_changed: ({ action }) => action === 'update',
  provider_linked: ({ action }) => action === 'linkProvider',
  provider_unlinked: ({ action }) => action === 'unlinkProvider',
  deleted: ({ action }) => action === 'delete',
};

function isConfirmation({ recordType, after }: AuditEvent, purpose: string): boolean {
  return recordType === 'confirmation' && after?.purpose === purpose;
}

/** Counts what people do with their accounts. @returns counts an event, unless it is of another kind */
export function accountEventCounter(registry: Registry): (event: AuditEvent) => void {
  const counter = new Counter({
    ...described('watchword_account_events_total'),
    registers: [registry],
  });
  for (const event of Object.keys(accountEvents)) counter.inc({ event }, 0);
  return (audited) => {
    const event = Object.keys(accountEvents).find((name) => accountEvents[name]?.(audited));
    if (event !== undefined) counter.inc({ event });
  };
}

const factorKinds: readonly CredentialKind[] = ['passkey', 'totp', 'recovery_code', 'trusted_browser'];

/** Counts what people present to prove a login beside a password. */
export function factorCounter(registry: Registry): (factor: PresentedFactor) => void {
  const counter = new Counter({
    ...described('watchword_factors_presented_total'),
    registers: [registry],
  });
  const count = ({ kind, step, outcome }: PresentedFactor, by = 1) =>
    counter.inc({ kind, step, outcome }, by);
  for (const outcome of ['success', 'failure', 'limited'] as const) {
    count({ kind: 'passkey', step: 'first_factor', outcome }, 0);
    for (const kind of factorKinds) count({ kind, step: 'second_factor', outcome }, 0);
  }
  return (factor) => count(factor);
}

const factorEvents: Readonly<Record<string, string>> = { addFactor: 'added', removeFactor: 'removed' };

/** Counts factors that were added and removed. @returns counts an event, unless it is of another kind */
export function factorEventCounter(registry: Registry): (event: AuditEvent) => void {
  const counter = new Counter({
    ...described('watchword_factor_events_total'),
    registers: [registry],
  });
  for (const kind of factorKinds) {
    for (const event of Object.values(factorEvents)) counter.inc({ kind, event }, 0);
  }
  return ({ action, before, after }) => {
    const event = factorEvents[action];
    if (event !== undefined) counter.inc({ kind: String((after ?? before)?.kind), event });
  };
}

/** Counts attempts to send mails. */
export function mailCounter(registry: Registry): Counter<'outcome'> {
  const counter = new Counter({
    ...described('watchword_mails_total'),
    registers: [registry],
  });
  for (const outcome of ['sent', 'retried', 'failed']) counter.inc({ outcome }, 0);
  return counter;
}

/** Counts attempts to deliver logout tokens. */
export function logoutTokenCounter(registry: Registry): Counter<'outcome'> {
  const counter = new Counter({
    ...described('watchword_logout_tokens_total'),
    registers: [registry],
  });
  // From 0 on, so that the first attempt is an increase.
  for (const outcome of ['delivered', 'retried', 'failed']) counter.inc({ outcome }, 0);
  return counter;
}

/** Counts the spans of traces. @param read the counts since the start, by outcome */
export function spanCounter(registry: Registry, read: () => Readonly<Record<string, number>>): void {
  new Counter({
    ...described('watchword_trace_spans_total'),
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, spans] of Object.entries(read())) this.inc({ outcome }, spans);
    },
  });
}

/** Counts calls of modules that failed. */
export function moduleFailureCounter(registry: Registry): Counter<'setting' | 'failure'> {
  const counter = new Counter({
    ...described('watchword_module_failures_total'),
    registers: [registry],
  });
  // From 0 on, so that the first one is an increase.
  for (const setting of ['authenticator', 'consent']) {
    for (const failure of ['timeout', 'shutdown', 'exception', 'invalid_answer'])
      counter.inc({ setting, failure }, 0);
  }
  return counter;
}

/** Counts ID tokens. */
export function idTokenCounter(registry: Registry): Counter<'algorithm' | 'grant_type'> {
  return new Counter({
    ...described('watchword_id_tokens_issued_total'),
    registers: [registry],
  });
}
