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
