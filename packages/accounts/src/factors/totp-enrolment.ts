import { submitted } from '@watchword/protocol';
import { addTotp, type EnrolmentDependencies, type NewTotp, newTotp, shownTotp } from './enrolment.ts';
import type { EnrolmentWay } from './enrolment-step.ts';
import { codeField } from './totp-way.ts';

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
