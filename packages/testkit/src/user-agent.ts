import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Cookie, CookieJar } from './user-agent/cookie-jar.ts';
import { type HtmlForm, readHtml } from './user-agent/html-forms.ts';

/** The last answer: a page, or a redirect to another origin. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The visible text. */
  readonly text: string;
  readonly forms: readonly HtmlForm[];
  /** Target of a redirect to another origin, which is not followed. */
  readonly location: string | undefined;
}

/** Values for the controls of a form by name; a list ticks exactly those boxes. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** An answer whose body has been read. */
export interface ReadAnswer {
  readonly answer: IncomingMessage;
  readonly body: string;
}

/** Sends a request: POST if it has a body, GET otherwise. */
export type Send = (
  url: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
) => Promise<ReadAnswer>;

const maxRedirects = 10;

/**
 * A browser without a window and without scripts: keeps cookies, follows redirects as long as they stay on the
 * origin, fills in the forms of pages and posts them, with the headers that a browser sends.
 */
export class UserAgent {
  readonly #jar = new CookieJar();
  readonly #headers: Readonly<Record<string, string>>;
  readonly #send: Send;

  /**
   * @param headers sent with every request
   * @param send can connect to another server than the URL names, as a load balancer does
   */
  constructor(headers: Readonly<Record<string, string>> = {}, send: Send = exchange) {
    this.#headers = headers;
    this.#send = send;
  }

  get cookies(): readonly Cookie[] {
    return this.#jar.all();
  }

  forgetCookies(): void {
    this.#jar.clear();
  }

  /** Stores a cookie of an attacker, in the form of `Set-Cookie`. */
  plantCookie(setCookie: string): void {
    this.#jar.store([setCookie], '/');
  }

  get(url: string): Promise<Page> {
    return this.#visit(url, { 'sec-fetch-site': 'none' });
  }

  /** Posts a form that no page showed. */
  post(url: string, fields: FormValues, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.#visit(url, headers, encode(entries(fields)));
  }

  /**
   * Posts a form of a page of another site, without `SameSite=Lax` cookies. All cookies of the server are `SameSite=Lax`.
   *
   * @param headers the fetch metadata headers of the browser; none for an older browser
   */
  postFromElsewhere(
    url: string,
    fields: FormValues,
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'cross-site' },
  ): Promise<Page> {
    return this.#visit(url, headers, encode(entries(fields)), true);
  }

  /**
   * Fills in the form that has all these controls, and submits it with the button that the values name, if any.
   */
  submit(page: Page, values: FormValues): Promise<Page> {
    const form = formWith(page, Object.keys(values));
    const body = encode(successfulControls(form, values));
    // For a page with the policy no-referrer, browsers send `Origin: null` (Fetch standard).
    const isSilent = page.headers.get('referrer-policy') === 'no-referrer';
    const headers = {
      origin: isSilent ? 'null' : new URL(page.url).origin,
      ...(!isSilent && { referer: page.url }),
      'sec-fetch-site': 'same-origin',
    };
    if (form.method === 'POST') return this.#visit(form.action, headers, body);
    return this.#visit(`${form.action.split('?', 1)[0]}?${body}`, headers);
  }

  async #visit(
    url: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
    isFromElsewhere = false,
  ): Promise<Page> {
    let page = await this.#request(url, headers, body, isFromElsewhere);
    for (let redirects = 0; page.location !== undefined; redirects += 1) {
      if (redirects === maxRedirects) throw new Error(`more than ${maxRedirects} redirects from ${url}`);
      if (new URL(page.location).origin !== new URL(url).origin) return page;
      page = await this.#request(page.location, { 'sec-fetch-site': 'same-origin' });
    }
    return page;
  }

  async #request(
    url: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
    isFromElsewhere = false,
  ): Promise<Page> {
    const { pathname } = new URL(url);
    const cookie = isFromElsewhere ? undefined : this.#jar.header(pathname);
    const { answer, body: html } = await this.#send(url, body, {
      accept: 'text/html,application/xhtml+xml',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
      ...this.#headers,
    });
    this.#jar.store(answer.headers['set-cookie'] ?? [], pathname);
    return readPage(url, answer, html);
  }
}

async function exchange(
  url: string,
  body: string | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<ReadAnswer> {
  const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { answer, body: await text(answer) };
}

function readPage(url: string, answer: IncomingMessage, html: string): Page {
  const status = answer.statusCode ?? 0;
  const { location } = answer.headers;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const isHtml = headers.get('content-type')?.startsWith('text/html');
  const read = isHtml ? readHtml(html, url) : { text: html, forms: [] };
  return {
    url,
    status,
    headers,
    html,
    get text() {
      return read.text;
    },
    get forms() {
      return read.forms;
    },
    location:
      location === undefined || status < 300 || status > 399 ? undefined : absoluteLocation(location, url),
  };
}

/** An absolute URL stays as it was written, so that a test sees the text that the server sent. */
function absoluteLocation(location: string, url: string): string {
  return URL.canParse(location) ? location : new URL(location, url).href;
}

function formWith(page: Page, names: readonly string[]): HtmlForm {
  const found = page.forms.find(({ controls }) =>
    names.every((name) => controls.some((control) => control.name === name)),
  );
  if (found !== undefined) return found;
  const { url, status, text: shown } = page;
  throw new Error(`${url} (${status}) has no form with ${names.join(', ')}: ${shown}`);
}

/** Names and values in the order of the page (HTML standard, constructing the entry list). */
function successfulControls(form: HtmlForm, values: FormValues): [string, string][] {
  return form.controls.flatMap(({ name, type, value, checked }): [string, string][] => {
    const given = values[name];
    if (type === 'submit' || type === 'button') return given === value ? [[name, value]] : [];
    if (type === 'checkbox' || type === 'radio') {
      const isTicked = given === undefined ? checked : [given].flat().includes(value);
      return isTicked ? [[name, value]] : [];
    }
    return [[name, typeof given === 'string' ? given : value]];
  });
}

function entries(fields: FormValues): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
}

function encode(pairs: readonly [string, string][]): string {
  return new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
}

/** The page that asks whether to remove the access of an application: the first of the account page. */
export async function withdrawalPage(agent: UserAgent, baseUrl: string): Promise<Page> {
  const { html } = await agent.get(`${baseUrl}/account`);
  const [, path = ''] = /href="([^"]*\/account\/withdraw\?client=\d+)"/.exec(html) ?? [];
  return agent.get(new URL(path, baseUrl).href);
}
