import {
  type AuthenticationContext,
  type AuthenticationStep,
  type Choice,
  type ModuleEndpoint,
  OAuthError,
  submitted,
} from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { SamlDependencies } from '../dependencies.ts';
import { type IdentityProvider, nameOf } from '../metadata/identity-provider.ts';
import { newId, requestStep } from './authn-request.ts';

/** The state of a login while the user is at the identity provider. */
export interface PendingLogin {
  /** Entity id. */
  readonly provider: string;
  /** ID of the AuthnRequest. */
  readonly requestId: string;
  /** Epoch milliseconds of the AuthnRequest. */
  readonly askedAt: number;
}

/** Attribute of a client: the entity id of the application in a federation. */
const clientEntityName = 'CLIENT_SAML_ENTITY_NAME';

/** The first step: a request to the only identity provider, or the page on which the user chooses one. */
export function begin(context: AuthenticationContext, deps: SamlDependencies): AuthenticationStep {
  const { directory, services, options, addresses } = deps;
  if (directory.size === 0) {
    throw new OAuthError('temporarily_unavailable', {
      description: 'The metadata of the identity providers could not be loaded yet.',
      rule: 'identity_provider_response',
      retryAfter: 60,
    });
  }
  const only = directory.only(services.clock.now());
  if (only !== undefined && options.discoveryService === undefined) return askProvider(only, context, deps);
  const own = (handle: string) => `${addresses.discovery}?auth_state=${encodeURIComponent(handle)}`;
  return {
    type: 'redirect',
    brief: true,
    location: (handle) =>
      options.discoveryService === undefined
        ? own(handle)
        : externalDiscovery(options.discoveryService, addresses.entityId, own(handle)),
  };
}

/** Sends the user to the identity provider with an AuthnRequest. */
export function askProvider(
  provider: IdentityProvider,
  { client, isFresh, selectsAccount }: AuthenticationContext,
  { options, services, addresses }: SamlDependencies,
): AuthenticationStep {
  const id = newId(services.random);
  const pending: PendingLogin = {
    provider: provider.entityId,
    requestId: id,
    askedAt: services.clock.now(),
  };
  const requesterId = client?.attributes[clientEntityName] || undefined;
  return requestStep(
    { id, forceAuthn: isFresh || selectsAccount, requesterId },
    provider,
    addresses,
    options,
    pending,
  );
}

/** The request to a discovery service (Identity Provider Discovery Service Protocol and Profile §2.4.1). */
function externalDiscovery(service: string, entityId: string, returnTo: string): string {
  const url = new URL(service);
  url.searchParams.set('entityID', entityId);
  url.searchParams.set('return', returnTo);
  url.searchParams.set('returnIDParam', 'choice');
  return url.href;
}

const maxChoices = 25;
const maxQueryLength = 100;

/** `GET {base}/saml/discovery`: shows the identity providers, and accepts the choice of the user or of a discovery service. */
export function discoveryEndpoint({ directory, services }: SamlDependencies): ModuleEndpoint {
  return {
    path: paths.discovery,
    method: 'GET',
    async answer({ parameters, language, remembered = '' }) {
      const authState = submitted(parameters, 'auth_state');
      const choice = submitted(parameters, 'choice');
      if (choice !== '') {
        const submission = new Map([['choice', [choice]]]);
        return { type: 'resume', authState, submission, remember: choice };
      }
      const now = services.clock.now();
      const query = submitted(parameters, 'q').slice(0, maxQueryLength);
      const { providers, matches } = directory.search(query, language, maxChoices, now);
      const last = directory.find(remembered, now);
      return {
        type: 'choice',
        authState,
        query,
        choices: providers.map((provider) => choiceOf(provider, language)),
        matches,
        ...(last && { last: choiceOf(last, language) }),
      };
    },
  };
}

function choiceOf(provider: IdentityProvider, language: string): Choice {
  return { value: provider.entityId, name: nameOf(provider, language), picture: provider.logo };
}
