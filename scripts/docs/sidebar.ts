import { type Entry, readContents } from './contents.ts';
import { siteLink } from './routes.ts';

/** An item of the navigation, as VitePress reads it. */
export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

/** Groups that are closed until the reader opens them, because readers seldom look for them. */
const closed: ReadonlySet<string> = new Set(['Architecture', 'Decisions', 'Project']);

/** The navigation: the groups of docs/README.md. */
export function sidebar(): SidebarItem[] {
  return readContents().map(({ title, entries }) => ({
    text: title,
    collapsed: closed.has(title),
    items: entries.map(itemOf),
  }));
}

function itemOf({ title, target, entries }: Entry): SidebarItem {
  const link = siteLink('README.md', target)?.replace(/\.md/, '');
  return {
    text: title,
    ...(link !== undefined && { link }),
    ...(entries.length > 0 && { collapsed: true, items: entries.map(itemOf) }),
  };
}
