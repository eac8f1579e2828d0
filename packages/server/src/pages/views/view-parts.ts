import {
  accountIdentityProvider,
  isClientIdentityProvider,
  isReservedIdentityProvider,
  type Message,
  type PasskeyRequest,
  type ScopeDescription,
} from '@watchword/protocol';
import type { DescribedScope, FormPage, NamedResourceServer, ShownClient } from '../model/form-page.ts';
import type { AskingPage } from '../model/page.ts';
import { fallbackLanguage } from '../texts/locales.ts';
import { languageLookup } from '../texts/negotiate.ts';
import { escapeHtml, presentable } from '../texts/presentable.ts';
import { type Texts, withoutMarks } from '../texts/texts.ts';

/** The data of one template, in addition to the helpers. A comment at the beginning of the template describes it. */
export type View = Readonly<Record<string, unknown>>;

export interface Presentation {
  readonly texts: Texts;
  /** The host of a picture that pages can show; otherwise `undefined`. */
  shownHost(picture: string): string | undefined;
  /** The line below the password field. */
  readonly passwordHelp?: PasswordHelp | undefined;
}

/** Where users get help with their passwords. */
export interface PasswordHelp {
  readonly text: Message;
  /** An https or mailto URL; without one the text is no link. */
  readonly url: string | undefined;
}

export function helpView({ passwordHelp, texts }: Presentation): View | undefined {
  return passwordHelp && { html: messageHtml(passwordHelp.text, texts), url: passwordHelp.url ?? '' };
}

const maxNameLength = 80;
const maxTextLength = 300;
// A host has at most 253 characters in the domain name system, with a port 259. Its end names the owner, so it is not cut.
const maxHostLength = 259;
const tileColours = 8;

export function formView(
  { action, authState, message, isNeutral = false }: FormPage,
  { texts }: Presentation,
): View {
  if (message === undefined) return { action, authState, messageHtml: '', isProblem: false };
  return { action, authState, messageHtml: messageHtml(message, texts), isProblem: !isNeutral };
}

/** For the script of the page. */
export function passkeyView(request: PasskeyRequest | undefined): View | undefined {
  return request && { options: JSON.stringify(request.options), unknown: request.unknown ?? '' };
}

/** @param values that are presentable, in addition to those of the message */
export function messageHtml(
  message: Message,
  texts: Texts,
  values: Readonly<Record<string, string>> = {},
): string {
  if (typeof message === 'string') return `<bdi>${escapeHtml(text(message))}</bdi>`;
  return texts.html(message.key, { ...presentableValues(message.values), ...values });
}

export function presentableValues(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, text(value)]));
}

export function clientView(client: ShownClient, { shownHost }: Presentation): View {
  return {
    name: name(client.name),
    description: text(client.description),
    picture: shownHost(client.picture) === undefined ? '' : client.picture,
    tile: tile(client.name),
  };
}

/** Local accounts are those of this server, so their identity provider says nothing. */
export function unconfirmedView({ unconfirmed }: Pick<AskingPage, 'unconfirmed'>): View | undefined {
  if (unconfirmed === undefined) return undefined;
  const { owner, identityProvider, document, isSelfRegistered = false, isLocal = false } = unconfirmed;
  const isUsual =
    identityProvider === accountIdentityProvider || isReservedIdentityProvider(identityProvider);
  return {
    host: unconfirmed.host && host(unconfirmed.host),
    owner: name(owner),
    identityProvider: isUsual ? '' : host(identityProvider),
    isOfClient: isClientIdentityProvider(identityProvider),
    document: document && { ...document, host: host(document.host) },
    isSelfRegistered,
    isLocal,
  };
}

export function ownerView(owner: { readonly name: string; readonly displayName: string }): View {
  return { name: name(owner.name), displayName: name(owner.displayName) || name(owner.name) };
}

/** A text of the locale files comes first: the operator speaks for all resource servers. @param servers see `serverNames` */
export function scopeView(
  scope: DescribedScope,
  { texts }: Presentation,
  servers: ReadonlyMap<string, string> = new Map(),
): View {
  const key = `${scope.isOpenid === true ? 'openid' : 'scope'}.${scope.name}`;
  const { value = scope.name, resourceServer = '' } = scope;
  const shown = { value, name: name(scope.name), resourceServer: servers.get(resourceServer) ?? '' };
  if (texts.has(key)) return { ...shown, text: texts.plain(key), language: '' };
  const described = scopeText(scope, texts.language);
  return { ...shown, text: text(described.text), language: described.language };
}

/**
 * The names of resource servers by key. Where names look alike, the host or the key beside them tells them apart: an owner can give a
 * resource server the name of another.
 */
export function serverNames(servers: readonly NamedResourceServer[]): ReadonlyMap<string, string> {
  const byKey = new Map(servers.map((server) => [server.key, server]));
  const withHost = apart(new Map([...byKey].map(([key, server]) => [key, name(server.name)])), (key) => {
    const { host: ofServer } = byKey.get(key) ?? {};
    return ofServer === undefined ? text(key) : host(ofServer);
  });
  return apart(withHost, text);
}

/** The same names, of which those that look alike have a detail behind them. */
function apart(names: ReadonlyMap<string, string>, detail: (key: string) => string): Map<string, string> {
  const alike = Map.groupBy(names, ([, shown]) => shown.normalize('NFKC').toLowerCase());
  const isAlone = (of: readonly unknown[]) => of.length === 1;
  return new Map(
    [...alike.values()].flatMap((of) =>
      of.map(([key, shown]) => [key, isAlone(of) ? shown : `${shown} (${detail(key)})`] as const),
    ),
  );
}

/** The names of resource servers as one text. */
export function namesView(servers: readonly NamedResourceServer[], { language }: Texts): string {
  const names = [...serverNames(servers).values()];
  const [first = ''] = names;
  return names.length < 2 ? first : new Intl.ListFormat(language).format(names);
}

/** Made at its first use: it takes 15 ms, in each start of a server. */
let segmenter: Intl.Segmenter | undefined;

/** A letter and one of the colours of the stylesheet, in place of a picture. */
export function tile(of: string): View {
  const shown = name(withoutMarks(of));
  let sum = 0;
  for (const character of shown) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return { letter: firstLetter(shown).toUpperCase(), colour: sum % tileColours };
}

/** The first letter as a reader sees it, with any number of characters. */
function firstLetter(text: string): string {
  // Two ASCII characters are never one letter. The segmenter takes longer than the rest of the page.
  const ascii = /^[ -~](?=[ -~]|$)/.exec(text)?.[0];
  if (ascii !== undefined) return ascii;
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text).containing(0)?.segment ?? '?';
}

export function keyOrText(value: string, texts: Texts): string {
  return texts.has(value) ? texts.plain(value) : text(value);
}

export const name = (value: string) => presentable(value, maxNameLength);
export const text = (value: string) => presentable(value, maxTextLength);
export const host = (value: string) => presentable(value, maxHostLength);

/** The description of a scope for a page. */
interface ScopeText {
  /** `''` when there is none. */
  readonly text: string;
  /** The language of the text, where it is known to be another than that of the page; else `''`. */
  readonly language: string;
}

/** The text in the language of the page, or else the one for all languages, the English one, or any. */
export function scopeText({ description, descriptions = {} }: ScopeDescription, language: string): ScopeText {
  const tags = Object.keys(descriptions);
  const own = languageLookup(tags, '')(language);
  if (own !== '') return { text: descriptions[own] ?? '', language: '' };
  if (description !== undefined) return { text: description, language: '' };
  const other = tags.includes(fallbackLanguage) ? fallbackLanguage : (tags[0] ?? '');
  return { text: descriptions[other] ?? '', language: other };
}
