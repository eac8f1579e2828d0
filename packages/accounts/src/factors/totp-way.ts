import {
  type Clock,
  type Credential,
  type CredentialStore,
  type LoginAttempts,
  submitted,
} from '@watchword/protocol';
import { addTotp, type EnrolmentDependencies, type NewTotp, newTotp, shownTotp } from './enrolment.ts';
import type { EnrolmentWay } from './enrolment-step.ts';
import { type FactorSecrets, totpSecretOf } from './factor-secrets.ts';
import type { SecondFactorWay } from './second-factor-way.ts';
import { stepOfCode } from './totp.ts';

export interface TotpDependencies {
  readonly credentials: Pick<CredentialStore, 'use'>;
  readonly secrets: FactorSecrets;
  readonly clock: Clock;
}

/** A code of an app (RFC 6238). */
export function totpWay(deps: TotpDependencies, attempts: LoginAttempts): SecondFactorWay {
  return {
    kind: 'totp',
    level: 'mfa',
    label: { key: 'factor.useTotp' },
    attempts,

    ask: async () => ({
      text: { key: 'factor.totpText' },
      fields: [codeField],
      submit: { key: 'factor.goOn' },
    }),

    async prove({ own }, { submission }) {
      const [typed = ''] = submission.get('code') ?? [];
      let isLost = true;
      for (const credential of own) {
        const secret = await totpSecretOf(credential, deps.secrets);
        isLost &&= secret === undefined;
        if (secret !== undefined && (await isUsed(credential, secret, typed, deps)))
          return { factor: { amr: ['otp'], level: 'mfa' } };
      }
      return { message: { key: isLost ? 'factor.lostApp' : 'factor.wrongCode' } };
    },
  };
}

/** An app for one-time codes, which is added in a login. Its key is sealed into the page. */
export function totpEnrolment(deps: EnrolmentDependencies): EnrolmentWay {
  return {
    kind: 'totp',
    level: 'mfa',
    label: { key: 'totp.title' },

    async ask({ owner }, state) {
      const made = (state as NewTotp | undefined) ?? newTotp(deps);
      return {
        text: { key: 'factor.addTotpText' },
        totp: await shownTotp(made, owner, deps),
        fields: [{ ...codeField, label: 'totp.code' }],
        submit: { key: 'totp.submit' },
        state: made,
      };
    },

    async add(who, { submission, state }, transact) {
      const typed = { code: submitted(submission, 'code'), name: '' };
      const added = await addTotp(state as NewTotp, typed, who, { ...deps, transact });
      return 'problem' in added ? added : { ...added, factor: { amr: ['otp'], level: 'mfa' } };
    },
  };
}

/** The field of a one-time code. */
const codeField = {
  name: 'code',
  label: 'factor.code',
  type: 'text',
  autocomplete: 'one-time-code',
} as const;

/** Uses a code. `false` if it is wrong, or was used: a time step is used once on all nodes, and none before it afterwards. */
async function isUsed(
  credential: Credential,
  secret: string,
  typed: string,
  { clock, credentials }: TotpDependencies,
): Promise<boolean> {
  const step = stepOfCode(secret, typed, clock.now());
  if (step === undefined) return false;
  return credentials.use(credential.id, { counter: step, lastUsed: clock.now() });
}
