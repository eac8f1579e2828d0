import { read } from './contents.ts';
import { anchors } from './markdown.ts';

/** The sections of the README, by the page of the site that shows them. "More" lists what the navigation of the site has. */
export const readmePages = {
  'quick-start': {
    title: 'Quick start',
    sections: [
      'Start',
      'A first token',
      'A user grants access',
      'See the whole flow',
      'Your own API and client',
      'Before production',
      'Log users in',
      'Protecting your API',
      'Administer in the browser',
    ],
  },
  'reference/commands': { title: 'Commands', sections: ['Commands'] },
  'reference/endpoints': { title: 'Endpoints', sections: ['Endpoints'] },
  'reference/settings': { title: 'Settings', sections: ['Configuration'] },
  'run/in-short': { title: 'Running it', sections: ['Running it'] },
  'run/figures': { title: 'Figures', sections: ['Numbers'] },
} as const;

export type ReadmeRoute = keyof typeof readmePages;

export const readmeRoutes = Object.keys(readmePages) as ReadmeRoute[];

/** Sections that no page of the site shows. */
export const leftOut: readonly string[] = ['More'];

/** The README by section, each with its heading. */
export function readmeSections(text: string = read('README.md')): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/^## (.*)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm)];
  return new Map(found.map(([whole, title = '']) => [title, whole]));
}

/** The text of a page: a section that is alone becomes the page itself. */
export function readmePage(route: ReadmeRoute): string {
  const { title, sections } = readmePages[route];
  const texts = sections.map((section) => sectionText(section));
  const body = texts.length === 1 ? (texts[0] ?? '').replace(/^## .*\n/, '') : texts.join('');
  return `# ${title}\n\n${body}`;
}

/** @returns the page that has the heading, and its anchor there */
export function readmePlace(anchor: string): { readonly route: ReadmeRoute; readonly anchor: string } {
  if (anchor === '') return { route: 'quick-start', anchor };
  for (const route of readmeRoutes) {
    const { sections } = readmePages[route];
    const section = sections.find((title) => anchors(sectionText(title)).includes(anchor));
    if (section === undefined) continue;
    const isWholePage = sections.length === 1 && anchors(`## ${section}`)[0] === anchor;
    return { route, anchor: isWholePage ? '' : anchor };
  }
  throw new Error(
    `README.md has no heading #${anchor} that a page of the site shows (scripts/docs/readme.ts)`,
  );
}

function sectionText(title: string): string {
  const text = readmeSections().get(title);
  if (text === undefined)
    throw new Error(`README.md has no section "${title}", which scripts/docs/readme.ts names`);
  return text;
}
