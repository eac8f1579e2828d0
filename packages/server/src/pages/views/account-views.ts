import type {
  AccountPage,
  DeletionPage,
  PlaceNames,
  ShownApplication,
  ShownSession,
  WithdrawPage,
  WithdrawToolsPage,
} from '../model/account-page.ts';
import { fallbackLanguage } from '../texts/locales.ts';
import { languageLookup } from '../texts/negotiate.ts';
import { claimViews, namesOf } from './claim-views.ts';
import { linksView } from './link-views.ts';
import { factorsView } from './own-factor-views.ts';
import {
  clientView,
  formView,
  helpView,
  host,
  name,
  namesView,
  ownerView,
  type Presentation,
  scopeView,
  serverNames,
  type View,
} from './view-parts.ts';

export function accountView(page: AccountPage, presentation: Presentation): View {
  const { texts } = presentation;
  const { withdrawn } = page;
  return {
    ...formView(page, presentation),
    isNeutral: page.isNeutral === true,
    owner: ownerView(page.owner),
    names: ownerView(namesOf(page.claims, page.owner)),
    claims: claimViews(page.claims, texts),
    logoutUrl: page.logoutUrl,
    sessionsUrl: page.sessionsUrl,
    sessions: page.sessions.map((session) => sessionView(session, presentation)),
    passwordUrl: page.passwordUrl,
    hasPassword: page.hasPassword ?? true,
    links: page.links && linksView(page.links, presentation),
    factors: factorsView(page.factors, presentation),
    addressUrl: page.addressUrl,
    dataUrl: page.dataUrl,
    deletionUrl: page.deletionUrl,
    isLocal: page.isLocal,
    withdrawn: withdrawn && {
      name: name(withdrawn.name),
      url: withdrawn.home ?? '',
      host: withdrawn.home === undefined ? '' : host(new URL(withdrawn.home).host),
    },
    applications: page.applications.map((application, index) => ({
      elementId: `application-${index}`,
      ...applicationView(application, presentation),
    })),
    tools: page.tools.map(({ vendor, applications, withdrawUrl }) => ({
      vendor: host(vendor),
      withdrawUrl,
      applications: applications.map((application) => applicationView(application, presentation)),
    })),
    toolsUrl: page.toolsUrl,
  };
}

export function withdrawView(page: WithdrawPage | WithdrawToolsPage, presentation: Presentation): View {
  if (page.page === 'withdraw-tools') return withdrawToolsView(page, presentation);
  return {
    ...formView(page, presentation),
    application: applicationView(page.application, presentation),
    accountUrl: page.accountUrl,
  };
}

function withdrawToolsView(page: WithdrawToolsPage, presentation: Presentation): View {
  const { vendor, selection, applications, accountUrl } = page;
  const { texts } = presentation;
  const title =
    vendor === undefined
      ? texts.html('withdraw-tools.title', {})
      : vendor === ''
        ? texts.html('withdraw-tools.registeredTitle', {})
        : texts.html('withdraw-tools.vendorTitle', { host: host(vendor) });
  return {
    ...formView(page, presentation),
    ...{ title, selection, accountUrl },
    applications: applications.map((application) => applicationView(application, presentation)),
  };
}

const obstacleTexts = {
  administrator: 'deletion.administrator',
  records: 'deletion.records',
  login: 'deletion.signInAgain',
} as const;

export function deletionView(page: DeletionPage, presentation: Presentation): View {
  const { isLocal, asksPassword, obstacle, accountUrl, logoutUrl } = page;
  return {
    ...formView(page, presentation),
    owner: ownerView(page.owner),
    username: page.owner.name,
    ...{ isLocal, asksPassword, accountUrl, logoutUrl },
    obstacle: obstacle && presentation.texts.plain(obstacleTexts[obstacle]),
    needsLogin: obstacle === 'login',
    help: helpView(presentation),
  };
}

function applicationView(application: ShownApplication, presentation: Presentation): View {
  const { texts } = presentation;
  const { id, withdrawUrl, resourceServers, scopes, consentedScopes } = application;
  const { since, lastUsed, lastUsedFor = [] } = application;
  const names = serverNames(resourceServers);
  return {
    id,
    withdrawUrl,
    ...clientView({ ...application, description: '' }, presentation),
    resourceServer: namesView(resourceServers, texts),
    hasAccess: lastUsed !== undefined,
    scopes: scopes.map((scope) => scopeView(scope, presentation, names)),
    consentedScopes: consentedScopes.map((scope) => scopeView(scope, presentation, names)),
    since: texts.date(since),
    lastUsed: lastUsed === undefined ? '' : texts.date(lastUsed),
    lastTime: lastUsed === undefined ? '' : texts.time(lastUsed),
    lastUsedFor: namesView(lastUsedFor, texts),
  };
}

function sessionView(session: ShownSession, { texts }: Presentation): View {
  const { id, device, source, places, creationDate, lastUsed, isCurrent } = session;
  return {
    id,
    device: name(device) || texts.plain('account.unknownDevice'),
    source: host(source),
    place: places.map((names) => name(placeName(names, texts.language))).join(', '),
    since: texts.time(creationDate),
    lastUsed: texts.time(lastUsed),
    isCurrent,
  };
}

function placeName(names: PlaceNames, language: string): string {
  const tag = languageLookup(Object.keys(names), fallbackLanguage)(language);
  return names[tag] ?? Object.values(names)[0] ?? '';
}
