import {
  type AuthorizationDependencies,
  accountEndpoint,
  authorizationEndpoint,
  LoginSessions,
} from '@watchword/protocol';
import type { Modules } from './compose-modules.ts';
import type { Configuration } from './config/settings.ts';
import { accountRoutes } from './http/account.ts';
import { authorizationRoutes } from './http/authorize.ts';
import { browserAnswers } from './http/browser-answers.ts';
import type { BrowserCookieJar } from './http/browser-cookies.ts';
import type { Endpoint } from './http/endpoint.ts';
import { moduleRoutes } from './http/module-routes.ts';
import type { PageAnswers } from './http/page.ts';

type Dependencies = Omit<
  AuthorizationDependencies,
  'sessions' | 'authenticators' | 'consent' | 'authStateLifetime'
>;

/** Puts together what browsers see: the authorization endpoint, its forms, and the owner's account. */
export function composeAuthorization(
  deps: Dependencies & ConstructorParameters<typeof LoginSessions>[0],
  { authenticators, consent }: Modules,
  pages: PageAnswers,
  cookies: BrowserCookieJar,
  configuration: Configuration,
  prefix: string,
): Endpoint[] {
  const sessions = new LoginSessions(deps);
  const parts = {
    ...deps,
    sessions,
    authenticators,
    consent,
    authStateLifetime: configuration['authState.lifetime'],
  };
  const routes = {
    authorization: authorizationEndpoint(parts),
    account: accountEndpoint(parts),
    cookies,
    prefix,
    answers: browserAnswers(pages, cookies),
    authenticators,
    consent,
    sessions,
    language: pages.language,
  };
  return [
    ...authorizationRoutes(routes),
    ...accountRoutes(routes),
    ...[...authenticators.values()].flatMap((authenticator) => moduleRoutes(authenticator, routes)),
  ];
}
