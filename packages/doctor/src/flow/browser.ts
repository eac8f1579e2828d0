import { parseSetCookie, stringifyCookie } from 'cookie';
import { browserHeaders } from '../checks/login-page.ts';
import type { Reached } from '../patient.ts';
import type { Form, Reply } from '../send.ts';
import { isWithin } from '../within.ts';
import { type PageForm, type ReadPage, readPage } from './read-page.ts';

/** Where a browser is after a request and the redirects of the server. */
export interface Visit {
  readonly reply: Reply;
  readonly page: ReadPage;
  /** An address outside of the server to which the answer leads, with its query. */
  readonly leavesTo: string | undefined;
}

// More than any flow of the server has.
const maxRedirects = 10;

/** A browser with the cookies of one server. It follows redirects within the server and no others. */
export class Browser {
  readonly #server: Pick<Reached, 'baseUrl' | 'send'>;
  readonly #cookies = new Map<string, string>();

  constructor(server: Pick<Reached, 'baseUrl' | 'send'>) {
    this.#server = server;
  }

  open(url: string): Promise<Visit> {
    return this.#visit(url);
  }

  /** Posts the form of a page with these values besides its own. A form of another server is not sent. */
  submit({ action, values }: PageForm, given: Form): Promise<Visit> {
    const form = new URLSearchParams(values);
    for (const [name, value] of Object.entries(given)) form.set(name, value);
    return this.#visit(action, form);
  }

  isWithinServer(url: string): boolean {
    return isWithin(this.#server.baseUrl, url);
  }

  async #visit(url: string, form?: URLSearchParams): Promise<Visit> {
    if (!this.isWithinServer(url)) throw new Error('a form of the server leads to another server');
    let reply = await this.#send(url, form);
    for (let redirects = 0; redirects < maxRedirects; redirects += 1) {
      const { status, headers } = reply;
      const location = status >= 300 && status < 400 ? headers.location : undefined;
      if (location === undefined) break;
      const next = URL.canParse(location) ? location : new URL(location, reply.url).href;
      if (!this.isWithinServer(next)) return { reply, page: readPage('', reply.url), leavesTo: next };
      reply = await this.#send(next);
    }
    const page = readPage(reply.text, reply.url);
    return { reply, page, leavesTo: page.forward };
  }

  async #send(url: string, form?: URLSearchParams): Promise<Reply> {
    const reply = await this.#server.send(url, {
      ...(form && { form }),
      headers: {
        ...browserHeaders,
        // Pages have the policy no-referrer, for which browsers send this origin (Fetch standard).
        ...(form && { origin: 'null', 'sec-fetch-site': 'same-origin' }),
        ...(this.#cookies.size > 0 && { cookie: stringifyCookie(Object.fromEntries(this.#cookies)) }),
      },
    });
    for (const text of reply.headers['set-cookie'] ?? []) {
      const { name, value = '', maxAge } = parseSetCookie(text);
      if (maxAge !== undefined && maxAge <= 0) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return reply;
  }
}
