import type { BrowserCookies, DocumentAnswer } from '@watchword/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Page } from '../pages/page.ts';
import { redirectTarget } from '../pages/redirect-target.ts';
import type { BrowserCookieJar } from './browser-cookies.ts';
import type { PageAnswers } from './page.ts';

export interface ShownPageOptions {
  readonly status?: number;
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter?: number;
  readonly cookies?: BrowserCookies;
  /** The redirect URI to which the answer to a form of this page may lead. */
  readonly redirectUri?: string;
}

/** Shows pages to browsers and sends them elsewhere; each returns what the handler is to return. */
export interface BrowserAnswers {
  page(request: FastifyRequest, reply: FastifyReply, page: Page, options?: ShownPageOptions): string;
  redirect(reply: FastifyReply, location: string, cookies?: BrowserCookies): FastifyReply;
  document(
    reply: FastifyReply,
    document: DocumentAnswer,
    options?: Pick<ShownPageOptions, 'redirectUri'>,
  ): string;
  /**
   * Leads to another server, in answer to a form too: what comes after a form is held to the policy of its page, however
   * often it is redirected, and where a login or a logout leads nobody knows beforehand. So a page of its own leads on.
   *
   * @param fields to post there
   */
  forward(
    request: FastifyRequest,
    reply: FastifyReply,
    location: string,
    options: { readonly fields?: Readonly<Record<string, string>>; readonly cookies?: BrowserCookies },
  ): string | FastifyReply;
}

export function browserAnswers(pages: PageAnswers, jar: BrowserCookieJar): BrowserAnswers {
  const redirect: BrowserAnswers['redirect'] = (reply, location, cookies = {}) => {
    jar.write(reply, cookies);
    // 303 turns a POST into a GET: a 307 would send the password on to the client (RFC 9700 §4.12).
    return reply.code(303).headers({ location, 'referrer-policy': 'no-referrer' }).send();
  };
  const formTargetsOf = (redirectUri?: string) =>
    redirectUri === undefined ? [] : [redirectTarget(redirectUri).formTarget];
  return {
    page(request, reply, page, { status = 200, retryAfter, cookies = {}, redirectUri } = {}) {
      jar.write(reply, cookies);
      if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
      return pages.show(request, reply, page, { status, formTargets: formTargetsOf(redirectUri) });
    },

    document(reply, { contentType, content, status = 200, allow = {} }, { redirectUri } = {}) {
      const formTargets = formTargetsOf(redirectUri);
      return pages.showDocument(reply, { contentType, content, allow }, { status, formTargets });
    },

    redirect,

    forward(request, reply, location, { fields, cookies = {} }) {
      if (fields === undefined && request.method === 'GET') return redirect(reply, location, cookies);
      jar.write(reply, cookies);
      const formTargets = fields === undefined ? [] : [new URL(location).protocol];
      return pages.show(request, reply, { page: 'forward', action: location, fields }, { formTargets });
    },
  };
}
