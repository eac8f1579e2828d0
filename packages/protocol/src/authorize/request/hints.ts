import { type AuthorizationParameters, firstValue } from '../parameters.ts';

/** What a client suggests for the login and its pages (OpenID Connect Core §3.1.2.1). It proves nothing. */
export interface RequestHints {
  /** The name with which the user probably logs in. */
  readonly loginHint?: string;
  /** The languages in which the user wants to read pages, best first (BCP 47). */
  readonly uiLocales?: readonly string[];
  /** The authentication context classes that the client prefers, best first. */
  readonly acrValues?: readonly string[];
  /** The kind of window in which the pages are shown. */
  readonly display?: Display;
  /** The authenticator that the client suggests, by its name. No standard has this parameter. */
  readonly authenticatorHint?: string;
}

const displays = ['page', 'popup', 'touch', 'wap'] as const;

export type Display = (typeof displays)[number];

const maxValues = 10;
// A name at an identity provider can be an e-mail address, which has at most 254 characters (RFC 5321 §4.5.3.1.3).
const maxLoginHintLength = 320;
const languageTag = /^[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,7}$/i;

/** Reads the hints of a request. A hint that the server cannot use is ignored. */
export function readHints(parameters: AuthorizationParameters): RequestHints {
  const loginHint = readLoginHint(parameters);
  const uiLocales = readUiLocales(parameters);
  const acrValues = words(parameters, 'acr_values');
  const display = displays.find((value) => value === firstValue(parameters, 'display'));
  const authenticatorHint = readAuthenticatorHint(parameters);
  return {
    ...(loginHint !== undefined && { loginHint }),
    ...(uiLocales.length > 0 && { uiLocales }),
    ...(acrValues.length > 0 && { acrValues }),
    ...(display !== undefined && { display }),
    ...(authenticatorHint !== undefined && { authenticatorHint }),
  };
}

/** The languages in which the user wants to read pages, best first (BCP 47). */
export function readUiLocales(parameters: AuthorizationParameters): readonly string[] {
  return words(parameters, 'ui_locales').filter((tag) => languageTag.test(tag));
}

function readLoginHint(parameters: AuthorizationParameters): string | undefined {
  const hint = firstValue(parameters, 'login_hint');
  return hint !== undefined && hint.length <= maxLoginHintLength && !/\p{Cc}/u.test(hint) ? hint : undefined;
}

function readAuthenticatorHint(parameters: AuthorizationParameters): string | undefined {
  const hint = firstValue(parameters, 'authenticator_hint');
  return hint !== undefined && /^[\w.@/-]{1,100}$/.test(hint) ? hint : undefined;
}

function words(parameters: AuthorizationParameters, name: 'acr_values' | 'ui_locales'): readonly string[] {
  const value = firstValue(parameters, name) ?? '';
  return value.split(' ', maxValues).filter((word) => word !== '');
}
