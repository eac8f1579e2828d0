import {
  type AuditEvent,
  type Credential,
  identityOf,
  type LoginAttempts,
  type Transact,
  type TransactionStores,
} from '@watchword/protocol';
import type { FactorOwner } from './enrolment.ts';
import { type FactorEventDependencies, factorEvent, mailOfFactor } from './factor-events.ts';
import { recoveryCodeOf } from './recovery-codes.ts';
import type { AskedFactor, SecondFactorWay } from './second-factor-way.ts';

export interface RecoveryDependencies extends FactorEventDependencies {
  readonly transact: Transact;
  readonly audited?: ((event: AuditEvent) => void) | undefined;
}

/** A recovery code, for people whose other factors are lost. */
export function recoveryWay(deps: RecoveryDependencies, attempts: LoginAttempts): SecondFactorWay {
  return {
    kind: 'recovery_code',
    level: 'mfa',
    label: { key: 'factor.useRecoveryCode' },
    attempts,

    ask: async () => ({
      text: { key: 'factor.recoveryText' },
      fields: [{ name: 'code', label: 'factor.recoveryCode', type: 'text', autocomplete: 'off' }],
      submit: { key: 'factor.goOn' },
    }),

    async prove(asked, { submission }) {
      const [typed = ''] = submission.get('code') ?? [];
      const code = recoveryCodeOf(typed, asked.own);
      return code !== undefined && (await isUsed(code, asked, deps))
        ? { factor: { amr: ['otp'], level: 'mfa' } }
        : { message: { key: 'factor.wrongRecoveryCode' } };
    },
  };
}

/** Uses a code by its deletion: of many logins at once, one does. */
async function isUsed(
  code: Credential,
  { login: { owner }, interaction: { browser }, own }: AskedFactor,
  deps: RecoveryDependencies,
): Promise<boolean> {
  const used = { code, owner, browser, left: own.length - 1 };
  const event = await deps.transact((stores) => useRecoveryCode(used, stores, deps));
  if (event !== undefined) deps.audited?.(event);
  return event !== undefined;
}

interface UsedCode extends FactorOwner {
  readonly code: Credential;
  /** Codes that are left. */
  readonly left: number;
}

/** Deletes the code, and tells its owner. `undefined` if somebody else used it. @returns the audit event, which is stored */
export async function useRecoveryCode(
  { code: { subject, id }, owner, browser, left }: UsedCode,
  stores: TransactionStores,
  deps: FactorEventDependencies,
): Promise<AuditEvent | undefined> {
  if (!(await stores.credentials.delete(subject, id))) return undefined;
  await mailOfFactor(
    (to, of) => ({ kind: 'recovery_code_used', ...to, values: { ...of, left } }),
    identityOf(owner),
    browser,
    deps,
    stores,
  );
  const event = factorEvent('useRecoveryCode', { owner, source: browser.source }, { left }, deps);
  await stores.auditEvents.append([event]);
  return event;
}
