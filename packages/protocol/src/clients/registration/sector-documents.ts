import { shown } from '../../model/hidden-characters.ts';
import type { SectorDocument } from '../../ports/system/sector-identifiers.ts';
import { Violations } from '../../rules/registration.ts';
import type { ClientRegistration } from './client-rules.ts';

/** The documents of sector identifier URIs that were read for a change, by URI. */
export type SectorDocuments = ReadonlyMap<string, SectorDocument>;

/**
 * The sector identifier URI whose document a registration depends on: that of a new client, and of a client that changes it or
 * its redirect URIs. `undefined` if there is none.
 */
export function sectorUriToCheck(
  registration: SectorFields,
  before: SectorFields | undefined,
): string | undefined {
  const { sectorIdentifierUri: uri } = registration;
  return uri === '' || (before !== undefined && isSame(registration, before)) ? undefined : uri;
}

type SectorFields = Pick<ClientRegistration, 'sectorIdentifierUri' | 'redirectUris'>;

function isSame(a: SectorFields, b: SectorFields): boolean {
  return (
    a.sectorIdentifierUri === b.sectorIdentifierUri &&
    a.redirectUris.every((uri) => b.redirectUris.includes(uri))
  );
}

/**
 * Checks the redirect URIs of a registration against the document of its sector identifier URI. Returns the URI whose document
 * must be read first; `undefined` when there is nothing to read.
 *
 * @throws OAuthError `invalid_request` with every redirect URI that the document does not list (OpenID Connect Core §8.1)
 */
export function checkSector(
  registration: SectorFields,
  before: SectorFields | undefined,
  documents: SectorDocuments,
): string | undefined {
  const uri = sectorUriToCheck(registration, before);
  if (uri === undefined) return undefined;
  const document = documents.get(uri);
  if (document === undefined) return uri;
  const violations = new Violations();
  violations.addAll('sectorIdentifierUri', documentProblems(document, registration));
  violations.throwIfAny();
  return undefined;
}

function* documentProblems(document: SectorDocument, { redirectUris }: SectorFields): Iterable<string> {
  if ('problem' in document) {
    yield document.problem;
    return;
  }
  const listed = new Set(document.redirectUris);
  for (const uri of redirectUris.filter((uri) => !listed.has(uri))) {
    yield `has a document that does not list the redirect URI ${shown(uri, 80)}`;
  }
}
