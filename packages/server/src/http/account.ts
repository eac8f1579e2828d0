import {
  type AccountEndpoint,
  type AccountView,
  type AuthorizationEndpoint,
  accountIdentityProvider,
} from '@watchword/protocol';
import type { AccountPage, LoggedOutPage } from '../pages/page.ts';
import { type AuthorizationRouteDependencies, authorizationAnswer } from './authorize.ts';
import type { Endpoint } from './endpoint.ts';
import { browserSubmission } from './form.ts';
import { accountPassword } from './password.ts';
import type { HttpRequest } from './request.ts';
import { isLoginOnly, shownOwner, shownScopes } from './shown.ts';

export interface AccountRouteDependencies extends AuthorizationRouteDependencies {
  /** Whether users log in with local accounts on this server. */
  readonly hasLocalLogin: boolean;
  readonly account: AccountEndpoint;
  readonly authorization: AuthorizationEndpoint;
}

/** `/account` shows the consents of the resource owner, who can withdraw them. `/logout` ends the login session. */
export function accountRoutes(deps: AccountRouteDependencies): Endpoint[] {
  const { account, authorization, cookies, answers, prefix } = deps;
  return [
    {
      path: '/account',
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) => {
          const browser = cookies.read(request);
          const view = await account.show(browser);
          if (view !== undefined) {
            return answers.page(request, accountPage(view, request, deps), { cookies: view.cookies });
          }
          return authorizationAnswer(await authorization.loginForAccount(browser), request, deps);
        },
        POST: async (request) => {
          await account.withdraw(browserSubmission(request), cookies.read(request));
          return answers.redirect(request, `${prefix}/account`);
        },
      },
    },
    {
      path: '/logout',
      page: true,
      hasEffects: true,
      methods: {
        GET: async (request) => {
          const view = await account.askLogout(cookies.read(request));
          if (view === undefined) return answers.page(request, loggedOutPage(prefix));
          const { owner, authState } = view;
          const page = { action: `${prefix}/logout`, authState, owner: shownOwner(owner) };
          return answers.page(request, { page: 'logout', ...page }, { cookies: view.cookies });
        },
        POST: async (request) => {
          const ended = await account.logout(browserSubmission(request), cookies.read(request));
          return ended.location === undefined
            ? answers.page(request, loggedOutPage(prefix), { cookies: ended.cookies })
            : answers.forward(request, ended.location, { cookies: ended.cookies });
        },
      },
    },
  ];
}

/** It links to the account page, and so to a new login. */
export function loggedOutPage(prefix: string): LoggedOutPage {
  return { page: 'logged-out', accountUrl: `${prefix}/account` };
}

function accountPage(
  { owner, applications, authState }: AccountView,
  request: HttpRequest,
  { prefix, hasLocalLogin }: AccountRouteDependencies,
): AccountPage {
  const hasPassword = hasLocalLogin && owner.identityProvider === accountIdentityProvider;
  return {
    page: 'account',
    action: `${prefix}/account`,
    authState,
    owner: shownOwner(owner),
    logoutUrl: `${prefix}/logout`,
    ...(hasPassword && accountPassword(request, prefix)),
    applications: applications.map(
      ({ client, resourceServer, scopes, consentedScopes, since, lastUsed }) => ({
        id: String(client.id),
        name: client.clientName,
        picture: client.thumbNailUrl,
        resourceServer: isLoginOnly([...scopes, ...consentedScopes], resourceServer)
          ? undefined
          : resourceServer.name,
        scopes: shownScopes(scopes, resourceServer),
        consentedScopes: shownScopes(consentedScopes, resourceServer),
        since,
        lastUsed,
      }),
    ),
  };
}
