import { type CreationOptions, creationOptions, type Passkey, verifyRegistration } from '@watchword/passkeys';
import {
  type Credential,
  identityOf,
  type Message,
  type ResourceOwner,
  timeOrderedId,
} from '@watchword/protocol';
import { addFactor, type EnrolmentDependencies, type FactorOwner, factorName } from '../factors/enrolment.ts';
import type { EnrolledFactor } from '../factors/enrolment-step.ts';
import type { FactorDependencies } from '../factors/factor-parts.ts';
import { passkeysOf, userOf } from './accepted-passkeys.ts';
import { passkeyFields, storedPasskey } from './passkey-data.ts';
import { type Challenge, newChallenge, passkeyMethods, redeemed, refusedBy } from './passkey-login.ts';

export interface RegistrationDependencies
  extends Omit<EnrolmentDependencies, 'secrets'>,
    Pick<FactorDependencies, 'accounts' | 'oneTime' | 'onRefused' | 'relyingParty'> {}

/** What a page asks a browser for, and what its form has to bring back for the answer. */
export interface AskedRegistration {
  readonly options: CreationOptions;
  readonly state: Challenge;
}

const mostPasskeys = 20;

/** Asks for a new passkey. `undefined` for an account that is gone, and where browsers allow no passkeys. */
export async function askForPasskey(
  owner: ResourceOwner,
  own: readonly Credential[],
  deps: RegistrationDependencies,
): Promise<AskedRegistration | undefined> {
  const { relyingParty } = deps;
  const user = relyingParty && (await userOf(owner, deps));
  if (user === undefined || relyingParty === undefined) return undefined;
  const state = newChallenge(deps);
  const options = creationOptions({
    ...{ relyingParty, challenge: state.challenge, name: deps.productName?.() ?? relyingParty.id },
    user,
    known: passkeysOf(own).map(storedPasskey),
  });
  return { options, state };
}

/** Adds the passkey of an answer, which proves it too. `undefined` for an account that is gone. @param state of the page, which is answered once */
export async function addPasskey(
  typed: { readonly passkey: string; readonly name: string },
  state: unknown,
  who: FactorOwner,
  deps: RegistrationDependencies,
): Promise<EnrolledFactor | { readonly problem: Message } | undefined> {
  const name = factorName(typed.name);
  if (name === undefined) return { problem: { key: 'totp.wrongName' } };
  const made = await registered(typed.passkey, state, deps);
  if ('key' in made) return { problem: made };
  const credential = await credentialOf(made, name, who.owner, deps);
  if (credential === undefined) return undefined;
  const added = await addFactor(credential, mostPasskeys, who, deps);
  return 'problem' in added ? added : { ...added, factor: { amr: passkeyMethods(credential), level: 'phr' } };
}

/** The new passkey, or why there is none. A challenge is answered once. */
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

async function credentialOf(
  passkey: Passkey,
  name: string,
  owner: ResourceOwner,
  deps: RegistrationDependencies,
): Promise<Credential | undefined> {
  const user = await userOf(owner, deps);
  const { clock, random } = deps;
  const now = clock.now();
  return (
    user && {
      ...{
        id: timeOrderedId(now, random),
        subject: owner.subject,
        owner: identityOf(owner),
        kind: 'passkey',
      },
      ...{ name, creationDate: now, lastUsed: 0 },
      ...passkeyFields(passkey, user.handle),
    }
  );
}
