import { submitted } from '@watchword/protocol';
import type { SecondFactorWay } from '../factors/second-factor-way.ts';
import { isProved, type PasskeyLogin, passkeyMethods } from './passkey-login.ts';

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
