import { everyEntry, read, readContents, titleOf } from './contents.ts';
import { homePage } from './home.ts';
import { replaceLinks, table } from './markdown.ts';
import { commandReference } from './reference/commands.ts';
import { endpointReference } from './reference/endpoints.ts';
import { errorReference } from './reference/errors.ts';
import { figureReference } from './reference/figures.ts';
import { metricReference, metricsFile } from './reference/metrics.ts';
import { restReference } from './reference/rest.ts';
import { describedServer } from './reference/server.ts';
import { settingReference, settingsFile } from './reference/settings.ts';
import { templateReference } from './reference/templates.ts';
import { routeOf, siteLink } from './routes.ts';

/** A page of the site. */
export interface Page {
  /** Its address without `.html`. */
  readonly route: string;
  /** The file whose links it has. */
  readonly source: string;
  /** Markdown. */
  readonly text: string;
}

/**
 * All pages of the site.
 *
 * @param sourceUrl address of the checkout, for links to files that are no page; without it, they become texts
 * @throws Error for a link that leads nowhere
 */
export async function sitePages(sourceUrl?: string): Promise<Page[]> {
  const pages = [...documentPages(), ...(await madePages())];
  return [{ route: 'index', source: 'docs/README.md', text: homePage() }, ...pages].map((page) => ({
    ...page,
    text: withSiteLinks(page, sourceUrl),
  }));
}

/** The files with a list that is made. */
const madeInPart: Readonly<Record<string, () => string>> = {
  [settingsFile]: settingReference,
  [metricsFile]: metricReference,
};

/** The pages that are files, as the navigation names them. */
function documentPages(): Page[] {
  const files = new Set(everyEntry(readContents()).map(({ target }) => target.replace(/#.*/, '')));
  return [...files]
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => ({
      route: routeOf(file) ?? '',
      source: file,
      text: madeInPart[file]?.() ?? read(file),
    }));
}

async function madePages(): Promise<Page[]> {
  const { openApi, endpoints } = await describedServer();
  const texts = {
    'reference/commands': commandReference(),
    'reference/endpoints': endpointReference(endpoints),
    'reference/rest': restReference(openApi),
    'reference/errors': errorReference(),
    'reference/templates': templateReference(),
    'run/figures': figureReference(),
  };
  return [
    ...Object.entries(texts).map(([route, text]) => ({ route, source: 'README.md', text })),
    { route: 'adr/index', source: 'docs/README.md', text: decisions() },
  ];
}

function decisions(): string {
  const entries = everyEntry(readContents()).filter(({ target }) => target.startsWith('docs/adr/'));
  const rows = entries.map(({ target }) => {
    const [, number = '', title = ''] = /^(\d+) (.*)$/.exec(titleOf(read(target))) ?? [];
    return [number, `[${title}](${target.replace('docs/', '')})`];
  });
  return `# Decisions\n\nEach page has the context of a decision, the decision, and its consequences.\n\n${table(['number', 'decision'], rows)}\n`;
}

function withSiteLinks({ source, text }: Page, sourceUrl?: string): string {
  return replaceLinks(withDrawings(text), (title, link) => {
    const place = siteLink(source, link, sourceUrl);
    return place === undefined ? title : `[${title}](${place})`;
  });
}

/** Drawings of the checkout become part of the page. */
function withDrawings(text: string): string {
  return text.replace(/!\[([^\]]*)\]\(([\w./-]+\.svg)\)/g, (_image, description: string, file: string) => {
    const data = Buffer.from(read(file)).toString('base64');
    return `<img alt="${description.replaceAll('\n', ' ')}" src="data:image/svg+xml;base64,${data}">`;
  });
}
