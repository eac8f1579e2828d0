import type { Message } from '@watchword/protocol';
import type { NewPasskeyPage, OwnFactorPage, RecoveryCodesPage, TotpPage } from '../model/own-factor-page.ts';
import type { LoginStepPage } from '../model/page.ts';
import {
  account,
  asking,
  factor,
  factors,
  form,
  isNeutral,
  owner,
  type PageState,
  passkey,
} from './state-samples.ts';

const text = (key: string): Message => ({ key, values: {} });
const choice = (value: string, key: string) => ({ value, text: text(key) });

const code: LoginStepPage = {
  page: 'login-step',
  ...{ ...form, ...asking, owner, title: text('factor.title'), text: text('factor.totpText') },
  fields: [{ name: 'code', label: 'factor.code', type: 'text', autocomplete: 'one-time-code' }],
  box: { name: 'trust', text: { key: 'factor.trust', values: { days: '30' } } },
  choices: [choice('totp', 'factor.goOn'), choice('recovery_code', 'factor.useRecoveryCode')],
};
const ofPasskey: LoginStepPage = {
  ...{ ...code, text: text('passkey.text'), fields: [], passkey },
  choices: [choice('passkey', 'passkey.use'), choice('totp', 'factor.useTotp')],
};
const recovery: LoginStepPage = {
  ...{ ...code, text: text('factor.recoveryText'), box: undefined },
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

/** The three corners by which people know a QR code. */
const qr = [
  [4, 4],
  [34, 4],
  [4, 34],
]
  .map(([x, y]) => `M${x} ${y}h7v7h-7zm1 1v5h5v-5zm1 1h3v3h-3z`)
  .join('');
const totp: TotpPage = {
  page: 'totp',
  ...{ ...form, name: '', accountUrl: '#' },
  totp: { uri: '#', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', picture: { size: 45, path: qr } },
};
const newPasskey: NewPasskeyPage = {
  page: 'new-passkey',
  ...{ ...form, passkey, name: 'Chrome, Linux', accountUrl: '#' },
};
const codes: RecoveryCodesPage = {
  page: 'recovery-codes',
  ...{ ...form, owner, codes: [], left: 2, downloadUrl: '#', accountUrl: '#' },
};
const change: OwnFactorPage = {
  page: 'own-factor',
  ...{ ...form, owner, factor, isLast: false, asksPassword: false, passwordUrl: '#', accountUrl: '#' },
};

function own<Page extends PageState['page']>(
  name: string,
  page: Page,
  ...keys: readonly string[]
): PageState {
  return { name, label: [text(`${page.page}.title`), ...keys.map(text)], page };
}

/** A page with a message. */
function told(name: string, page: PageState['page'], key: string): PageState {
  return { ...own(name, page, key), page: { ...page, message: text(key) } as PageState['page'] };
}

const newCodes = Array.from({ length: 10 }, (_, index) => `2f7k-9q4h-0w8t-m3x${index}`);

const adding: LoginStepPage = {
  ...{ ...code, title: text('factor.addTitle'), text: text('factor.addText'), box: undefined, fields: [] },
  choices: [
    choice('passkey', 'new-passkey.title'),
    choice('totp', 'totp.title'),
    choice('later', 'factor.later'),
  ],
};
const addingPasskey: LoginStepPage = {
  ...{ ...adding, text: text('new-passkey.advice'), passkey },
  choices: [
    choice('passkey', 'new-passkey.submit'),
    choice('totp', 'totp.title'),
    choice('later', 'factor.later'),
  ],
};
const addingTotp: LoginStepPage = {
  ...{ ...adding, text: text('factor.addTotpText') },
  totp: totp.totp,
  fields: [{ name: 'code', label: 'totp.code', type: 'text', autocomplete: 'one-time-code' }],
  choices: [choice('totp', 'totp.submit'), choice('later', 'factor.later')],
};
const addedCodes: LoginStepPage = {
  ...{ ...adding, title: text('recovery-codes.title'), text: text('recovery-codes.advice') },
  codes: newCodes,
  choices: [choice('go', 'recovery-codes.kept')],
};

const newPassword = { type: 'password', autocomplete: 'new-password' } as const;
const longer: LoginStepPage = {
  ...{ ...code, title: text('password.title'), box: undefined },
  text: { key: 'password.longer', values: { count: '15' } },
  fields: [
    { ...newPassword, name: 'new_password', label: 'password.new' },
    { ...newPassword, name: 'new_password_again', label: 'password.again' },
  ],
  choices: [choice('save', 'password.submit')],
};

/** The pages of second factors. */
export const factorStates: readonly PageState[] = [
  state('factor-code', code),
  state('factor-code-wrong', code, 'factor.wrongCode'),
  state('factor-code-lost', code, 'factor.lostApp'),
  state('factor-passkey', ofPasskey),
  state('factor-add', adding),
  state('factor-add-passkey', addingPasskey),
  state('factor-add-passkey-script', addingPasskey, 'passkey.script'),
  state('factor-add-totp', addingTotp),
  state('factor-add-totp-wrong', addingTotp, 'totp.wrong'),
  state('factor-add-codes', addedCodes),
  state('factor-removed', longer),
  state('factor-recovery', recovery),
  state('factor-recovery-wrong', recovery, 'factor.wrongRecoveryCode'),
  own('totp', totp),
  told('totp-wrong', totp, 'totp.wrong'),
  told('totp-clock', totp, 'totp.wrongClock'),
  told('totp-name', totp, 'totp.wrongName'),
  told('totp-unavailable', totp, 'totp.unavailable'),
  told('totp-limit', totp, 'account.factorLimit'),
  own('new-passkey', newPasskey),
  own('new-passkey-first', { ...newPasskey, accountUrl: undefined }, 'new-passkey.advice'),
  {
    name: 'passkey-set',
    label: [text('passkey-set.title')],
    page: { page: 'password-set', codes: newCodes, owner, accountUrl: '#' },
  },
  told('new-passkey-refused', newPasskey, 'passkey.refused'),
  own('recovery-codes', codes),
  own('recovery-codes-new', { ...codes, codes: newCodes }, 'recovery-codes.once'),
  told('recovery-codes-added', { ...codes, codes: newCodes }, 'account.factorAdded'),
  own('own-factor', change),
  own('own-factor-last', { ...change, isLast: true, asksPassword: true }, 'own-factor.last'),
  told('own-factor-short', { ...change, isLast: true, asksPassword: true }, 'own-factor.short'),
  own(
    'account-codes',
    { ...account, factors: { ...factors, codesLeft: 0, needsCodes: true } },
    'account.needsCodes',
  ),
  told('account-factor', account, 'account.factorRemoved'),
  told('account-factor-last', { ...account, isNeutral }, 'account.factorLast'),
];
