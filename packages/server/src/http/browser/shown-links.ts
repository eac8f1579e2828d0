import type { LinkOutcome, OwnLinks } from '@watchword/accounts';
import type { Message } from '@watchword/protocol';
import type { ShownLinks } from '../../pages/model/link-page.ts';
import type { AuthenticatorsPageDependencies } from './authenticators-page.ts';

export const linksPath = '/account/links';

/** What the account page says of what came of a link. */
const linkTexts: Readonly<Record<LinkOutcome, string>> = {
  linked: 'account.linked',
  unlinked: 'account.unlinked',
  taken: 'account.linkTaken',
  used: 'account.linkUsedElsewhere',
  unstable: 'account.linkUnstable',
  last: 'account.linkLast',
  late: 'page.late',
};

const done: ReadonlySet<string> = new Set<LinkOutcome>(['linked', 'unlinked']);

/** @param outcome of the address of the account page, which anybody can write */
export function linkMessage(
  outcome = '',
): { readonly message: Message; readonly isNeutral: boolean } | undefined {
  const key = new Map(Object.entries(linkTexts)).get(outcome);
  return key === undefined ? undefined : { message: { key }, isNeutral: !done.has(outcome) };
}

export function shownLinks({ linked, offered }: OwnLinks, deps: AuthenticatorsPageDependencies): ShownLinks {
  return {
    url: `${deps.prefix}${linksPath}`,
    linked: linked.map(({ authenticator, name, creationDate, lastUsed }) => ({
      ...{ authenticator, name, creationDate, lastUsed },
      label: labelOf(authenticator, deps),
    })),
    offered: offered.map((authenticator) => ({ authenticator, label: labelOf(authenticator, deps) })),
  };
}

export function labelOf(
  authenticator: string,
  { authenticators }: Pick<AuthenticatorsPageDependencies, 'authenticators'>,
): string {
  return authenticators.get(authenticator)?.label ?? authenticator;
}
