import { language, t } from '../texts/texts.ts';

/** What can be counted. */
export type Noun =
  | 'account'
  | 'accessToken'
  | 'client'
  | 'confirmation'
  | 'grant'
  | 'host'
  | 'right'
  | 'secret'
  | 'factor'
  | 'finding'
  | 'identityProvider'
  | 'invitation'
  | 'login'
  | 'logoutToken'
  | 'reason'
  | 'rememberedConsent'
  | 'resourceServer'
  | 'setting'
  | 'signingKey'
  | 'token';

/** A number with its noun: `1 client`, `1,200 clients`. */
export function count(number: number, noun: Noun): string {
  return t(`count.${noun}`, { count: number });
}

/** A number as the language writes it: `1,200`. */
export function numberText(number: number): string {
  return number.toLocaleString(language());
}
