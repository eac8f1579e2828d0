import type { BrowserCookies, Destination, DocumentAnswer } from '@watchword/protocol';
import type { Page } from '../../pages/model/page.ts';
import { type HttpAnswer, withCookies, withHeaders } from '../answer.ts';
import type { BrowserCookieJar } from '../browser-cookies.ts';
import type { PageAnswers } from '../page.ts';
import type { HttpRequest } from '../request.ts';

export interface ShownPageOptions {
  /** Default: 200. */
  readonly status?: number | undefined;
  /** Seconds after which the user can try again (`Retry-After`). */
  readonly retryAfter?: number | undefined;
  readonly cookies?: BrowserCookies;
  /** Where the answer to a form of this page can lead. */
  readonly destination?: Destination;
  /** The languages that the client requests, best first, before those of the browser. */
  readonly languages?: readonly string[];
}

/** Pages for browsers, and redirects. */
export interface BrowserAnswers {
  page(request: HttpRequest, page: Page, options?: ShownPageOptions): HttpAnswer;
  redirect(request: HttpRequest, location: string, cookies?: BrowserCookies): HttpAnswer;
  document(document: DocumentAnswer, options?: Pick<ShownPageOptions, 'destination'>): HttpAnswer;
  /**
   * Sends the browser to another server, also in answer to a form. Browsers apply the `form-action` policy of a page to
   * every redirect after its form, and the target of a login or logout is not known when the page is made. So the answer
   * to a form is a separate page that forwards the browser.
   *
   * @param fields to post to the other server
   */
  forward(
    request: HttpRequest,
    location: string,
    options: { readonly fields?: Readonly<Record<string, string>>; readonly cookies?: BrowserCookies },
  ): HttpAnswer;
}

export function browserAnswers(pages: PageAnswers, jar: BrowserCookieJar): BrowserAnswers {
  const redirect: BrowserAnswers['redirect'] = (request, location, cookies = {}) => {
    // 303 turns a POST into a GET. A 307 would forward the password to the client (RFC 9700 §4.12).
    const answer = { status: 303, headers: { location, 'referrer-policy': 'no-referrer' } };
    return withCookies(answer, jar.changed(request, cookies));
  };
  const formTargetsOf = ({ formTarget }: Pick<Destination, 'formTarget'> = {}) =>
    formTarget === undefined ? [] : [formTarget];
  return {
    page(request, page, { status = 200, retryAfter, cookies = {}, destination, languages } = {}) {
      const shown = pages.show(request, page, { status, formTargets: formTargetsOf(destination), languages });
      const answer = withCookies(shown, jar.changed(request, cookies));
      return retryAfter === undefined ? answer : withHeaders(answer, { 'retry-after': String(retryAfter) });
    },

    document({ contentType, content, status = 200, allow = {} }, { destination } = {}) {
      const formTargets = formTargetsOf(destination);
      return pages.showDocument({ contentType, content, allow }, { status, formTargets });
    },

    redirect,

    forward(request, location, { fields, cookies = {} }) {
      if (fields === undefined && request.method === 'GET') return redirect(request, location, cookies);
      const formTargets = fields === undefined ? [] : [new URL(location).protocol];
      const page = pages.show(request, { page: 'forward', action: location, fields }, { formTargets });
      return withCookies(page, jar.changed(request, cookies));
    },
  };
}
