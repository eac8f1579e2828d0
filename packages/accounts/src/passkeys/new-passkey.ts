import {
  type CreationOptions,
  creationOptions,
  type Passkey,
  type RelyingParty,
  verifyRegistration,
} from '@watchword/passkeys';
import {
  type Credential,
  deviceOf,
  displayName,
  identityOf,
  type Message,
  type ResourceOwner,
  submitted,
  timeOrderedId,
} from '@watchword/protocol';
import { afterAdding } from '../factors/added-factor.ts';
import { addFactor, factorName } from '../factors/enrolment.ts';
import type { FactorsEndpoint, PasskeyView } from '../factors/factor-pages.ts';
import type { FactorDependencies, FactorParts, Person } from '../factors/factor-parts.ts';
import { problem } from '../passwords/password-pages.ts';
import { passkeysOf, userOf } from './accepted-passkeys.ts';
import { passkeyFields, storedPasskey } from './passkey-data.ts';
import { newChallenge, passkeyMethods, redeemed, refusedBy } from './passkey-login.ts';

const mostPasskeys = 20;

/** The page on which a passkey is added. */
export function passkeyPage(
  { answering, current, isNew, sealed }: FactorParts,
  deps: FactorDependencies,
): Pick<FactorsEndpoint, 'showPasskey' | 'addPasskey'> {
  const view = async (
    person: Person,
    browser: Parameters<typeof current>[0],
    more: Pick<PasskeyView, 'name' | 'problem'>,
  ): Promise<PasskeyView | 'gone'> => {
    const user = await userOf(person.session.owner, deps);
    if (user === undefined || deps.relyingParty === undefined) return 'gone';
    const state = newChallenge(deps);
    const options = optionsOf(user, state.challenge, deps.relyingParty, person, deps);
    return { type: 'passkey', options, ...more, ...sealed('newPasskey', person, state, browser) };
  };

  return {
    async showPasskey(browser) {
      const person = await current(browser);
      if (person === undefined) return undefined;
      return isNew(person) ? view(person, browser, { name: deviceOf(browser.userAgent) }) : 'login';
    },

    async addPasskey(submission, browser) {
      const found = await answering('newPasskey', submission, browser);
      if (found === undefined || found === 'late') return found;
      const { person, kept } = found;
      if (!isNew(person)) return 'login';
      const typed = submitted(submission, 'name');
      const again = (message: Message) => view(person, browser, { name: typed, problem: problem(message) });
      const name = factorName(typed);
      if (name === undefined) return again({ key: 'totp.wrongName' });
      const made = await registered(submitted(submission, 'passkey'), kept, deps);
      if ('key' in made) return again(made);
      const credential = await credentialOf(made, name, person.session.owner, deps);
      if (credential === undefined) return 'gone';
      const added = await addFactor(credential, mostPasskeys, { owner: person.session.owner, browser }, deps);
      if ('problem' in added) return again(added.problem);
      const factor = { amr: passkeyMethods(credential), level: 'phr' } as const;
      return afterAdding(person, { kind: 'passkey', factor, ...added }, sealed, browser, deps);
    },
  };
}

function optionsOf(
  user: { readonly handle: string },
  challenge: string,
  relyingParty: RelyingParty,
  { session, own }: Person,
  { productName }: Pick<FactorDependencies, 'productName'>,
): CreationOptions {
  const { principal } = session.owner;
  return creationOptions({
    ...{ relyingParty, challenge, name: productName?.() ?? relyingParty.id },
    user: { ...user, name: principal.name, displayName: displayName(principal) },
    known: passkeysOf(own).map(storedPasskey),
  });
}

/** The new passkey, or why there is none. A challenge is answered once. */
async function registered(
  text: string,
  state: unknown,
  deps: Pick<FactorDependencies, 'clock' | 'oneTime' | 'onRefused' | 'relyingParty'>,
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
  deps: FactorDependencies,
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
