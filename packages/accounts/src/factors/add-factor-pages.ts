import { type Browser, type BrowserCookies, type CredentialKind, submitted } from '@watchword/protocol';
import { problem } from '../passwords/password-pages.ts';
import { addTotp, type NewTotp, newTotp, replaceRecoveryCodes, shownTotp } from './enrolment.ts';
import type { CodesView, FactorsEndpoint, TotpView } from './factor-pages.ts';
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
      if (added.codes.length === 0) return 'added';
      const codes = shownCodes(person, added.codes, sealed, browser, 'totp');
      return { ...codes, cookies: { ...codes.cookies, ...(await raised(person, browser, deps)) } };
    },
  };
}

/** The first app was proved just now, as the first factor was: the session is one of both. */
async function raised(
  { session }: Person,
  browser: Browser,
  { sessions }: FactorDependencies,
): Promise<BrowserCookies> {
  if (browser.binding === undefined) return {};
  const origin = { clientId: undefined, source: browser.source };
  const factors = [{ amr: ['otp'], level: 'mfa' } as const];
  const started = await sessions.raise(
    { session, factors },
    { ...browser, binding: browser.binding },
    origin,
  );
  return started === undefined ? {} : { session: started.value };
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

function shownCodes(
  person: Person,
  codes: readonly string[],
  sealed: FactorParts['sealed'],
  browser: Browser,
  added?: CredentialKind,
): CodesView {
  const left = person.own.filter(({ kind }) => kind === 'recovery_code').length;
  return { type: 'codes', codes, left, added, ...sealed('recoveryCodes', person, codes, browser) };
}
