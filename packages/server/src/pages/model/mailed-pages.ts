import type { ShownField } from './page.ts';

// What the pages show with which people get mails.

/** Asks whose password is forgotten. */
export const askingPage = {
  title: { key: 'forgotten.title' },
  text: { key: 'forgotten.text' },
  fields: [{ name: 'identifier', label: 'field.identifier', type: 'text', autocomplete: 'username' }],
  choices: [{ value: 'ask', text: { key: 'forgotten.submit' } }],
} as const;

/** Takes the code of the mail. */
export const sentPage = {
  title: { key: 'forgotten.sent' },
  text: { key: 'forgotten.sentText' },
  fields: [{ name: 'code', label: 'field.mailedCode', type: 'text', autocomplete: 'off' }],
  choices: [{ value: 'code', text: { key: 'forgotten.useCode' } }],
} as const;

/** Asks who wants an account. */
export const signUpPage = {
  title: { key: 'sign-up.title' },
  text: { key: 'sign-up.text' },
  fields: [{ name: 'email', label: 'claim.email', type: 'text', autocomplete: 'email' }],
  choices: [{ value: 'ask', text: { key: 'forgotten.submit' } }],
} as const;

/** Takes the code of the mail that confirms the address of a new account. */
export const signUpSentPage = {
  ...sentPage,
  title: { key: 'mail.confirm_address.subject' },
  text: { key: 'sign-up.sentText' },
} as const;

const cancel = { value: 'cancel', text: { key: 'password.cancel' } } as const;

const currentPassword: ShownField = {
  ...{ name: 'password', label: 'password.current', type: 'password' },
  autocomplete: 'current-password',
};

/** Asks for a new e-mail address. @param address what was typed before */
export function addressPage(owner: string, address: string, asksPassword: boolean) {
  return {
    title: { key: 'address.title' },
    text: { key: 'address.text', values: { owner } },
    fields: [
      { name: 'address', label: 'field.newAddress', type: 'email', autocomplete: 'email', value: address },
      ...(asksPassword ? [currentPassword] : []),
    ],
    choices: [{ value: 'ask', text: { key: 'forgotten.submit' } }, cancel],
  } as const;
}

/** Takes the code of the mail to the new address. */
export const mailedPage = {
  ...sentPage,
  title: { key: 'mail.confirm_address.subject' },
  text: { key: 'address.sentText' },
  choices: [...sentPage.choices, cancel],
} as const;

/** Asks whether the new address is to be used. */
export function confirmPage(owner: string, address: string) {
  return {
    title: { key: 'mail.confirm_address.link' },
    text: { key: 'address.confirmText', values: { owner, address } },
    choices: [{ value: 'confirm', text: { key: 'mail.confirm_address.link' } }, cancel],
  } as const;
}
