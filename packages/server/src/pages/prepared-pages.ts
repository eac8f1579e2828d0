import { randomUUID } from 'node:crypto';
import type { ConsentPage, LoginPage, Page } from './model/page.ts';
import type { PageRequest, RenderedPage } from './rendered-page.ts';
import { escapeHtml } from './texts/presentable.ts';
import { ownerView } from './views/view-parts.ts';

type Render = (page: Page, request: PageRequest) => RenderedPage;

/** A page without what differs from user to user. */
interface Prepared {
  /** HTML and the places between, in turn: each is {@link state}, {@link owner} or {@link challenge}. */
  readonly parts: readonly string[];
  readonly headers: RenderedPage['headers'];
}

// About 2 MB.
const most = 200;

/** Marks of places. */
const [state, owner, challenge] = ['s', 'o', 'c'];

/**
 * The login pages that a client shows first differ in nothing but `auth_state` and the challenge for a passkey, and its consent pages in
 * `auth_state` and the name of the owner, so the rest is rendered once: 4 to 6 % of the processor time of an authorization code flow.
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
    const marked = inPlaces(page, (place) => mark + place);
    const { html, headers } = render(marked, request);
    return { parts: html.split(new RegExp(`${mark}([${state}${owner}${challenge}])`)), headers };
  };
  return (page, request) => {
    if (!isFirst(page) || request.isFramed === true) return render(page, request);
    const { formTargets, prefix, acceptLanguage } = request;
    const same = inPlaces(page, () => '');
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

/** The page with other texts where it differs from one user to the next. */
function inPlaces(page: LoginPage | ConsentPage, textAt: (place: string) => string): LoginPage | ConsentPage {
  const authState = textAt(state);
  if (page.page === 'consent') {
    return { ...page, authState, owner: { name: '', displayName: textAt(owner) } };
  }
  const { passkey } = page;
  if (passkey === undefined || challengeOf(page) === undefined) return { ...page, authState };
  const options = { ...passkey.options, challenge: textAt(challenge) };
  return { ...page, authState, passkey: { ...passkey, options } };
}

function challengeOf({ passkey }: LoginPage): string | undefined {
  const given = passkey?.options.challenge;
  return typeof given === 'string' ? given : undefined;
}

function filled(parts: readonly string[], page: LoginPage | ConsentPage): string {
  const texts = new Map([[state, escapeHtml(page.authState)]]);
  if (page.page === 'consent') texts.set(owner, escapeHtml(ownerView(page.owner).displayName));
  // In JSON, but without the quotation marks, which are in the parts.
  else texts.set(challenge, escapeHtml(JSON.stringify(challengeOf(page) ?? '').slice(1, -1)));
  let html = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 2) {
    html += (texts.get(parts[index] ?? '') ?? '') + (parts[index + 1] ?? '');
  }
  return html;
}
