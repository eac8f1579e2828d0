import { withHeaders } from './answer.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import { metadataPath } from './metadata.ts';
import { type PageAnswers, prefersPage } from './page.ts';

export interface StartRouteDependencies {
  readonly pages: PageAnswers;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
  readonly issuer: string;
}

/** `GET {base}`: links to the other addresses, as a page for people and as JSON for programs. All of them are public. */
export function startRoutes({ pages, prefix, issuer }: StartRouteDependencies): Endpoint[] {
  const paths = prefix === '' ? ['/'] : ['', '/'];
  const answer: Handler = (request) => {
    if (!prefersPage(request)) return { headers: { vary: 'Accept' }, body: addresses(issuer) };
    const page = pages.show(request, { page: 'start', ...addresses(prefix) });
    return withHeaders(page, { vary: 'Accept, Accept-Language' });
  };
  return paths.map((path) => ({ path, methods: { GET: answer } }));
}

function addresses(base: string) {
  return {
    accountUrl: `${base}/account`,
    administrationUrl: `${base}/client/client.html`,
    metadataUrl: `${base}${metadataPath}`,
    documentationUrl: `${base}/admin/docs`,
  };
}
