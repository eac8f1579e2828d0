import type { Message } from '@watchword/protocol';
import type { LoginStepPage } from './page.ts';
import { asking, form, owner, type PageState, passkey } from './state-samples.ts';

const text = (key: string): Message => ({ key, values: {} });
const choice = (value: string, key: string) => ({ value, text: text(key) });

const code: LoginStepPage = {
  page: 'login-step',
  ...{ ...form, ...asking, owner, title: text('factor.title'), text: text('factor.totpText') },
  fields: [{ name: 'code', label: 'factor.code', type: 'text', autocomplete: 'one-time-code' }],
  choices: [choice('totp', 'factor.goOn'), choice('recovery_code', 'factor.useRecoveryCode')],
};
const ofPasskey: LoginStepPage = {
  ...{ ...code, text: text('passkey.text'), fields: [], passkey },
  choices: [choice('passkey', 'passkey.use'), choice('totp', 'factor.useTotp')],
};
const recovery: LoginStepPage = {
  ...{ ...code, text: text('factor.recoveryText') },
  fields: [{ name: 'code', label: 'factor.recoveryCode', type: 'text', autocomplete: 'off' }],
  choices: [choice('recovery_code', 'factor.goOn'), choice('totp', 'factor.useTotp')],
};

function state(name: string, page: LoginStepPage, message?: string): PageState {
  const shown = message === undefined ? page : { ...page, message: text(message) };
  return {
    name,
    label: [page.title, message === undefined ? (page.text ?? '') : text(message)],
    page: shown,
  };
}

/** The pages of second factors. */
export const factorStates: readonly PageState[] = [
  state('factor-code', code),
  state('factor-code-wrong', code, 'factor.wrongCode'),
  state('factor-passkey', ofPasskey),
  state('factor-recovery', recovery),
  state('factor-recovery-wrong', recovery, 'factor.wrongRecoveryCode'),
];
