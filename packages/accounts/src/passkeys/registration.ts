import {
  type CreationOptions,
  creationOptions,
  type Passkey,
  type RelyingParty,
  verifyRegistration,
} from '@watchword/passkeys';
import {
  type Credential,
  identityOf,
  type Message,
  type ResourceOwner,
  timeOrderedId,
} from '@watchword/protocol';
import {
  type AddedFactor,
  addFactor,
  type EnrolmentDependencies,
  type FactorOwner,
  factorName,
} from '../factors/enrolment.ts';
import type { EnrolledFactor } from '../factors/enrolment-step.ts';
import type { FactorDependencies } from '../factors/factor-parts.ts';
import { type PasskeyUser, passkeysOf, userOf } from './accepted-passkeys.ts';
import { passkeyFields, storedPasskey } from './passkey-data.ts';
import { type Challenge, newChallenge, passkeyMethods, redeemed, refusedBy } from './passkey-login.ts';

export interface RegistrationDependencies
  extends Omit<EnrolmentDependencies, 'secrets'>,
    Pick<FactorDependencies, 'accounts' | 'oneTime' | 'onRefused'> {
  /** Absent where browsers allow no passkeys. */
  readonly relyingParty?: RelyingParty | undefined;
}

/** What a page asks a browser for, and what its form has to bring back for the answer. */
export interface AskedRegistration {
  readonly options: CreationOptions;
  readonly state: Challenge;
}

/** The answer of a browser, and the name of the passkey. */
interface TypedPasskey {
  readonly passkey: string;
  readonly name: string;
}

const mostPasskeys = 20;

/** Asks for a new passkey of a person. `undefined` where browsers allow no passkeys. */
export function askForPasskeyOf(
  user: PasskeyUser,
  own: readonly Credential[],
  deps: Pick<RegistrationDependencies, 'clock' | 'random' | 'productName' | 'relyingParty'>,
): AskedRegistration | undefined {
  const { relyingParty } = deps;
  if (relyingParty === undefined) return undefined;
  const state = newChallenge(deps);
  const options = creationOptions({
    ...{ relyingParty, challenge: state.challenge, name: deps.productName?.() ?? relyingParty.id },
    user,
    known: passkeysOf(own).map(storedPasskey),
  });
  return { options, state };
}

/** The same of a person who is known. `undefined` also for an account that is gone. */
export async function askForPasskey(
  owner: ResourceOwner,
  own: readonly Credential[],
  deps: RegistrationDependencies,
): Promise<AskedRegistration | undefined> {
  const user = await userOf(owner, deps);
  return user && askForPasskeyOf(user, own, deps);
}

/** Adds the passkey of an answer, which proves it too. `undefined` for an account that is gone. @param state of the page */
export async function addPasskey(
  typed: TypedPasskey,
  state: unknown,
  who: FactorOwner,
  deps: RegistrationDependencies,
): Promise<EnrolledFactor | { readonly problem: Message } | undefined> {
  const user = await userOf(who.owner, deps);
  if (user === undefined) return undefined;
  const made = await newPasskey(typed, state, { ...user, owner: who.owner }, deps);
  if ('problem' in made) return made;
  const added = await storePasskey(made, who, deps);
  return 'problem' in added ? added : { ...added, factor: { amr: passkeyMethods(made), level: 'phr' } };
}

/** The passkey of an answer, which is not stored yet, or why there is none. @param state of the page, which is answered once */
export async function newPasskey(
  { passkey: text, name: typed }: TypedPasskey,
  state: unknown,
  { handle, owner }: Pick<PasskeyUser, 'handle'> & { readonly owner: ResourceOwner },
  deps: Pick<RegistrationDependencies, 'clock' | 'oneTime' | 'onRefused' | 'random' | 'relyingParty'>,
): Promise<Credential | { readonly problem: Message }> {
  const name = factorName(typed);
  if (name === undefined) return { problem: { key: 'totp.wrongName' } };
  const passkey = await registered(text, state, deps);
  if ('key' in passkey) return { problem: passkey };
  const now = deps.clock.now();
  return {
    ...{ id: timeOrderedId(now, deps.random), subject: owner.subject, owner: identityOf(owner) },
    ...{ kind: 'passkey', name, creationDate: now, lastUsed: 0 },
    ...passkeyFields(passkey, handle),
  };
}

export function storePasskey(
  passkey: Credential,
  who: FactorOwner,
  deps: Omit<EnrolmentDependencies, 'secrets'>,
): Promise<AddedFactor> {
  return addFactor(passkey, mostPasskeys, who, deps);
}

async function registered(
  text: string,
  state: unknown,
  deps: Pick<RegistrationDependencies, 'clock' | 'oneTime' | 'onRefused' | 'relyingParty'>,
): Promise<Passkey | { readonly key: string }> {
  const { relyingParty } = deps;
  if (text === '' || relyingParty === undefined) return { key: 'passkey.script' };
  const challenge = await redeemed(state, deps);
  if (challenge === undefined) return { key: 'passkey.late' };
  const passkey = await verifyRegistration(text, { relyingParty, challenge }).catch(refusedBy(deps));
  return passkey ?? { key: 'passkey.refused' };
}
