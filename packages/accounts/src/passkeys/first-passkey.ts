import {
  type Account,
  type AuditEvent,
  type AuthState,
  AuthStates,
  type Browser,
  deviceOf,
  OAuthError,
  type Stage,
  type Submission,
  submitted,
  type Transact,
  type TransactionStores,
} from '@watchword/protocol';
import { ownerOfAccount } from '../account-rules.ts';
import {
  type FirstPasskeyView,
  type PasskeyIsSet,
  type PasswordDependencies,
  type PasswordProblem,
  problem,
} from '../passwords/password-pages.ts';
import { userHandleOf } from './passkey-data.ts';
import { askForPasskeyOf, newPasskey, type RegistrationDependencies, storePasskey } from './registration.ts';

export type FirstPasskeyDependencies = PasswordDependencies &
  Pick<RegistrationDependencies, 'oneTime' | 'onRefused' | 'relyingParty'>;

/** A form that comes back. */
export interface AnsweredPasskey {
  readonly submission: Submission;
  /** The challenge of its page. */
  readonly state: unknown;
  readonly browser: Browser;
}

/** @param state of the page, in which the challenge is sealed too @throws OAuthError `invalid_reset_link` where browsers allow no passkeys */
export function firstPasskeyPage(
  account: Pick<Account, 'id' | 'username' | 'displayName'>,
  stage: Stage,
  state: AuthState,
  browser: Browser,
  deps: FirstPasskeyDependencies,
  more: Partial<Pick<FirstPasskeyView, 'name' | 'isLate' | 'problem'>> = {},
): FirstPasskeyView {
  const { username: name, displayName } = account;
  const asked = askForPasskeyOf({ handle: userHandleOf(account), name, displayName }, [], deps);
  if (asked === undefined) throw new OAuthError('invalid_reset_link');
  const page = new AuthStates(deps).sealPage(stage, { ...state, moduleState: asked.state }, browser);
  return { options: asked.options, name: deviceOf(browser.userAgent), ...page, ...more };
}

/**
 * Stores the passkey of the form, and recovery codes, in one transaction with what permits it.
 *
 * @param permit redeems the link. It throws, or resolves with `false`, where nothing may be stored
 */
export async function addFirstPasskey(
  account: Account,
  { submission, state, browser }: AnsweredPasskey,
  permit: (stores: TransactionStores) => Promise<boolean>,
  deps: FirstPasskeyDependencies,
): Promise<PasskeyIsSet | { readonly problem: PasswordProblem } | 'refused'> {
  const owner = ownerOfAccount(account, deps);
  const typed = { passkey: submitted(submission, 'passkey'), name: submitted(submission, 'name') };
  const made = await newPasskey(typed, state, { handle: userHandleOf(account), owner }, deps);
  if ('problem' in made) return { problem: problem(made.problem) };
  const events: AuditEvent[] = [];
  const audited = (event: AuditEvent) => events.push(event);
  let isTaken = false;
  const work = async (stores: TransactionStores) => {
    if (!(await permit(stores))) return 'refused';
    const inside: Transact = (work) => work(stores);
    const of = { ...deps, transact: inside, audited };
    const added = await storePasskey(made, { owner, browser }, of);
    if ('codes' in added) return added;
    isTaken = true;
    throw new Error('Somebody has the passkey.');
  };
  const added = await deps.transact(work).catch((error: unknown) => {
    if (!isTaken) throw error;
  });
  if (added === undefined) return { problem: problem({ key: 'passkey.refused' }) };
  if (added === 'refused') return added;
  for (const event of events) deps.audited?.(event);
  return { username: account.username, codes: added.codes, cookies: {} };
}
