import type { Message } from '@watchword/protocol';
import type {
  AccountPage,
  ChoicePage,
  ConsentPage,
  ErrorPage,
  FormPage,
  ForwardPage,
  LoginPage,
  Page,
  ShownChoice,
  ShownClient,
  ShownField,
} from './page.ts';
import { escapeHtml, presentable } from './presentable.ts';
import { referenceView } from './reference-view.ts';
import type { Texts } from './texts.ts';

/** What one template is given beside the helpers: docs/guides/pages.md describes it. */
export type View = Readonly<Record<string, unknown>>;

export interface Presentation {
  readonly texts: Texts;
  /** The host of a picture that may be shown, else `undefined`. */
  shownHost(picture: string): string | undefined;
}

const maxNameLength = 80;
const maxTextLength = 300;
// A host has 253 at most in the domain name system, with a port 259. Whose it is stands at its end: none may be cut.
const maxHostLength = 259;
const tileColours = 8;

const defaultFields: readonly ShownField[] = [
  { name: 'username', label: 'field.username', type: 'text', autocomplete: 'username' },
  { name: 'password', label: 'field.password', type: 'password', autocomplete: 'current-password' },
];

/** Makes a model ready for its template: texts of outside presentable, keys replaced by texts. */
export function viewOf(page: Page, presentation: Presentation): View {
  switch (page.page) {
    case 'login':
      return loginView(page, presentation);
    case 'choice':
      return choiceView(page, presentation);
    case 'forward':
      return forwardView(page);
    case 'repeat':
      return { action: page.action, fields: page.fields };
    case 'consent':
      return consentView(page, presentation);
    case 'answered':
      return {
        action: page.action,
        authState: page.authState,
        client: clientView(page.client, presentation),
      };
    case 'error':
      return errorView(page, presentation);
    case 'account':
      return accountView(page, presentation);
    case 'logout':
      return { ...formView(page, presentation), owner: ownerView(page.owner) };
    case 'logged-out':
      return { accountUrl: page.accountUrl };
    case 'start': {
      const { page: _, ...addresses } = page;
      return addresses;
    }
    case 'reference':
      return referenceView(page);
  }
}

/** URLs of all pictures that a page would like to show. */
export function picturesOf(page: Page): string[] {
  if (page.page === 'account') return page.applications.map(({ picture }) => picture);
  if (page.page === 'login' || page.page === 'consent' || page.page === 'answered') {
    return [page.client?.picture ?? ''];
  }
  if (page.page === 'choice') {
    return [page.client, page.last, ...page.choices].map((shown) => shown?.picture ?? '');
  }
  return [];
}

function loginView(page: LoginPage, presentation: Presentation): View {
  const { client, resourceServer, insecureBecause, fields = defaultFields } = page;
  const { texts } = presentation;
  const firstEmpty = fields.findIndex(({ value = '' }) => value === '');
  return {
    ...formView(page, presentation),
    client: client && clientView(client, presentation),
    resourceServer: resourceServer && { name: name(resourceServer.name) },
    insecureBecause: keyOrText(insecureBecause ?? '', texts),
    fields: fields.map((field, index) => ({
      ...field,
      value: field.type === 'password' ? '' : (field.value ?? ''),
      id: `field-${index}`,
      label: keyOrText(field.label, texts),
      autofocus: index === firstEmpty,
    })),
  };
}

function choiceView(page: ChoicePage, presentation: Presentation): View {
  const { client, resourceServer, query, choices, matches, last } = page;
  const choiceOf = (choice: ShownChoice) => ({
    ...clientView({ ...choice, description: '' }, presentation),
    url: choice.url,
  });
  return {
    ...formView(page, presentation),
    client: client && clientView(client, presentation),
    resourceServer: resourceServer && { name: name(resourceServer.name) },
    query: text(query),
    choices: choices.map(choiceOf),
    last: last && choiceOf(last),
    matches,
    hidden: matches - choices.length,
  };
}

function forwardView({ action, fields }: ForwardPage): View {
  return {
    action,
    host: new URL(action).host,
    fields: fields && Object.entries(fields).map(([field, value]) => ({ name: field, value })),
  };
}

function consentView(page: ConsentPage, presentation: Presentation): View {
  const { client, resourceServer, insecureBecause, scopes } = page;
  return {
    ...formView(page, presentation),
    client: { ...clientView(client, presentation), redirectHost: host(client.redirectHost) },
    resourceServer: {
      name: name(resourceServer.name),
      description: text(resourceServer.description),
      tile: tile(resourceServer.name),
    },
    owner: ownerView(page.owner),
    insecureBecause: keyOrText(insecureBecause ?? '', presentation.texts),
    switchUrl: page.switchUrl,
    accountUrl: page.accountUrl,
    // Where everything is new, saying so of each would be noise.
    scopes: scopes.map((scope) => ({
      ...scopeView(scope.name, presentation),
      ticked: scope.ticked,
      isNew: scope.isNew && scopes.some(({ isNew }) => !isNew),
    })),
  };
}

function errorView(page: ErrorPage, { texts }: Presentation): View {
  const { kind, status, requestId, retryAfter, text: own } = page;
  const family = status >= 500 ? 'server' : 'request';
  const first = (...keys: string[]) => keys.find((key) => texts.has(key)) ?? '';
  const values = { ...presentableValues(own?.values), seconds: String(retryAfter ?? '') };
  const waiting = retryAfter === undefined ? [] : [`error.${kind}.wait`];
  return {
    kind,
    status,
    error: name(page.error),
    requestId,
    title: texts.plain(first(`${own?.key}.title`, `error.${kind}.title`, `error.${family}.title`), values),
    adviceHtml: page.advice
      ? messageHtml(page.advice, texts)
      : texts.html(
          first(`${own?.key}.advice`, ...waiting, `error.${kind}.advice`, `error.${family}.advice`),
          values,
        ),
    description: presentable(page.description, 1000),
    goOn: page.goOn && { url: page.goOn.url, host: host(page.goOn.host) },
  };
}

function accountView(page: AccountPage, presentation: Presentation): View {
  const { texts } = presentation;
  return {
    ...formView(page, presentation),
    owner: ownerView(page.owner),
    logoutUrl: page.logoutUrl,
    applications: page.applications.map((application, index) => ({
      elementId: `application-${index}`,
      id: application.id,
      ...clientView({ ...application, description: '' }, presentation),
      resourceServer: name(application.resourceServer),
      scopes: application.scopes.map((scope) => scopeView(scope, presentation)),
      since: texts.date(application.since),
      lastUsed: application.lastUsed === undefined ? '' : texts.date(application.lastUsed),
    })),
  };
}

function formView(
  { action, authState, message, isNeutral = false }: FormPage,
  { texts }: Presentation,
): View {
  if (message === undefined) return { action, authState, messageHtml: '', isProblem: false };
  return { action, authState, messageHtml: messageHtml(message, texts), isProblem: !isNeutral };
}

function messageHtml(message: Message, texts: Texts): string {
  if (typeof message === 'string') return `<bdi>${escapeHtml(text(message))}</bdi>`;
  return texts.html(message.key, presentableValues(message.values));
}

function presentableValues(values: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, text(value)]));
}

function clientView(client: ShownClient, { shownHost }: Presentation): View {
  return {
    name: name(client.name),
    description: text(client.description),
    picture: shownHost(client.picture) === undefined ? '' : client.picture,
    tile: tile(client.name),
  };
}

function ownerView(owner: { readonly name: string; readonly displayName: string }): View {
  return { name: name(owner.name), displayName: name(owner.displayName) || name(owner.name) };
}

function scopeView(scope: string, { texts }: Presentation): View {
  const key = `scope.${scope}`;
  return { value: scope, name: name(scope), text: texts.has(key) ? texts.plain(key) : '' };
}

const segmenter = new Intl.Segmenter();

/** Stands for a picture: a letter, and one of the colours of the stylesheet. */
function tile(of: string): View {
  const shown = name(of);
  let sum = 0;
  for (const character of shown) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return { letter: firstLetter(shown).toUpperCase(), colour: sum % tileColours };
}

/** What a reader takes for one letter, however many characters it is made of. */
function firstLetter(text: string): string {
  // Two characters of ASCII are never one letter, and the segmenter takes longer than the rest of the page.
  const ascii = /^[ -~](?=[ -~]|$)/.exec(text)?.[0];
  return ascii ?? segmenter.segment(text).containing(0)?.segment ?? '?';
}

function keyOrText(value: string, texts: Texts): string {
  return texts.has(value) ? texts.plain(value) : text(value);
}

const name = (value: string) => presentable(value, maxNameLength);
const text = (value: string) => presentable(value, maxTextLength);
const host = (value: string) => presentable(value, maxHostLength);
