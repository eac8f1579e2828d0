import type {
  AskingPage,
  AuthenticatorsPage,
  ChoicePage,
  LoginPage,
  SelectAccountPage,
  ShownChoice,
  ShownField,
} from './page.ts';
import {
  clientView,
  formView,
  keyOrText,
  name,
  ownerView,
  type Presentation,
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
  const { client, resourceServer } = page;
  return {
    client: client && clientView(client, presentation),
    unconfirmed: unconfirmedView(page),
    resourceServer: resourceServer && { name: name(resourceServer.name) },
  };
}

export function authenticatorsView(page: AuthenticatorsPage, presentation: Presentation): View {
  return {
    ...askingView(page, presentation),
    messageHtml: page.isLate === true ? presentation.texts.html('page.late') : '',
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
  const { insecureBecause, chooserUrl, username, fields = defaultFields(username) } = page;
  const { texts } = presentation;
  const firstEmpty = fields.findIndex(({ value = '' }) => value === '');
  return {
    ...formView(page, presentation),
    ...askingView(page, presentation),
    chooserUrl,
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
