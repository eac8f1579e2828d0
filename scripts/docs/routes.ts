import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { root } from './contents.ts';

/** Sources from which a page of the site is made, by file. */
export const generated: Readonly<Record<string, string>> = {
  'packages/administration/src/openapi.ts': 'reference/rest',
  'packages/protocol/src/model/errors/error-table.ts': 'reference/errors',
  'packages/cli/src/main.ts': 'reference/commands',
  'scripts/docs/reference/endpoints.ts': 'reference/endpoints',
  'packages/server/templates': 'reference/templates',
  'bench/results': 'run/figures',
  'docs/adr': 'adr/index',
};

const named: Readonly<Record<string, string>> = {
  'README.md': 'index',
  'ARCHITECTURE.md': 'architecture/index',
  'CHANGELOG.md': 'project/changelog',
  'CONTRIBUTING.md': 'project/contributing',
  'SECURITY.md': 'project/security',
  'docs/README.md': 'index',
  'docs/settings.md': 'reference/settings',
  'bench/README.md': 'project/benchmarks',
};

/** Where the site shows a file of the checkout: the address of its page without `.html`. `undefined`: nowhere. */
export function routeOf(file: string): string | undefined {
  const known = named[file] ?? generated[file];
  if (known !== undefined || !file.endsWith('.md')) return known;
  return /^(?:docs|packages|examples|deploy)\//.test(file)
    ? file
        .replace(/^docs\//, '')
        .replace(/\.md$/, '')
        .replace(/^((?:packages|examples)\/[\w-]+|deploy\/.+)\/README$/, '$1')
        .replace(/README$/, 'index')
    : undefined;
}

/**
 * Where a link of a page leads on the site.
 *
 * @param from the file that has the link
 * @param sourceUrl address of the checkout, for files that are no page: `https://git.example.com/watchword/blob/main/`
 * @returns a link for Markdown; `undefined` if no page shows the file and the checkout has no address
 * @throws Error for a link to a file that does not exist
 */
export function siteLink(from: string, link: string, sourceUrl?: string): string | undefined {
  const [path = '', anchor = ''] = link.split('#');
  const file = (path === '' ? from : posix.join(posix.dirname(from), path)).replace(/\/$/, '');
  if (!existsSync(`${root}${file}`)) throw new Error(`${from}: the link ${link} leads to no file`);
  const route = routeOf(file);
  if (route === undefined) return sourceUrl && new URL(file, sourceUrl).href;
  // The first page has no headings: it leads to the page with the first steps.
  if (file === 'README.md' && anchor !== '') return '/quick-start.md';
  return `/${route}.md${anchor && `#${anchor}`}`;
}
