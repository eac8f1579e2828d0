import { OAuthError, type Submission, submitted } from '@watchword/protocol';
import { type HttpAnswer, withCookies } from './answer.ts';
import type { BrowserCookieJar } from './browser-cookies.ts';
import { browserSubmission } from './form.ts';
import type { HttpRequest } from './request.ts';

export interface LanguageChoiceDependencies {
  readonly cookies: Pick<BrowserCookieJar, 'cameAlong' | 'chooseLanguage'>;
  /** The languages of pages (BCP 47). */
  readonly languages: () => readonly string[];
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
}

/** The language that a user chooses at the foot of a page. */
export interface LanguageChoice {
  /** Whether a page posts the choice, and nothing else, to its own address. */
  isMade(request: HttpRequest): boolean;
  /** Shows the same address once more. @throws OAuthError `invalid_request`, `unbound_submission` */
  take(request: HttpRequest): HttpAnswer;
  /** The value of `Set-Cookie`. @throws OAuthError `invalid_request` for a language that pages do not have */
  cookieOf(submission: Submission): string;
}

const field = Buffer.from('language=');
const maxLength = 60;

export function languageChoice({ cookies, languages, prefix }: LanguageChoiceDependencies): LanguageChoice {
  const cookieOf = (submission: Submission) => {
    const asked = submitted(submission, 'language');
    const language = languages().find((known) => known === asked);
    if (language === undefined) throw new OAuthError('invalid_request', { rule: 'form_choice' });
    return cookies.chooseLanguage(language);
  };
  return {
    isMade: ({ method, body }) =>
      method === 'POST' &&
      body !== undefined &&
      body.length < maxLength &&
      body.subarray(0, field.length).equals(field) &&
      !body.includes('&'),
    take(request) {
      const cookie = cookieOf(browserSubmission(request));
      const { 'sec-fetch-site': site = 'same-origin' } = request.headers;
      if (site !== 'same-origin' || !cookies.cameAlong(request)) throw new OAuthError('unbound_submission');
      const answer = { status: 303, headers: { location: prefix + ownPath(request.url) } };
      return withCookies(answer, [cookie]);
    },
    cookieOf,
  };
}

/** The path and query of a request, which no browser takes for the address of another host. */
function ownPath(url: string): string {
  const { pathname, search } = new URL(`http://localhost${url}`);
  return pathname.replace(/^\/+/, '/') + search;
}
