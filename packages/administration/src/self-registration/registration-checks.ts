import {
  type ClientRegistration,
  checkClient,
  checkSector,
  OAuthError,
  type ResourceServer,
  type SectorDocuments,
  type SigningAlgorithm,
  unusableMetadata,
  Violations,
} from '@watchword/protocol';
import type { AdministrationDependencies } from '../changes/change-records.ts';
import { documentOf } from '../clients/client-registration.ts';

export interface RegistrationRules extends Pick<AdministrationDependencies, 'profile' | 'scopeSyntax'> {
  /** With which the server signs. */
  algorithms(): readonly SigningAlgorithm[];
}

/** The document of its sector identifier URI, if it has one (OpenID Connect Core §8.1). It is read outside of transactions. */
export async function sectorDocuments(
  { sectorIdentifierUri: uri }: Pick<ClientRegistration, 'sectorIdentifierUri'>,
  deps: Pick<AdministrationDependencies, 'sectorIdentifiers'>,
): Promise<SectorDocuments> {
  return new Map(uri === '' ? [] : [[uri, await documentOf(uri, deps)]]);
}

/** The registration, if it keeps every rule between the fields of a client. @throws OAuthError `invalid_client_metadata` */
export function checked(
  registration: ClientRegistration,
  before: ClientRegistration | undefined,
  { home, documents }: { readonly home: ResourceServer; readonly documents: SectorDocuments },
  { algorithms, profile, scopeSyntax }: RegistrationRules,
): ClientRegistration {
  const violations = new Violations();
  checkClient(registration, { before, profile, scopeSyntax, algorithms: algorithms() }, home, violations);
  try {
    violations.throwIfAny();
    checkSector(registration, before, documents);
  } catch (error) {
    throw error instanceof OAuthError ? unusableMetadata((error.violations ?? []).map(inTheirNames)) : error;
  }
  return registration;
}

/** What is wrong with a field, under the name that the client knows it by. */
function inTheirNames(violation: string): string {
  return violation
    .replace(/^allowedHybrid:/, 'response_types:')
    .replace(/^\w+/, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
