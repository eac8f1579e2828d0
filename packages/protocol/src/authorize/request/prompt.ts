import { RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { type AuthorizationParameters, firstValue, isRepeated } from '../parameters.ts';

/**
 * What the client wants the resource owner to be asked (OpenID Connect Core §3.1.2.1). `create`: the page on which people make an account
 * (Initiating User Registration via OpenID Connect §4.1).
 */
export type Prompt = 'none' | 'login' | 'consent' | 'select_account' | 'create';

/** The values of `prompt` that every server supports. */
const prompts: readonly Prompt[] = ['none', 'login', 'consent', 'select_account'];

/** The values of `prompt` that the server supports. @param hasSignUp people make accounts by themselves */
export function supportedPrompts(hasSignUp: boolean): readonly Prompt[] {
  return hasSignUp ? [...prompts, 'create'] : prompts;
}

/** A value that the metadata does not list is an error (Initiating User Registration via OpenID Connect §4.1). */
export function readPrompt(
  parameters: AuthorizationParameters,
  hasSignUp: boolean,
): readonly Prompt[] | RedirectableError {
  const supported: readonly string[] = supportedPrompts(hasSignUp);
  const asked = firstValue(parameters, 'prompt')?.split(/ +/).filter(Boolean) ?? [];
  const refused = (isCombined: boolean) =>
    new RedirectableError('invalid_request', because('prompt', { asked, isCombined, supported }));
  if (!asked.every((value): value is Prompt => supported.includes(value))) return refused(false);
  return asked.includes('none') && asked.length > 1 ? refused(true) : asked;
}

/** Whether the client forbids the server to show a page. The rest of the request can be invalid. */
export function forbidsPages(parameters: AuthorizationParameters): boolean {
  const prompt = firstValue(parameters, 'prompt') ?? '';
  return !isRepeated(parameters, 'prompt') && prompt.split(' ').includes('none');
}

/** Seconds since the last login that the client accepts. */
export function readMaxAge(parameters: AuthorizationParameters): number | undefined | RedirectableError {
  const value = firstValue(parameters, 'max_age');
  if (value === undefined) return undefined;
  if (/^\d{1,12}$/.test(value)) return Number(value);
  return new RedirectableError('invalid_request', because('max_age', { value }));
}
