import { type Choice, type ModuleEndpoint, submitted } from '@watchword/protocol';
import { paths } from '../addresses.ts';
import type { SamlDependencies } from '../dependencies.ts';
import { type IdentityProvider, nameOf } from '../metadata/identity-provider.ts';

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
