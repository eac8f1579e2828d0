import type { AccountEndpoint, AccountView } from '@watchword/accounts';
import { type AuthorizationEndpoint, accountIdentityProvider } from '@watchword/protocol';
import type { AccountPage } from '../../pages/page.ts';
import type { Endpoint } from '../endpoint.ts';
import { browserSubmission } from '../form.ts';
import type { HttpRequest } from '../request.ts';
import { lateMessage } from './authorization-pages.ts';
import { type AuthorizationRouteDependencies, authorizationAnswer } from './authorize.ts';
import { accountPassword } from './password.ts';
import { isLoginOnly, shownOwner, shownScopes } from './shown.ts';

export interface AccountRouteDependencies extends AuthorizationRouteDependencies {
  /** Whether users log in with local accounts on this server. */
  readonly hasLocalLogin: boolean;
  readonly account: AccountEndpoint;
  readonly authorization: AuthorizationEndpoint;
}

/** `/account` shows what the server knows about the resource owner, and the consents, which the resource owner can withdraw. */
export function accountRoutes(deps: AccountRouteDependencies): Endpoint[] {
  const { account, authorization, cookies, answers, prefix } = deps;
  const show = async (request: HttpRequest, isLate: boolean) => {
    const browser = cookies.read(request);
    const view = await account.show(browser);
    if (view !== undefined) {
      const page = { ...accountPage(view, request, deps), ...(isLate && lateMessage) };
      return answers.page(request, page, { cookies: view.cookies });
    }
    return authorizationAnswer(await authorization.loginForAccount(browser, '/account'), request, deps);
  };
  return [
    {
      path: '/account',
      page: true,
      hasEffects: true,
      methods: {
        GET: (request) => show(request, false),
        POST: async (request) => {
          const isDone = await account.withdraw(browserSubmission(request), cookies.read(request));
          return isDone ? answers.redirect(request, `${prefix}/account`) : show(request, true);
        },
      },
    },
  ];
}

function accountPage(
  { owner, claims, applications, authState }: AccountView,
  request: HttpRequest,
  { prefix, hasLocalLogin }: AccountRouteDependencies,
): AccountPage {
  const hasPassword = hasLocalLogin && owner.identityProvider === accountIdentityProvider;
  return {
    page: 'account',
    action: `${prefix}/account`,
    authState,
    owner: shownOwner(owner),
    claims,
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
