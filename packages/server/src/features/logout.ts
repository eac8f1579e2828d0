import { deliverLogout, type LogoutEndpoint, logoutEndpoint, type ResponseTypes } from '@watchword/protocol';
import type { Core } from '../core/core.ts';
import type { WithSessions } from '../core/people/sessions.ts';
import { browserAnswers } from '../http/browser/browser-answers.ts';
import { logoutRoutes } from '../http/browser/logout.ts';
import { startLogoutDeliveries } from '../runtime/work/logout-deliveries.ts';
import type { Feature } from './feature.ts';

type EndpointParts = Pick<
  Core,
  | 'baseUrl'
  | 'clock'
  | 'configuration'
  | 'modules'
  | 'openid'
  | 'random'
  | 'requestErrors'
  | 'sealer'
  | 'signing'
  | 'store'
  | 'subjectSecret'
> &
  WithSessions;

/** The rules of logout. An authentication module that logs users out at their identity provider needs them too. */
export function logoutRules(parts: EndpointParts, responseTypes: ResponseTypes): LogoutEndpoint {
  const { baseUrl: issuer, configuration, modules, openid, signing, store } = parts;
  return logoutEndpoint({
    ...parts,
    registry: store.registry,
    sessionClients: store.sessionClients,
    authenticators: modules.authenticators,
    authStateLifetime: configuration['authState.lifetime'],
    issuer,
    requestErrorLog: parts.requestErrors,
    responseTypes,
    signer: signing.signer,
    subjects: openid.subjects,
    usesFrontChannel: configuration['logout.frontchannel'],
  });
}

type Parts = Pick<
  Core,
  | 'baseUrl'
  | 'clock'
  | 'configuration'
  | 'cookies'
  | 'logger'
  | 'metrics'
  | 'outboundFetch'
  | 'pageAnswers'
  | 'prefix'
  | 'random'
  | 'signing'
  | 'store'
>;

/** Logout by users and clients, and the logout tokens that tell clients of it (OpenID Connect Back-Channel Logout 1.0). */
export function logout(parts: Parts, endpoint: LogoutEndpoint): Feature {
  const { baseUrl: issuer, configuration, cookies, pageAnswers, prefix, signing, store } = parts;
  const { logoutDeliveries, registry } = store;
  const deps = { ...parts, logoutDeliveries, registry, issuer, signer: signing.signer };
  return {
    endpoints: logoutRoutes({
      logout: endpoint,
      answers: browserAnswers(pageAnswers, cookies),
      cookies,
      prefix,
    }),
    metadata: {
      end_session_endpoint: `${issuer}/oauth2/logout`,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      frontchannel_logout_supported: configuration['logout.frontchannel'],
      frontchannel_logout_session_supported: configuration['logout.frontchannel'],
    },
    start: () => startLogoutDeliveries({ ...deps, deliver: (delivery) => deliverLogout(delivery, deps) }),
  };
}
