import type { OAuthError } from '@watchword/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from '../pages/error-page.ts';
import type { ModuleDocument, Page, RenderedPage } from '../pages/page.ts';
import type { Pages } from '../pages/pages.ts';

export interface PageOptions {
  /** HTTP status, default 200. */
  readonly status?: number;
  /** Origins or schemes that the redirect after the page's form may lead to; default: none but this server. */
  readonly formTargets?: readonly string[];
}

/** Answers with pages. */
export interface PageAnswers {
  /** Sets status and headers, and returns the HTML for the handler to return. */
  show(request: FastifyRequest, reply: FastifyReply, page: Page, options?: PageOptions): string;
  /** The language in which a page for this request is. */
  language(request: FastifyRequest): string;
  /** Sets status and headers, and returns the content for the handler to return. */
  showDocument(
    reply: FastifyReply,
    document: Omit<ModuleDocument, 'formTargets'> & { readonly content: string },
    options?: PageOptions,
  ): string;
  /** The page that tells of a refusal. */
  ofError(request: FastifyRequest, error: OAuthError): RenderedPage;
}

/** @param prefix path of the base URL, `''` when it has none */
export function pageAnswers(pages: Pages, prefix: string): PageAnswers {
  const render = (request: FastifyRequest, page: Page, formTargets: readonly string[]) =>
    pages.render(page, {
      acceptLanguage: request.headers['accept-language'],
      requestId: request.id,
      formTargets,
      prefix,
    });
  return {
    show(request, reply, page, { status = 200, formTargets = [] } = {}) {
      const { html, headers } = render(request, page, formTargets);
      reply.code(status).headers(headers);
      return html;
    },
    showDocument(reply, { content, ...document }, { status = 200, formTargets = [] } = {}) {
      reply.code(status).headers(pages.headersOf({ ...document, formTargets }));
      return content;
    },
    language: (request) => pages.language(request.headers['accept-language']),
    ofError: (request, error) => render(request, errorPage(error, request.id), []),
  };
}

/**
 * Whether a fault is answered with a page: at the addresses of pages always, and where there is no address
 * at all if it is a browser that looks for one.
 */
export function wantsPage(request: FastifyRequest): boolean {
  const { routeOptions } = request;
  if (routeOptions?.url !== undefined) return routeOptions.config.page === true;
  return prefersPage(request);
}

/** Whether it is a browser that shows the answer to somebody: those name HTML first. */
export function prefersPage({ headers }: FastifyRequest): boolean {
  return /^text\/html(?:[,;]|$)/.test(headers.accept ?? '');
}
