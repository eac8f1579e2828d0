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
  'sessions' | 'authenticator' | 'consent' | 'authStateLifetime'
>;

/** Puts together what browsers see: the authorization endpoint, its forms, and the owner's account. */
export function composeAuthorization(
  deps: Dependencies & ConstructorParameters<typeof LoginSessions>[0],
  { authenticator, consent }: Modules,
  pages: PageAnswers,
  cookies: BrowserCookieJar,
  configuration: Configuration,
  prefix: string,
): Endpoint[] {
  const sessions = new LoginSessions(deps);
  const parts = {
    ...deps,
    sessions,
    authenticator,
    consent,
    authStateLifetime: configuration['authState.lifetime'],
  };
  const routes = {
    authorization: authorizationEndpoint(parts),
    account: accountEndpoint(parts),
    cookies,
    prefix,
    answers: browserAnswers(pages, cookies),
    insecureBecause: { login: authenticator.insecureBecause, consent: consent.insecureBecause },
    sessions,
    language: pages.language,
  };
  return [
    ...authorizationRoutes(routes),
    ...accountRoutes(routes),
    ...moduleRoutes(authenticator.endpoints ?? [], routes),
  ];
}
