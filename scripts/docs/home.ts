import { stringify } from 'yaml';
import { type Group, read, readContents } from './contents.ts';
import { siteLink } from './routes.ts';

/** The first page: what the README says at its top, and the groups of the navigation. */
export function homePage(): string {
  const [, name = '', lead = ''] = /^# (.*)\n\n([\s\S]*?)\n\n/.exec(read('README.md')) ?? [];
  const [text = '', ...tagline] = lead.replaceAll('\n', ' ').split(/(?<=\.) /);
  const front = {
    layout: 'home',
    hero: {
      name,
      text: text.replace(/^Watchword is (\w)/, (_, first: string) => first.toUpperCase()).replace(/\.$/, ''),
      tagline: tagline.join(' '),
      actions: [
        { theme: 'brand', text: 'Quick start', link: '/quick-start' },
        { theme: 'alt', text: 'Settings', link: '/reference/settings' },
        { theme: 'alt', text: 'Architecture', link: '/architecture/' },
      ],
    },
    features: readContents().map(({ title, lead, entries }: Group) => ({
      title,
      details: lead,
      link: firstLink(entries),
    })),
  };
  return `---\n${stringify(front)}---\n`;
}

function firstLink([first]: Group['entries']): string {
  const [file = '', anchor] = (first?.target ?? '').split('#');
  const link = siteLink('README.md', anchor === undefined ? file : `${file}#${anchor}`) ?? '';
  return link.replace(/(?:index)?\.md/, '');
}
