import type { ExplainedError } from '@watchword/administration';
import type { OAuthError, ProtocolErrorName } from '@watchword/protocol';
import { errorPage } from '../pages/error-page.ts';
import type { Page } from '../pages/page.ts';
import type { Pages } from '../pages/pages.ts';
import type { ModuleDocument, RenderedPage } from '../pages/rendered-page.ts';
import type { HttpAnswer } from './answer.ts';
import type { HttpRequest } from './request.ts';

export interface PageOptions {
  /** HTTP status, default 200. */
  readonly status?: number;
  /** Origins or schemes to which the answer to the form of the page can redirect. Default: only this server. */
  readonly formTargets?: readonly string[];
  /** Languages that come before those of the browser, best first. */
  readonly languages?: readonly string[] | undefined;
  /** Pages of this server can show the page in a frame. */
  readonly isFramed?: boolean;
  /** Renders the page in place of {@link Pages.render}. */
  readonly render?: Pages['render'];
}

/** Turns pages into answers. */
export interface PageAnswers {
  show(request: HttpRequest, page: Page, options?: PageOptions): HttpAnswer;
  /** The language of pages for this request. */
  language(request: HttpRequest): string;
  /** A document of a module. */
  showDocument(
    document: Omit<ModuleDocument, 'formTargets'> & { readonly content: string },
    options?: PageOptions,
  ): HttpAnswer;
  /** The page that shows an error. @param explained for an administrator */
  ofError(request: HttpRequest, error: OAuthError, explained?: ExplainedError): RenderedPage;
}

/** Errors after which no page knows the application that the user came from. */
const lostRequests: ReadonlySet<ProtocolErrorName> = new Set([
  'invalid_auth_state',
  'unbound_submission',
  'ambiguous_cookies',
  'method_not_allowed',
  'not_found',
  'unknown_address',
]);

/** @param prefix path of the base URL, `''` when it has none */
export function pageAnswers(pages: Pages, prefix: string): PageAnswers {
  const render = (
    request: HttpRequest,
    page: Page,
    { formTargets = [], languages = [], isFramed, render: ofPages = pages.render }: PageOptions,
  ) =>
    ofPages(page, {
      acceptLanguage: [...languages, request.headers['accept-language'] ?? ''].join(','),
      requestId: request.id,
      formTargets,
      prefix,
      ...(isFramed !== undefined && { isFramed }),
    });
  return {
    show(request, page, options = {}) {
      const { html, headers } = render(request, page, options);
      return { status: options.status ?? 200, headers, body: html };
    },
    showDocument({ content, ...document }, { status = 200, formTargets = [] } = {}) {
      return { status, headers: pages.headersOf({ ...document, formTargets }), body: content };
    },
    language: (request) => pages.language(request.headers['accept-language']),
    ofError(request, error, explained) {
      const links = { logoutUrl: `${prefix}/logout`, accountUrl: `${prefix}/account` };
      const logout = error.text?.key === 'error.logout' ? links : undefined;
      const accountUrl = lostRequests.has(error.kind) ? links.accountUrl : undefined;
      return render(request, { ...errorPage(error, request.id), explained, logout, accountUrl }, {});
    },
  };
}

/** Whether a browser that shows the answer to a user sends the request: browsers list HTML first. */
export function prefersPage({ headers }: HttpRequest): boolean {
  return /^text\/html(?:[,;]|$)/.test(headers.accept ?? '');
}
