import { randomUUID } from 'node:crypto';
import type { ConsentPage, LoginPage, Page } from './page.ts';
import type { PageRequest, RenderedPage } from './rendered-page.ts';
import { escapeHtml } from './texts/presentable.ts';
import { ownerView } from './view-parts.ts';

type Render = (page: Page, request: PageRequest) => RenderedPage;

/** A page without what differs from user to user. */
interface Prepared {
  /** HTML and the places between, which are {@link state} or {@link owner}, in turn. */
  readonly parts: readonly string[];
  readonly headers: RenderedPage['headers'];
}

// About 2 MB.
const most = 200;

/** Marks of places. */
const [state, owner] = ['s', 'o'];

/**
 * The login pages that a client shows first differ in nothing but `auth_state`, and its consent pages in the name of the owner too, so
 * the rest is rendered once: 4 to 6 % of the processor time of an authorization code flow.
 *
 * @param render with templates that show nothing else of the request or the owner, as the built-in ones
 * @param languageOf the language of a page for an `Accept-Language`
 */
export function withPreparedPages(
  render: Render,
  languageOf: (acceptLanguage: string | undefined) => string,
): Render {
  const prepared = new Map<string, Prepared>();
  const prepare = (page: LoginPage | ConsentPage, request: PageRequest): Prepared => {
    // Nobody can guess it, so no text of a client or a module contains it.
    const mark = randomUUID();
    const authState = mark + state;
    const marked =
      page.page === 'login'
        ? { ...page, authState }
        : { ...page, authState, owner: { name: '', displayName: mark + owner } };
    const { html, headers } = render(marked, request);
    return { parts: html.split(new RegExp(`${mark}([${state}${owner}])`)), headers };
  };
  return (page, request) => {
    if (!isFirst(page) || request.isFramed === true) return render(page, request);
    const { formTargets, prefix, acceptLanguage } = request;
    const same = { ...page, authState: '', owner: undefined };
    const key = JSON.stringify([same, languageOf(acceptLanguage), formTargets, prefix]);
    let known = prepared.get(key);
    if (known === undefined) {
      known = prepare(page, request);
      if (prepared.size >= most) prepared.clear();
      prepared.set(key, known);
    }
    return { html: filled(known.parts, page), headers: known.headers };
  };
}

/** Shows nothing that anyone has typed, and nothing of the user whom a client names. */
function isFirst(page: Page): page is LoginPage | ConsentPage {
  if (page.page === 'consent') return page.message === undefined;
  return page.page === 'login' && page.message === undefined && page.username === undefined;
}

function filled(parts: readonly string[], page: LoginPage | ConsentPage): string {
  const authState = escapeHtml(page.authState);
  const name = page.page === 'consent' ? escapeHtml(ownerView(page.owner).displayName) : '';
  let html = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 2) {
    html += (parts[index] === state ? authState : name) + (parts[index + 1] ?? '');
  }
  return html;
}
