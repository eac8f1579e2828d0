import {
  type AuditEvent,
  type Credential,
  identityOf,
  type LoginAttempts,
  type Transact,
} from '@watchword/protocol';
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
  { subject, id }: Credential,
  { login: { owner }, interaction: { browser }, own }: AskedFactor,
  deps: RecoveryDependencies,
): Promise<boolean> {
  const left = own.length - 1;
  const event = factorEvent('useRecoveryCode', { owner, source: browser.source }, { left }, deps);
  const isOnly = await deps.transact(async (stores) => {
    if (!(await stores.credentials.delete(subject, id))) return false;
    await mailOfFactor(
      (to, of) => ({ kind: 'recovery_code_used', ...to, values: { ...of, left } }),
      identityOf(owner),
      browser,
      deps,
      stores,
    );
    await stores.auditEvents.append([event]);
    return true;
  });
  if (isOnly) deps.audited?.(event);
  return isOnly;
}
