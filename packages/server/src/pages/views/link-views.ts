import type { LinkPage, ShownLinks } from '../model/link-page.ts';
import { formView, keyOrText, name, ownerView, type Presentation, type View } from './view-parts.ts';

export function linksView({ url, linked, offered }: ShownLinks, { texts }: Presentation): View {
  const label = (text: string) => name(keyOrText(text, texts));
  return {
    url,
    linked: linked.map((link) => ({
      authenticator: link.authenticator,
      label: label(link.label),
      name: name(link.name),
      since: texts.date(link.creationDate),
      lastUsed: link.lastUsed === 0 ? '' : texts.date(link.lastUsed),
    })),
    offered: offered.map((each) => ({ authenticator: each.authenticator, label: label(each.label) })),
  };
}

export function linkView(page: LinkPage, presentation: Presentation): View {
  return {
    ...formView(page, presentation),
    owner: ownerView(page.owner),
    provider: name(keyOrText(page.provider, presentation.texts)),
    name: name(page.name),
    accountUrl: page.accountUrl,
  };
}
