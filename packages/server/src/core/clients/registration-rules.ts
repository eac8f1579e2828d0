import type { AdministrationDependencies } from '@watchword/administration';
import { type OutboundFetch, type ProfileChecks, profileChecks } from '@watchword/protocol';
import type { Configuration } from '../../config/settings.ts';
import { outboundFetchOf } from '../outbound.ts';
import { sectorIdentifiersOf } from './client-urls.ts';

/** What the rules of registered records depend on, in addition to the database. */
export interface RegistrationRules
  extends Required<
    Pick<
      AdministrationDependencies,
      'algorithms' | 'operatorIssuers' | 'registration' | 'scopeSyntax' | 'sectorIdentifiers'
    >
  > {
  /** `undefined`: `compatible`. */
  readonly profile: ProfileChecks | undefined;
}

/** @param outboundFetch requests the documents of sector identifier URIs */
export function registrationRulesOf(
  configuration: Configuration,
  outboundFetch: OutboundFetch = outboundFetchOf(configuration),
): RegistrationRules {
  return {
    algorithms: configuration['signing.algorithms'],
    operatorIssuers: new Map(
      configuration['clients.assertionIssuers'].map(({ issuer, usableBy }) => [issuer, usableBy]),
    ),
    profile: profileChecks(configuration.profile),
    registration: configuration['administration.registration'],
    scopeSyntax: { commaSeparated: configuration['scope.commaSeparated'] },
    sectorIdentifiers: sectorIdentifiersOf(outboundFetch),
  };
}
