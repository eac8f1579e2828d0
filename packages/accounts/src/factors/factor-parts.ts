import type { RelyingParty } from '@watchword/passkeys';
import {
  type AccountLinkStore,
  AuthStates,
  type Browser,
  type Credential,
  type CredentialStore,
  type LoginSession,
  type OneTimeStore,
  reaches,
  type Submission,
} from '@watchword/protocol';
import { hasJustLoggedIn } from '../account-rules.ts';
import type { PasskeyDependencies } from '../passkeys/passkey-login.ts';
import type { PasswordDependencies } from '../passwords/password-pages.ts';
import type { EnrolmentDependencies } from './enrolment.ts';
import type { FactorView } from './factor-pages.ts';
import { hasSecondFactor } from './second-factor.ts';

export interface FactorDependencies
  extends Omit<PasswordDependencies, 'audited' | 'productName'>,
    Omit<EnrolmentDependencies, 'mail'> {
  readonly credentials: CredentialStore;
  readonly accountLinks: Pick<AccountLinkStore, 'listOfAccount'>;
  readonly oneTime: Pick<OneTimeStore, 'put'>;
  /** Absent where browsers allow no passkeys. */
  readonly relyingParty: RelyingParty | undefined;
  readonly onRefused?: PasskeyDependencies['onRefused'] | undefined;
}

/** Somebody who is logged in, with the own factors. */
export interface Person {
  readonly session: LoginSession;
  readonly own: readonly Credential[];
}

/** The person whose page comes back, with what it has sealed. */
interface Answering {
  readonly person: Person;
  readonly kept: unknown;
}

/** Which page: what one has kept is nothing to another. */
type FactorStage = 'newTotp' | 'newPasskey' | 'recoveryCodes' | 'factor';

/** What the pages of second factors share. */
export interface FactorParts {
  current(browser: Browser): Promise<Person | undefined>;
  /** Whether the person has just logged in, with a second factor where there is one: a session that was stolen changes nothing. */
  isNew(person: Person): boolean;
  /** `undefined` when no user is logged in; `late` for a page that decides nothing. */
  answering(
    stage: FactorStage,
    submission: Submission,
    browser: Browser,
  ): Promise<Answering | 'late' | undefined>;
  /** @param kept what comes back with the page */
  sealed(stage: FactorStage, person: Person, kept: unknown, browser: Browser): FactorView;
}

export function factorParts(deps: FactorDependencies): FactorParts {
  const { authenticators, clock, credentials, sessions } = deps;
  const authStates = new AuthStates(deps);
  const current = async (browser: Browser) => {
    const session = await sessions.current(browser, authenticators);
    return session && { session, own: await credentials.listBySubject(session.owner.subject) };
  };
  return {
    current,

    isNew: ({ session, own }) =>
      hasJustLoggedIn(session, clock.now()) &&
      (!hasSecondFactor(own) || reaches(session.authentication.level ?? 'sfa', 'mfa')),

    async answering(stage, submission, browser) {
      const { state, isLate } = await authStates.openLate(stage, submission, browser);
      const person = await current(browser);
      if (person === undefined) return undefined;
      return isLate || person.session.id !== state.sessionId ? 'late' : { person, kept: state.moduleState };
    },

    sealed(stage, { session }, kept, browser) {
      const state = { sessionId: session.id, moduleState: kept };
      return { owner: session.owner, ...authStates.sealPage(stage, state, browser) };
    },
  };
}
