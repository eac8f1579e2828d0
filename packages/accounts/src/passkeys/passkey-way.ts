import { type CredentialStore, deviceOf, OAuthError, submitted } from '@watchword/protocol';
import type { EnrolmentWay } from '../factors/enrolment-step.ts';
import type { SecondFactorWay } from '../factors/second-factor-way.ts';
import { isProved, type PasskeyLogin, passkeyMethods } from './passkey-login.ts';
import { addPasskey, askForPasskey, type RegistrationDependencies } from './registration.ts';

/** A passkey after another first factor. Nobody guesses one, so nothing limits it. */
export function passkeyWay(passkeys: PasskeyLogin): SecondFactorWay {
  return {
    kind: 'passkey',
    level: 'phr',
    label: { key: 'passkey.use' },

    async ask({ own }) {
      const { options, state } = passkeys.ask(own);
      return { text: { key: 'passkey.text' }, passkey: { options }, submit: { key: 'passkey.use' }, state };
    },

    async prove({ own }, { submission, state }) {
      const found = await passkeys.find(submitted(submission, 'passkey'), own);
      const proved = 'message' in found ? found : await passkeys.prove(found, state);
      return isProved(proved) ? { factor: { amr: passkeyMethods(proved), level: 'phr' } } : proved;
    },
  };
}

/** A passkey that is added in a login. Its challenge belongs to the page, and so to the login that waits. */
export function passkeyEnrolment(
  deps: RegistrationDependencies & { readonly credentials: Pick<CredentialStore, 'listBySubject'> },
): EnrolmentWay {
  return {
    kind: 'passkey',
    level: 'phr',
    label: { key: 'new-passkey.title' },

    async ask({ owner }) {
      const own = await deps.credentials.listBySubject(owner.subject);
      const { options, state } = (await askForPasskey(owner, own, deps)) ?? gone();
      const text = { key: 'new-passkey.advice' };
      return { text, passkey: { options: { ...options } }, submit: { key: 'new-passkey.submit' }, state };
    },

    async add(who, { submission, state }, transact) {
      const typed = { passkey: submitted(submission, 'passkey'), name: deviceOf(who.browser.userAgent) };
      return (await addPasskey(typed, state, who, { ...deps, transact })) ?? gone();
    },
  };
}

/** The account was deleted meanwhile. */
function gone(): never {
  throw new OAuthError('invalid_auth_state');
}
