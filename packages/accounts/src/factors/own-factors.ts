import {
  type Account,
  accountIdentityProvider,
  type Browser,
  type Credential,
  type Submission,
  submitted,
} from '@watchword/protocol';
import { ownEvent } from '../own-event.ts';
import { acceptedPasskeys } from '../passkeys/accepted-passkeys.ts';
import { passkeyPage } from '../passkeys/new-passkey.ts';
import { checkCurrent } from '../passwords/change-password.ts';
import { problem } from '../passwords/password-pages.ts';
import { leastPasswordCharacters, passwordLength } from '../passwords/password-rules.ts';
import { codesPage, totpPage } from './add-factor-pages.ts';
import { factorName } from './enrolment.ts';
import { factorState } from './factor-events.ts';
import type { FactorOutcome, FactorsEndpoint, OneFactorView, OwnFactors } from './factor-pages.ts';
import { type FactorDependencies, type FactorParts, factorParts, type Person } from './factor-parts.ts';
import { canRemove, isLastFactor, removeFactor } from './remove-factor.ts';

// With fewer left, new ones are advised.
const fewCodes = 3;

/** The pages on which people see to their second factors. */
export function factorsEndpoint(deps: FactorDependencies): FactorsEndpoint {
  const parts = factorParts(deps);
  return {
    async of(owner) {
      const own = await deps.credentials.listBySubject(owner.subject);
      return { ...ownFactors(own), passkeys: await acceptedPasskeys(owner, own, deps) };
    },
    ...passkeyPage(parts, deps),
    ...totpPage(parts, deps),
    ...codesPage(parts, deps),
    ...factorPage(parts, deps),
  };
}

/** The page of one factor. */
function factorPage(
  { answering, current, isNew, sealed }: FactorParts,
  deps: FactorDependencies,
): Pick<FactorsEndpoint, 'showFactor' | 'change'> {
  type Changed = Promise<OneFactorView | FactorOutcome>;

  const view = async (
    person: Person,
    factor: Credential,
    browser: Browser,
    again?: OneFactorView['problem'],
  ): Promise<OneFactorView> => {
    const account = await accountOf(person, deps);
    const isLast = isLastFactor(factor, person.own);
    const asksPassword = isLast && account?.passwordHash !== undefined;
    const shown = { factor: ofList(factor), isLast, asksPassword, problem: again };
    return { type: 'factor', ...shown, ...sealed('factor', person, factor.id, browser) };
  };

  const rename = async (person: Person, factor: Credential, typed: string, browser: Browser): Changed => {
    const name = factorName(typed);
    if (name === undefined) return view(person, factor, browser, problem({ key: 'totp.wrongName' }));
    const { owner } = person.session;
    const states = { before: factorState(factor), after: factorState({ ...factor, name }) };
    const event = ownEvent('renameFactor', { owner, source: browser.source }, states, deps);
    const isRenamed = await deps.transact(async (stores) => {
      if (!(await stores.credentials.rename(owner.subject, factor.id, name))) return false;
      await stores.auditEvents.append([event]);
      return true;
    });
    if (isRenamed) deps.audited?.(event);
    return isRenamed ? 'renamed' : 'gone';
  };

  const remove = async (
    person: Person,
    factor: Credential,
    submission: Submission,
    browser: Browser,
  ): Changed => {
    const { owner } = person.session;
    if (!(await canRemove(factor, owner, deps))) return 'last';
    const account = await accountOf(person, deps);
    const hasPassword = account?.passwordHash !== undefined;
    const isLast = isLastFactor(factor, person.own);
    if (isLast && hasPassword) {
      const wrong = await problemOfPassword(account, submission, browser, deps);
      if (wrong !== undefined) return view(person, factor, browser, wrong);
    }
    return removeFactor(factor, { owner, browser }, isLast || !hasPassword, deps);
  };

  return {
    async showFactor(id, browser) {
      const person = await current(browser);
      if (person === undefined) return undefined;
      const factor = factorOf(person, id);
      return factor === undefined ? 'gone' : view(person, factor, browser);
    },

    async change(submission, browser) {
      const found = await answering('factor', submission, browser);
      if (found === undefined || found === 'late') return found;
      const { person, kept } = found;
      const factor = factorOf(person, String(kept));
      if (factor === undefined) return 'gone';
      if (!submission.has('remove')) return rename(person, factor, submitted(submission, 'name'), browser);
      return isNew(person) ? remove(person, factor, submission, browser) : 'login';
    },
  };
}

/** A password that opens an account alone is longer than one beside a second factor (NIST SP 800-63B-4 §3.1.1.2). */
async function problemOfPassword(
  account: Account,
  submission: Submission,
  browser: Browser,
  deps: FactorDependencies,
): Promise<OneFactorView['problem']> {
  const wrong = await checkCurrent(account, submission, browser, deps);
  if (wrong !== undefined) return wrong;
  const isShort = passwordLength(submitted(submission, 'password')) < leastPasswordCharacters();
  return isShort ? problem({ key: 'own-factor.short' }) : undefined;
}

async function accountOf(
  { session: { owner } }: Person,
  { accounts }: Pick<FactorDependencies, 'accounts'>,
): Promise<Account | undefined> {
  return owner.identityProvider === accountIdentityProvider ? accounts.find(owner.principal.name) : undefined;
}

function factorOf({ own }: Person, id: string): Credential | undefined {
  return own.find((each) => each.id === id && each.kind !== 'recovery_code');
}

function ownFactors(own: readonly Credential[]): Omit<OwnFactors, 'passkeys'> {
  const factors = own.filter(({ kind }) => kind !== 'recovery_code');
  const recoveryCodesLeft = own.length - factors.length;
  const needsRecoveryCodes = factors.length > 0 && recoveryCodesLeft < fewCodes;
  return { factors: factors.map(ofList), recoveryCodesLeft, needsRecoveryCodes };
}

function ofList({ id, kind, name, creationDate, lastUsed }: Credential) {
  return { id, kind, name, creationDate, lastUsed };
}
