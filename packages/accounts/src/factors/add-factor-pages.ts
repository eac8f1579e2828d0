import { type Browser, submitted } from '@watchword/protocol';
import { problem } from '../passwords/password-pages.ts';
import { afterAdding, shownCodes } from './added-factor.ts';
import { addTotp, type NewTotp, newTotp, replaceRecoveryCodes, shownTotp } from './enrolment.ts';
import type { FactorsEndpoint, TotpView } from './factor-pages.ts';
import type { FactorDependencies, FactorParts, Person } from './factor-parts.ts';
import { hasSecondFactor } from './second-factor.ts';

/** The page on which an app is added. */
export function totpPage(
  { answering, current, isNew, sealed }: FactorParts,
  deps: FactorDependencies,
): Pick<FactorsEndpoint, 'showTotp' | 'addTotp'> {
  const view = async (
    person: Person,
    made: NewTotp,
    browser: Browser,
    more: Pick<TotpView, 'name' | 'problem'> = { name: '' },
  ): Promise<TotpView> => ({
    type: 'totp',
    ...(await shownTotp(made, person.session.owner, deps)),
    ...sealed('newTotp', person, made, browser),
    ...more,
  });

  return {
    async showTotp(browser) {
      const person = await current(browser);
      if (person === undefined) return undefined;
      return isNew(person) ? view(person, newTotp(deps), browser) : 'login';
    },

    async addTotp(submission, browser) {
      const found = await answering('newTotp', submission, browser);
      if (found === undefined || found === 'late') return found;
      const { person, kept } = found;
      if (!isNew(person)) return 'login';
      const made = kept as NewTotp;
      const typed = { code: submitted(submission, 'code'), name: submitted(submission, 'name') };
      const added = await addTotp(made, typed, { owner: person.session.owner, browser }, deps);
      if ('problem' in added) {
        return view(person, made, browser, { name: typed.name, problem: problem(added.problem) });
      }
      const factor = { amr: ['otp'], level: 'mfa' } as const;
      return afterAdding(person, { kind: 'totp', factor, ...added }, sealed, browser, deps);
    },
  };
}

/** The page of recovery codes. */
export function codesPage(
  { answering, current, isNew, sealed }: FactorParts,
  deps: FactorDependencies,
): Pick<FactorsEndpoint, 'showCodes' | 'makeCodes' | 'codesOf'> {
  return {
    async showCodes(browser) {
      const person = await current(browser);
      if (person === undefined) return undefined;
      return isNew(person) ? shownCodes(person, [], sealed, browser) : 'login';
    },

    async makeCodes(submission, browser) {
      const found = await answering('recoveryCodes', submission, browser);
      if (found === undefined || found === 'late') return found;
      const { person } = found;
      if (!isNew(person)) return 'login';
      // Alone they prove nothing.
      if (!hasSecondFactor(person.own)) return 'gone';
      const codes = await replaceRecoveryCodes({ owner: person.session.owner, browser }, deps);
      return shownCodes(person, codes, sealed, browser);
    },

    async codesOf(submission, browser) {
      const found = await answering('recoveryCodes', submission, browser);
      return found === undefined || found === 'late' ? found : (found.kept as readonly string[]);
    },
  };
}
