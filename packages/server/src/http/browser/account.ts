import {
  type AccountEndpoint,
  type AccountView,
  type ConnectedApplication,
  type DeletionEndpoint,
  type FactorsEndpoint,
  homeOf,
  isSelected,
  type LinksEndpoint,
  type OwnFactors,
  type OwnLinks,
  type StoredData,
  type ToolSelection,
  toolsOf,
} from '@watchword/accounts';
import {
  type AuthorizationEndpoint,
  accountIdentityProvider,
  type Browser,
  type LogoutEndpoint,
} from '@watchword/protocol';
import type {
  AccountPage,
  PlaceNames,
  ShownApplication,
  ShownTools,
  WithdrawPage,
  WithdrawToolsPage,
} from '../../pages/model/account-page.ts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission, queryParameters } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { type AuthorizationRouteDependencies, authorizationAnswer } from './authorize.ts';
import { factorMessage, shownFactors } from './factors.ts';
import { logoutAnswer } from './logout.ts';
import { passwordUrl } from './password.ts';
import { lateMessage } from './restart-message.ts';
import { isLoginOnly, shownAccess, shownOwner, shownServer } from './shown.ts';
import { linkMessage, shownLinks } from './shown-links.ts';

export interface AccountRouteDependencies extends AuthorizationRouteDependencies {
  /** Whether users log in with local accounts on this server. */
  readonly hasLocalLogin: boolean;
  /** Whether they can change its e-mail address here. */
  readonly hasAddressPage: boolean;
  readonly account: AccountEndpoint;
  readonly logout: LogoutEndpoint;
  /** Absent: people cannot delete their accounts. */
  readonly deletion: DeletionEndpoint | undefined;
  readonly storedData: (browser: Browser) => Promise<StoredData | undefined>;
  readonly factors: FactorsEndpoint;
  /** Absent where there are no local accounts. */
  readonly links: LinksEndpoint | undefined;
  /** Where a network address is, as far as the operator has a database for it. */
  readonly placesOf: (address: string) => readonly PlaceNames[];
  readonly authorization: AuthorizationEndpoint;
}

export const addressPath = '/account/address';
export const dataPath = '/account/data';
export const deletionPath = '/account/delete';
const sessionsPath = '/account/sessions';
const withdrawPath = '/account/withdraw';
const doneTexts: ReadonlyMap<string, string> = new Map([
  ['password changed', 'account.passwordChanged'],
  ['password set', 'account.passwordSet'],
  ['password changed-and-access-ended', 'account.passwordChangedAndAccessEnded'],
  ['session ended', 'account.sessionEnded'],
  ['address changed', 'account.addressChanged'],
  ['tools ended', 'account.toolsWithdrawn'],
]);

const queryNames: ReadonlySet<string> = new Set([
  'client',
  'withdrawn',
  'password',
  'session',
  'link',
  'factor',
  'address',
  'tools',
]);

/** `/account` shows what the server knows about the resource owner, and the consents, which the resource owner can withdraw. */
export function accountRoutes(deps: AccountRouteDependencies): Endpoint[] {
  const { account, authorization, cookies, answers, prefix } = deps;
  const accountUrl = `${prefix}/account`;
  const logIn = async (request: HttpRequest) =>
    authorizationAnswer(
      await authorization.loginForAccount(cookies.read(request), '/account'),
      request,
      deps,
    );
  const show = async (request: HttpRequest, isLate: boolean) => {
    const view = await account.show(cookies.read(request), queryOf(request, 'withdrawn'));
    if (view === undefined) return logIn(request);
    const [links, factors] = await Promise.all([deps.links?.of(view.owner), deps.factors.of(view.owner)]);
    const page = {
      ...accountPage(view, { links, factors }, request, deps),
      ...(isLate && lateMessage),
    };
    return answers.page(request, page, { cookies: view.cookies });
  };
  return [
    {
      path: '/account',
      page: true,
      hasEffects: true,
      methods: {
        GET: (request) => show(request, false),
        POST: async (request) => {
          const [submission, browser] = [browserSubmission(request), cookies.read(request)];
          if (submission.has('tools')) {
            const isDone = await account.withdrawTools(submission, browser);
            return isDone ? answers.redirect(request, `${accountUrl}?tools=ended`) : show(request, true);
          }
          const withdrawn = await account.withdraw(submission, browser);
          if (withdrawn === undefined) return show(request, true);
          return answers.redirect(request, `${accountUrl}?withdrawn=${encodeURIComponent(withdrawn)}`);
        },
      },
    },
    {
      path: sessionsPath,
      page: true,
      hasEffects: true,
      methods: {
        GET: (request) => answers.redirect(request, accountUrl),
        POST: async (request) => {
          const [submission, browser] = [browserSubmission(request), cookies.read(request)];
          if (!submission.has('everywhere')) {
            const isDone = await account.endSession(submission, browser);
            return isDone ? answers.redirect(request, `${accountUrl}?session=ended`) : show(request, true);
          }
          const auth_state = await account.endSessions(submission, browser);
          if (auth_state === undefined) return show(request, true);
          const ended = await deps.logout.confirm(new Map([['auth_state', [auth_state]]]), browser);
          return logoutAnswer(ended, request, deps);
        },
      },
    },
    {
      path: withdrawPath,
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) => {
          const view = await account.show(cookies.read(request));
          if (view === undefined) return logIn(request);
          const page = withdrawing(request, view, prefix);
          // It has no access any more: the page was opened again, or its form was sent twice.
          if (page === undefined) return answers.redirect(request, accountUrl);
          return answers.page(request, page, { cookies: view.cookies });
        },
      },
    },
  ];
}

/** What the user has just done on another page, if the browser comes from there. */
function doneMessage(request: HttpRequest): Pick<AccountPage, 'message' | 'isNeutral'> {
  // A link at another site, or in an e-mail, must not make a user believe it (Fetch Metadata).
  const { 'sec-fetch-site': site = 'same-origin' } = request.headers;
  if (site !== 'same-origin') return {};
  const ofLink = linkMessage(queryOf(request, 'link'));
  if (ofLink !== undefined) return ofLink;
  const ofFactor = factorMessage(queryOf(request, 'factor'));
  if (ofFactor !== undefined) return ofFactor;
  const done = (name: string) => doneTexts.get(`${name} ${queryOf(request, name)}`);
  const key = done('password') ?? done('session') ?? done('address') ?? done('tools');
  return key === undefined ? {} : { message: { key } };
}

function queryOf(request: HttpRequest, name: string): string | undefined {
  return queryParameters(request, queryNames).get(name);
}

function accountPage(
  { owner, claims, applications, sessions, authState, withdrawn }: AccountView,
  { links, factors }: { readonly links: OwnLinks | undefined; readonly factors: OwnFactors },
  request: HttpRequest,
  deps: AccountRouteDependencies,
): AccountPage {
  const { prefix, hasAddressPage, hasLocalLogin, placesOf, deletion } = deps;
  const isLocal = owner.identityProvider === accountIdentityProvider;
  return {
    page: 'account',
    action: `${prefix}/account`,
    authState,
    owner: shownOwner(owner),
    claims,
    logoutUrl: `${prefix}/logout`,
    sessions: sessions.map((session) => ({ ...session, places: placesOf(session.source) })),
    sessionsUrl: `${prefix}${sessionsPath}`,
    ...(isLocal && hasLocalLogin && { passwordUrl: passwordUrl(prefix) }),
    hasPassword: links?.hasPassword ?? true,
    ...(isLocal && hasLocalLogin && hasAddressPage && { addressUrl: `${prefix}${addressPath}` }),
    dataUrl: `${prefix}${dataPath}`,
    ...(deletion && { deletionUrl: `${prefix}${deletionPath}` }),
    isLocal,
    ...(links && { links: shownLinks(links, deps) }),
    factors: shownFactors(factors, prefix),
    ...doneMessage(request),
    withdrawn: withdrawn && { name: withdrawn.clientName, home: homeOf(withdrawn) },
    applications: applications
      .filter(({ vendor }) => vendor === undefined)
      .map((application) => shownApplication(application, prefix)),
    tools: shownTools(applications, prefix),
    toolsUrl: toolsUrl('all', prefix),
  };
}

/** By vendor, those whose tools were used last first; at the end those for which nobody vouches. */
function shownTools(applications: readonly ConnectedApplication[], prefix: string): ShownTools[] {
  const byVendor = Map.groupBy(applications, ({ vendor }) => vendor);
  return [...byVendor]
    .flatMap(([vendor, tools]) => (vendor === undefined ? [] : [{ vendor, tools }]))
    .toSorted((a, b) => Number(a.vendor === '') - Number(b.vendor === ''))
    .map(({ vendor, tools }) => ({
      vendor,
      applications: tools.map((application) => shownApplication(application, prefix)),
      withdrawUrl: toolsUrl(toolsOf(vendor), prefix),
    }));
}

function toolsUrl(selection: ToolSelection, prefix: string): string {
  return `${prefix}${withdrawPath}?tools=${encodeURIComponent(selection)}`;
}

/** The page that asks before the access is removed that the address names; `undefined` if there is none. */
function withdrawing(
  request: HttpRequest,
  { applications, authState }: AccountView,
  prefix: string,
): WithdrawPage | WithdrawToolsPage | undefined {
  const accountUrl = `${prefix}/account`;
  const form = { action: accountUrl, authState, accountUrl };
  const selection = queryOf(request, 'tools');
  if (selection === undefined) {
    const named = queryOf(request, 'client');
    const application = applications.find(({ client }) => String(client.id) === named);
    return application && { page: 'withdraw', ...form, application: shownApplication(application, prefix) };
  }
  const selected = applications.filter(({ vendor }) => isSelected(selection, vendor));
  const [first] = selected;
  return (
    first && {
      page: 'withdraw-tools',
      ...{ ...form, selection },
      vendor: selection === 'all' ? undefined : first.vendor,
      applications: selected.map((application) => shownApplication(application, prefix)),
    }
  );
}

function shownApplication(
  { client, resourceServer, granted, consented, since, lastUsed, lastAccess, vendor }: ConnectedApplication,
  prefix: string,
): ShownApplication {
  const own = [...granted.scopes, ...consented.scopes];
  const others = [...granted.others, ...consented.others].map((other) => other.resourceServer);
  // What is the home of tools is no API.
  const isOwnUsed =
    vendor === undefined && (own.length > 0 ? !isLoginOnly(own, resourceServer) : others.length === 0);
  return {
    id: String(client.id),
    name: client.clientName,
    picture: client.thumbNailUrl,
    withdrawUrl: `${prefix}${withdrawPath}?client=${client.id}`,
    resourceServers: (isOwnUsed ? [resourceServer, ...others] : others).map((server) => shownServer(server)),
    scopes: shownAccess(granted, resourceServer),
    consentedScopes: shownAccess(consented, resourceServer),
    since,
    lastUsed,
    lastUsedFor: lastAccess?.others.map((other) => shownServer(other.resourceServer)) ?? [],
  };
}
