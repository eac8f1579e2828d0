import type { ExplainedError } from '@watchword/administration';
import type { OAuthError, ProtocolErrorName } from '@watchword/protocol';
import { errorPage } from '../pages/model/error-page.ts';
import type { Page } from '../pages/model/page.ts';
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
  /** The language, whatever the user has chosen. */
  readonly language?: string | undefined;
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

/** Addresses of forms at which a GET shows the page that answers the form. */
const repeatableForms: ReadonlySet<string> = new Set([
  '/account',
  '/account/password',
  '/account/sessions',
  '/logout',
]);

/**
 * @param prefix path of the base URL, `''` when it has none
 * @param chosen the language that the user has chosen, which goes before those of the client and of the browser
 */
export function pageAnswers(
  pages: Pages,
  prefix: string,
  chosen: (request: HttpRequest) => string | undefined,
): PageAnswers {
  const languagesFor = (request: HttpRequest, { languages = [], language }: PageOptions = {}) => {
    const first = language ?? chosen(request);
    const others = [...languages, request.headers['accept-language'] ?? ''];
    return (first === undefined ? others : [first, ...others]).join(',');
  };
  const render = (request: HttpRequest, page: Page, options: PageOptions) => {
    const { formTargets = [], isFramed, render: ofPages = pages.render } = options;
    return ofPages(page, {
      acceptLanguage: languagesFor(request, options),
      requestId: request.id,
      formTargets,
      prefix,
      isRepeatable: isRepeatable(request, page),
      ...(isFramed !== undefined && { isFramed }),
    });
  };
  return {
    show(request, page, options = {}) {
      const { html, headers } = render(request, page, options);
      return { status: options.status ?? 200, headers, body: html };
    },
    showDocument({ content, ...document }, { status = 200, formTargets = [] } = {}) {
      return { status, headers: pages.headersOf({ ...document, formTargets }), body: content };
    },
    language: (request) => pages.language(languagesFor(request)),
    ofError(request, error, explained) {
      const links = { logoutUrl: `${prefix}/logout`, accountUrl: `${prefix}/account` };
      const logout = error.text?.key === 'error.logout' ? links : undefined;
      const accountUrl = lostRequests.has(error.kind) ? links.accountUrl : undefined;
      return render(request, { ...errorPage(error, request.id), explained, logout, accountUrl }, {});
    },
  };
}

/** Whether a GET of the address in the browser shows the same page once more. */
function isRepeatable({ method, route }: HttpRequest, page: Page): boolean {
  // What another server sends to the address of a module is valid once.
  if (page.page === 'error') return method === 'GET' && !route.startsWith('/login/');
  if (method === 'GET') return true;
  return (
    repeatableForms.has(route) &&
    // The way back to the client was in the form.
    !(page.page === 'logged-out' && (page.client !== undefined || page.goOn !== undefined))
  );
}

/** Whether a browser that shows the answer to a user sends the request: browsers list HTML first. */
export function prefersPage({ headers }: HttpRequest): boolean {
  return /^text\/html(?:[,;]|$)/.test(headers.accept ?? '');
}
