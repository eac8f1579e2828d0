import { OAuthError, shellCommand } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import { varying } from '../http/answer.ts';
import type { Endpoint, Handler } from '../http/endpoint.ts';
import { prefersPage } from '../http/page.ts';
import type { Pages } from '../pages/pages.ts';
import type { Logger } from '../runtime/log/logger.ts';
import type { Feature } from './feature.ts';
import { metadataPath } from './metadata.ts';

/** The start page, and the files that all pages share. */
export function pages(
  parts: Pick<
    Core,
    'baseUrl' | 'firstAdministrator' | 'logger' | 'pageAnswers' | 'pages' | 'place' | 'prefix'
  >,
): Feature {
  const { logger, pages, place } = parts;
  return {
    endpoints: [...startRoutes(parts), ...typedRoutes(parts)],
    records: 'unused',
    start() {
      if (place.isFirst) logLacking(pages, logger);
      return undefined;
    },
  };
}

/** Says which languages of the operator are not complete. */
function logLacking(pages: Pick<Pages, 'lacking'>, logger: Pick<Logger, 'info'>): void {
  for (const { language, of, has, all } of pages.lacking()) {
    const command = shellCommand(`watchword texts missing {language}${of === 'console' ? ' --gui' : ''}`, {
      language,
    });
    const what = of === 'console' ? 'the administration GUI' : 'the pages';
    logger.info(
      { language, has, all },
      `${language}: ${has} of ${all} texts of ${what}; the others are in English, "${command}" lists them`,
    );
  }
}

/** `GET {base}`: links to the other addresses, as a page for people and as JSON for programs. All of them are public. */
function startRoutes({
  baseUrl,
  firstAdministrator,
  pageAnswers,
  prefix,
}: Pick<Core, 'baseUrl' | 'firstAdministrator' | 'pageAnswers' | 'prefix'>): Endpoint[] {
  const paths = prefix === '' ? ['/'] : ['', '/'];
  const answer: Handler = (request) => {
    if (!prefersPage(request)) return { headers: { vary: 'Accept' }, body: addresses(baseUrl) };
    const page = pageAnswers.show(request, {
      page: 'start',
      ...addresses(prefix),
      firstAdministrator: firstAdministrator(),
    });
    return varying(page, 'Accept');
  };
  return paths.map((path) => ({ path, methods: { GET: answer } }));
}

const accountPath = '/account';
const administrationPath = '/client/client.html';

/** Addresses that people type, as they guess them or with a slash too many, and the pages that they mean. */
const typed: readonly (readonly [string, string])[] = [
  ...['/admin', '/admin/', '/console', '/console/', '/client', '/client/'].map(
    (path) => [path, administrationPath] as const,
  ),
  ['/account/', accountPath],
];

/** To a program, which lists no HTML, there is nothing at these addresses. */
function typedRoutes({ prefix }: Pick<Core, 'prefix'>): Endpoint[] {
  return typed.map(([path, meant]) => ({
    path,
    methods: {
      GET(request) {
        if (!prefersPage(request)) throw new OAuthError('unknown_address');
        return { status: 303, headers: { location: `${prefix}${meant}`, vary: 'Accept' } };
      },
    },
  }));
}

function addresses(base: string) {
  return {
    accountUrl: `${base}${accountPath}`,
    administrationUrl: `${base}${administrationPath}`,
    metadataUrl: `${base}${metadataPath}`,
    documentationUrl: `${base}/admin/docs`,
  };
}
