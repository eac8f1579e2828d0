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

/** By the names of their states. */
export const mailedPages = {
  forgotten: askingPage,
  'forgotten-sent': sentPage,
  'sign-up': signUpPage,
  'sign-up-sent': signUpSentPage,
} as const;
