import { randomUUID } from 'node:crypto';
import type { LoginPage, Page } from './page.ts';
import type { PageRequest, RenderedPage } from './rendered-page.ts';
import { escapeHtml } from './texts/presentable.ts';

type Render = (page: Page, request: PageRequest) => RenderedPage;

/** A login page without its `auth_state`, whose places are between the parts. */
interface Prepared {
  readonly parts: readonly string[];
  readonly headers: RenderedPage['headers'];
}

// About 400 KB.
const most = 100;

/**
 * The login pages that a client shows first differ in nothing but `auth_state`, so the rest is rendered once: 2 % of the main
 * thread in an authorization code flow.
 *
 * @param render with templates that show nothing of the request, as the built-in one
 * @param languageOf the language of a page for an `Accept-Language`
 */
export function withPreparedLogins(
  render: Render,
  languageOf: (acceptLanguage: string | undefined) => string,
): Render {
  const prepared = new Map<string, Prepared>();
  const prepare = (page: LoginPage, request: PageRequest): Prepared => {
    // Nobody can guess it, so no text of a client or a module contains it.
    const mark = randomUUID();
    const { html, headers } = render({ ...page, authState: mark }, request);
    return { parts: html.split(mark), headers };
  };
  return (page, request) => {
    if (page.page !== 'login' || !isFirst(page) || request.isFramed === true) return render(page, request);
    const { formTargets, prefix, acceptLanguage } = request;
    const key = JSON.stringify([{ ...page, authState: '' }, languageOf(acceptLanguage), formTargets, prefix]);
    let known = prepared.get(key);
    if (known === undefined) {
      known = prepare(page, request);
      if (prepared.size >= most) prepared.clear();
      prepared.set(key, known);
    }
    return { html: known.parts.join(escapeHtml(page.authState)), headers: known.headers };
  };
}

/** Shows nothing that anyone has typed, and nothing of the user whom a client names. */
function isFirst({ message, username }: LoginPage): boolean {
  return message === undefined && username === undefined;
}
