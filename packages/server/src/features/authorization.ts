import {
  accountEndpoint,
  authorizationEndpoint,
  LoginSessions,
  type ResponseTypes,
} from '@watchword/protocol';
import type { Core } from '../core.ts';
import { accountRoutes } from '../http/account.ts';
import { authorizationRoutes } from '../http/authorize.ts';
import { browserAnswers } from '../http/browser-answers.ts';
import { moduleRoutes } from '../http/module-routes.ts';
import type { Feature } from './feature.ts';

type Parts = Pick<
  Core,
  | 'baseUrl'
  | 'clock'
  | 'configuration'
  | 'cookies'
  | 'identityProviders'
  | 'instruments'
  | 'modules'
  | 'pageAnswers'
  | 'prefix'
  | 'random'
  | 'scopeSyntax'
  | 'sealer'
  | 'securityLog'
  | 'store'
  | 'subjectSecret'
>;

/** The endpoints for browsers: the authorization endpoint, its forms, the addresses of modules, and the account page. */
export function authorization(parts: Parts, responseTypes: ResponseTypes): Feature {
  const { configuration, cookies, modules, pageAnswers, prefix } = parts;
  const { authenticators, consent } = modules;
  const shared = sharedDependencies(parts, responseTypes);
  const sessions = new LoginSessions({
    ...shared,
    sessionIdleLifetime: configuration['session.idleLifetime'],
    sessionLifetime: configuration['session.lifetime'],
  });
  const routes = {
    authorization: authorizationEndpoint({ ...shared, sessions, consent }),
    account: accountEndpoint({ ...shared, sessions }),
    cookies,
    prefix,
    answers: browserAnswers(pageAnswers, cookies),
    authenticators,
    consent,
    sessions,
    language: pageAnswers.language,
  };
  return {
    endpoints: [
      ...authorizationRoutes(routes),
      ...accountRoutes(routes),
      ...[...authenticators.values()].flatMap((authenticator) => moduleRoutes(authenticator, routes)),
    ],
  };
}

function sharedDependencies(parts: Parts, responseTypes: ResponseTypes) {
  const { baseUrl: issuer, clock, configuration, identityProviders, instruments, random } = parts;
  const { modules, scopeSyntax, sealer, securityLog, store, subjectSecret } = parts;
  return {
    ...store,
    authenticators: modules.authenticators,
    authStateLifetime: configuration['authState.lifetime'],
    clock,
    identityProviders,
    instruments,
    issuer,
    random,
    responseTypes,
    scopeSyntax,
    sealer,
    securityLog,
    subjectSecret,
  };
}
