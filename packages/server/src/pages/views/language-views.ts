import type { Page } from '../model/page.ts';
import type { PageRequest } from '../rendered-page.ts';
import type { View } from './view-parts.ts';

/** Pages of an authorization request: their state shows them again, because their address cannot. */
const withState: ReadonlySet<Page['page']> = new Set([
  'login',
  'login-step',
  'select-account',
  'consent',
  'answered',
]);

/** Pages that go on by themselves, and those that developers read. */
const without: ReadonlySet<Page['page']> = new Set(['forward', 'repeat', 'states', 'reference']);

/** The languages between which the user of a page can choose; `undefined` where there is no choice, or the page cannot come again. */
export function languagesView(
  page: Page,
  { prefix, isRepeatable = false, isFramed = false }: PageRequest,
  tags: readonly string[],
  current: string,
): View | undefined {
  // Nobody has logged in yet, or the login has ended: no state of the authorization endpoint shows it again.
  const isBeside = page.page === 'login-step' && page.owner === undefined;
  if (tags.length < 2 || without.has(page.page)) return undefined;
  const list = tags.map((tag) => ({ tag, name: ownName(tag) }));
  const shown = { current: ownName(current), list };
  if (withState.has(page.page) && !isBeside && !isFramed) return { ...shown, url: `${prefix}/language` };
  return isRepeatable || isFramed ? { ...shown, url: '' } : undefined;
}

const ownNames = new Map<string, string>();

/** The name of a language in that language. */
function ownName(tag: string): string {
  const known = ownNames.get(tag);
  if (known !== undefined) return known;
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  const made = name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  ownNames.set(tag, made);
  return made;
}
