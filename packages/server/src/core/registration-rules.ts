import type { AdministrationDependencies } from '@watchword/administration';
import type { OutboundFetch } from '@watchword/protocol';
import type { Configuration } from '../config/settings.ts';
import { outboundFetchOf } from './outbound.ts';
import { sectorIdentifiersOf } from './sector-identifiers.ts';

/** What the rules of registered records depend on, in addition to the database. */
export type RegistrationRules = Required<
  Pick<AdministrationDependencies, 'algorithms' | 'registration' | 'scopeSyntax' | 'sectorIdentifiers'>
>;

/** @param outboundFetch requests the documents of sector identifier URIs */
export function registrationRulesOf(
  configuration: Configuration,
  outboundFetch: OutboundFetch = outboundFetchOf(configuration),
): RegistrationRules {
  return {
    algorithms: configuration['signing.algorithms'],
    registration: configuration['administration.registration'],
    scopeSyntax: { commaSeparated: configuration['scope.commaSeparated'] },
    sectorIdentifiers: sectorIdentifiersOf(outboundFetch),
  };
}
