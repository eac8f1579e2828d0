import type { ExplainedError } from '@watchword/administration';
import type { LoggedOutPage, LogoutPage } from '../model/logout-page.ts';
import type { ConsentPage, ErrorPage, ForwardPage, Page } from '../model/page.ts';
import type { InvitationPage, PasswordPage, PasswordSetPage } from '../model/password-page.ts';
import { firstAdministratorView } from '../model/start-page.ts';
import { presentable } from '../texts/presentable.ts';
import { accountView, deletionView, withdrawView } from './account-views.ts';
import { linkView } from './link-views.ts';
import {
  authenticatorsView,
  choiceView,
  loginStepView,
  loginView,
  selectAccountView,
} from './login-views.ts';
import { factorPageView } from './own-factor-views.ts';
import { referenceView } from './reference-view.ts';
import {
  clientView,
  formView,
  helpView,
  host,
  keyOrText,
  messageHtml,
  name,
  namesView,
  ownerView,
  type Presentation,
  presentableValues,
  scopeView,
  serverNames,
  text,
  tile,
  unconfirmedView,
  type View,
} from './view-parts.ts';

/** Prepares a page for its template: texts from outside become presentable, and texts replace keys. */
export function viewOf(page: Page, presentation: Presentation): View {
  switch (page.page) {
    case 'authenticators':
      return authenticatorsView(page, presentation);
    case 'login':
      return loginView(page, presentation);
    case 'login-step':
      return loginStepView(page, presentation);
    case 'choice':
      return choiceView(page, presentation);
    case 'select-account':
      return selectAccountView(page, presentation);
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
    case 'withdraw':
    case 'withdraw-tools':
      return withdrawView(page, presentation);
    case 'link':
      return linkView(page, presentation);
    case 'totp':
    case 'recovery-codes':
    case 'new-passkey':
    case 'own-factor':
      return factorPageView(page, presentation);
    case 'deletion':
      return deletionView(page, presentation);
    case 'deleted':
      return { isLocal: page.isLocal, accountUrl: page.accountUrl };
    case 'invitation':
      return invitationView(page, presentation);
    case 'password':
      return passwordView(page, presentation);
    case 'password-set':
      return passwordSetView(page);
    case 'step':
      return { accountUrl: page.accountUrl };
    case 'logout':
      return logoutView(page, presentation);
    case 'logged-out':
      return loggedOutView(page, presentation);
    case 'states': {
      const { page: _, ...shown } = page;
      return shown;
    }
    case 'start': {
      const { page: _, firstAdministrator, ...addresses } = page;
      return { ...addresses, first: firstAdministratorView(firstAdministrator) };
    }
    case 'reference':
      return referenceView(page);
  }
}

/** The URLs of all pictures of a page. */
export function picturesOf(page: Page): string[] {
  if (page.page === 'account') {
    const tools = page.tools.flatMap(({ applications }) => applications);
    return [...page.applications, ...tools].map(({ picture }) => picture);
  }
  if (page.page === 'withdraw-tools') return page.applications.map(({ picture }) => picture);
  if (page.page === 'withdraw') return [page.application.picture];
  switch (page.page) {
    case 'authenticators':
    case 'login':
    case 'login-step':
    case 'select-account':
      return [page.client?.picture ?? ''];
  }
  if (page.page === 'consent' || page.page === 'answered') return [page.client.picture];
  if (page.page === 'choice') {
    return [page.client, page.last, ...page.choices].map((shown) => shown?.picture ?? '');
  }
  return [];
}

function logoutView(page: LogoutPage, presentation: Presentation): View {
  return {
    ...formView(page, presentation),
    owner: ownerView(page.owner),
    client: page.client && clientView(page.client, presentation),
  };
}

function loggedOutView(
  { accountUrl, client, goOn, frames = [] }: LoggedOutPage,
  presentation: Presentation,
): View {
  const returnsTo = client && { ...clientView(client, presentation), url: client.url };
  return { accountUrl, client: returnsTo, goOn, frames };
}

function forwardView({ action, fields }: ForwardPage): View {
  return {
    action,
    host: new URL(action).host,
    fields: fields && formFields(fields),
  };
}

function formFields(fields: Readonly<Record<string, string>>) {
  return Object.entries(fields).map(([field, value]) => ({ name: field, value }));
}

function consentView(page: ConsentPage, presentation: Presentation): View {
  const { client, destination, resourceServers, insecureBecause, scopes } = page;
  const redirectHost = host(destination.host ?? '');
  const names = serverNames(resourceServers);
  const shown = resourceServers.map((server) => ({
    name: names.get(server.key),
    description: text(server.description),
    tile: tile(server.name),
    resources: server.resources.map(text),
  }));
  return {
    ...formView(page, presentation),
    client: {
      ...clientView(client, presentation),
      redirectHost,
      policyUrl: client.policyUrl ?? '',
      termsUrl: client.termsUrl ?? '',
    },
    destinationHtml: messageHtml(destination.consentText, presentation.texts, { host: redirectHost }),
    unconfirmed: unconfirmedView(page),
    // Templates from before there were several show it as one application.
    resourceServer: { ...shown[0], name: namesView(resourceServers, presentation.texts) },
    resourceServers: shown,
    owner: ownerView(page.owner),
    isLogin: page.isLogin,
    isLoginOnly: page.isLoginOnly,
    insecureBecause: keyOrText(insecureBecause ?? '', presentation.texts),
    switchUrl: page.switchUrl,
    accountUrl: page.accountUrl,
    // If all scopes are new, they are not marked.
    scopes: scopes.map((scope) => ({
      ...scopeView(scope, presentation, names),
      ticked: scope.ticked,
      isNew: scope.isNew && scopes.some(({ isNew }) => !isNew),
    })),
  };
}

function errorView(page: ErrorPage, { texts }: Presentation): View {
  const { kind, status, requestId, retryAfter, text: own } = page;
  const family = status >= 500 ? 'server' : status === 404 ? 'not_found' : 'request';
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
    explanation: page.explained && explanationView(page.explained),
    accountUrl: page.accountUrl,
    logout: page.logout,
    goOn: page.goOn && {
      url: page.goOn.location,
      host: host(page.goOn.host),
      fields: page.goOn.fields && formFields(page.goOn.fields),
    },
  };
}

/** Texts of the request and of registrations become presentable. The others are the server's own. */
function explanationView({ client, expected, came, reason, explanation }: ExplainedError): View {
  const { rule, requirement, section, sectionUrl, command, advice } = explanation ?? {};
  return {
    rule,
    requirement,
    reason: presentable(reason, 1000),
    expected: expected === undefined ? '' : presentable(expected, 1000),
    came: came === undefined ? '' : presentable(came, 1000),
    clientId: client === undefined ? '' : name(client.clientId),
    section,
    sectionUrl,
    command: command === undefined ? '' : presentable(command, 1000),
    advice,
  };
}

function invitationView(page: InvitationPage, presentation: Presentation): View {
  const address = page.address === undefined ? '' : text(page.address);
  const { username, displayName, asksPasskey } = page;
  return { ...formView(page, presentation), username, displayName, asksPasskey, address };
}

function passwordSetView({ isNew, codes, owner, accountUrl, goOn }: PasswordSetPage): View {
  return { isNew, codes, owner: owner && { name: name(owner.name) }, accountUrl, goOn };
}

function passwordView(page: PasswordPage, presentation: Presentation): View {
  return {
    ...formView(page, presentation),
    owner: ownerView(page.owner),
    username: page.owner.name,
    accountUrl: page.accountUrl,
    endsGrants: page.endsGrants,
    leastCharacters: String(page.leastCharacters),
    asksCode: page.asksCode,
    asksCurrent: page.accountUrl !== undefined && page.isFirst !== true,
    help: page.accountUrl === undefined ? undefined : helpView(presentation),
  };
}
