import { OAuthError } from '../model/errors.ts';
import type { Submission } from '../ports/module-step.ts';

/** What the client asks about asking (OpenID Connect Core §3.1.2.1). */
export type Prompt = 'none' | 'login' | 'consent';

const prompts: readonly string[] = ['none', 'login', 'consent'] satisfies Prompt[];

/** @throws OAuthError `invalid_request` */
export function readPrompt(value: string | undefined): readonly Prompt[] {
  const asked = value === undefined ? [] : value.split(' ');
  if (!asked.every((prompt): prompt is Prompt => prompts.includes(prompt))) {
    throw new OAuthError('invalid_request', { description: 'The prompt must be none, login or consent.' });
  }
  if (asked.includes('none') && asked.length > 1) {
    throw new OAuthError('invalid_request', {
      description: 'The prompt none cannot be combined with another.',
    });
  }
  return asked;
}

/** Whether the client forbids to ask, as far as it can be told of a request that may be wrong in any way. */
export function forbidsToAsk(parameters: Submission): boolean {
  const [value = '', ...others] = parameters.get('prompt') ?? [];
  return others.length === 0 && value.split(' ').includes('none');
}

/** Seconds since the last login that the client accepts. @throws OAuthError `invalid_request` */
export function readMaxAge(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,12}$/.test(value)) return Number(value);
  throw new OAuthError('invalid_request', { description: 'The max_age must be a whole number of seconds.' });
}
