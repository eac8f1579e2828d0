import type { Message } from '@watchword/protocol';
import type {
  AskingPage,
  AuthenticatorsPage,
  ChoicePage,
  LoginPage,
  LoginStepPage,
  SelectAccountPage,
  ShownChoice,
  ShownField,
} from '../model/page.ts';
import { firstAdministratorView } from '../model/start-page.ts';
import type { Texts } from '../texts/texts.ts';
import { totpKeyView } from './own-factor-views.ts';
import {
  clientView,
  formView,
  helpView,
  keyOrText,
  messageHtml,
  namesView,
  ownerView,
  type Presentation,
  passkeyView,
  presentableValues,
  text,
  tile,
  unconfirmedView,
  type View,
} from './view-parts.ts';

function defaultFields(username: string | undefined): readonly ShownField[] {
  return [
    { name: 'username', label: 'field.username', type: 'text', autocomplete: 'username', value: username },
    { name: 'password', label: 'field.password', type: 'password', autocomplete: 'current-password' },
  ];
}

function askingView(page: AskingPage, presentation: Presentation): View {
  const { client, resourceServers, cancelUrl } = page;
  return {
    cancelUrl,
    client: client && clientView(client, presentation),
    unconfirmed: unconfirmedView(page),
    resourceServer: resourceServers && { name: namesView(resourceServers, presentation.texts) },
  };
}

export function authenticatorsView(page: AuthenticatorsPage, presentation: Presentation): View {
  return {
    ...askingView(page, presentation),
    authState: page.authState,
    messageHtml: page.message === undefined ? '' : messageHtml(page.message, presentation.texts),
    isProblem: false,
    authenticators: page.authenticators.map(({ label, ...authenticator }) => {
      const shown = keyOrText(label, presentation.texts);
      return { ...authenticator, name: shown, tile: tile(shown) };
    }),
  };
}

export function selectAccountView(page: SelectAccountPage, presentation: Presentation): View {
  return {
    ...formView(page, presentation),
    ...askingView(page, presentation),
    owner: ownerView(page.owner),
  };
}

export function loginView(page: LoginPage, presentation: Presentation): View {
  const { insecureBecause, chooserUrl, username, fields = defaultFields(username), choices = [] } = page;
  const { texts } = presentation;
  return {
    ...formView(page, presentation),
    ...askingView(page, presentation),
    chooserUrl,
    forgottenUrl: page.forgottenUrl,
    signUpUrl: page.signUpUrl,
    insecureBecause: keyOrText(insecureBecause ?? '', texts),
    fields: fieldViews(page.passkey === undefined ? fields : fields.map(offeringPasskeys), texts),
    passkey: passkeyView(page.passkey),
    help: helpView(presentation),
    choices: choiceViews(choices, texts),
    first: firstAdministratorView(page.firstAdministrator),
  };
}

/** Browsers offer passkeys where the user types the name (HTML, "autofill"). */
function offeringPasskeys(field: ShownField): ShownField {
  return field.autocomplete === 'username' ? { ...field, autocomplete: 'username webauthn' } : field;
}

function choiceViews(
  choices: readonly { readonly value: string; readonly text: Message }[],
  texts: Texts,
): readonly View[] {
  return choices.map((choice) => ({ value: choice.value, text: plainOf(choice.text, texts) }));
}

function plainOf(message: Message, texts: Texts): string {
  return typeof message === 'string'
    ? text(message)
    : texts.plain(message.key, presentableValues(message.values));
}

function fieldViews(fields: readonly ShownField[], texts: Texts): readonly View[] {
  const firstEmpty = fields.findIndex(({ value = '' }) => value === '');
  return fields.map((field, index) => ({
    ...field,
    value: field.type === 'password' ? '' : (field.value ?? ''),
    id: `field-${index}`,
    label: keyOrText(field.label, texts),
    autofocus: index === firstEmpty,
  }));
}

export function loginStepView(page: LoginStepPage, presentation: Presentation): View {
  const { title, text: content = '', link, loginUrl, fields = [], totp, codes, box, choices } = page;
  const { texts } = presentation;
  const plain = (message: Message) => plainOf(message, texts);
  return {
    ...formView(page, presentation),
    ...askingView(page, presentation),
    owner: page.owner && ownerView(page.owner),
    title: plain(title),
    paragraphs: plain(content)
      .split(/\n\s*\n/)
      .filter((paragraph) => paragraph.trim() !== ''),
    link: link && { url: link.url, text: plain(link.text) },
    loginUrl,
    fields: fieldViews(fields, texts),
    passkey: passkeyView(page.passkey),
    totp: totp && totpKeyView(totp),
    codes,
    box: box && { name: box.name, text: plain(box.text) },
    help: helpView(presentation),
    choices: choiceViews(choices, texts),
  };
}

export function choiceView(page: ChoicePage, presentation: Presentation): View {
  const { query, choices, matches, last, chooserUrl } = page;
  const choiceOf = (choice: ShownChoice) => ({
    ...clientView({ ...choice, description: '' }, presentation),
    url: choice.url,
  });
  return {
    ...formView(page, presentation),
    ...askingView(page, presentation),
    chooserUrl,
    query: text(query),
    choices: choices.map(choiceOf),
    last: last && choiceOf(last),
    matches,
    hidden: matches - choices.length,
  };
}
