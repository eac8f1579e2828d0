import { RedirectableError } from '../../model/errors.ts';
import { withHidden } from '../../model/hidden-characters.ts';
import { quoted } from '../../rules/quoted.ts';
import { type AuthorizationParameters, firstValue, isRepeated } from '../parameters.ts';

/** What the client wants the resource owner to be asked (OpenID Connect Core §3.1.2.1). */
export type Prompt = 'none' | 'login' | 'consent' | 'select_account';

/** The values of `prompt` that the server supports. */
export const prompts: readonly Prompt[] = ['none', 'login', 'consent', 'select_account'];

export function readPrompt(parameters: AuthorizationParameters): readonly Prompt[] | RedirectableError {
  const asked = firstValue(parameters, 'prompt')?.split(/ +/).filter(Boolean) ?? [];
  if (!asked.every(isPrompt)) {
    return new RedirectableError('invalid_request', {
      description: withHidden(
        'The prompt must be none, or of login, consent and select_account.',
        asked.join(' '),
      ),
      rule: 'prompt',
      came: quoted(asked.join(' ')),
    });
  }
  if (asked.includes('none') && asked.length > 1) {
    return new RedirectableError('invalid_request', {
      description: 'The prompt none cannot be combined with another.',
      rule: 'prompt',
      came: quoted(asked.join(' ')),
    });
  }
  return asked;
}

function isPrompt(value: string): value is Prompt {
  return (prompts as readonly string[]).includes(value);
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
  return new RedirectableError('invalid_request', {
    description: withHidden('The max_age must be a whole number of seconds.', value),
    rule: 'max_age',
    came: quoted(value),
  });
}
