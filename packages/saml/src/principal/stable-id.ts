import { SamlRefusal } from '../refusal.ts';
import type { Assertion, NameId } from '../response/assertion.ts';
import type { Attributes } from './scopes.ts';

/** The sources that count where none are configured: a NameID that the identity provider calls persistent. */
export const defaultStableIds: readonly string[] = ['NameID'];

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

// Their values are compared without regard to case (SAML V2.0 Subject Identifier Attributes Profile §3.3.1, §3.4.1).
const caseless = new Set([
  'urn:oasis:names:tc:SAML:attribute:subject-id',
  'urn:oasis:names:tc:SAML:attribute:pairwise-id',
]);

// The contract of modules allows 1,024 characters; the source stands before the value.
const maxLength = 1024;

/**
 * What identifies a person at their identity provider for good: the first of the sources that has a value, with its source, so
 * that equal values of two sources are two. `undefined` where no sources are configured and the NameID is not persistent,
 * or the configured list is empty: then the name identifies the person.
 *
 * @param attributes those of the assertion that the identity provider may speak for
 * @param sources `NameID`, which must be persistent (SAML Core §8.3.7), or names of attributes with one value
 * @param entityId of this server
 * @throws SamlRefusal `name` when sources are configured and the assertion has none of them: with the name in its place the
 *   person would be another one
 */
export function stableIdOf(
  { nameId, issuer }: Pick<Assertion, 'nameId' | 'issuer'>,
  attributes: Attributes,
  sources: readonly string[] | undefined,
  entityId: string,
): string | undefined {
  for (const source of sources ?? defaultStableIds) {
    const values =
      source === 'NameID' ? persistentIds(nameId, issuer, entityId) : (attributes.get(source) ?? []);
    const [value = '', ...others] = values;
    if (value === '') continue;
    if (others.length > 0) throw new SamlRefusal('name', `${source} has several values`);
    const stableId = `${source} ${caseless.has(source) ? value.toLowerCase() : value}`;
    if (stableId.length > maxLength || !stableId.isWellFormed()) {
      throw new SamlRefusal('name', `${source} is longer than ${maxLength} characters, or no text`);
    }
    return stableId;
  }
  if (sources === undefined || sources.length === 0) return undefined;
  throw new SamlRefusal('name', `expected a value of ${sources.join(' or ')} as the stable id`);
}

/**
 * The value with its qualifiers, which are part of the identifier. Those of the identity provider and of this server can be
 * left out (SAML Core §8.3.7), and are the same then.
 */
function persistentIds(nameId: NameId | undefined, issuer: string, entityId: string): readonly string[] {
  if (nameId?.format !== persistent || nameId.value === '') return [];
  const { value, nameQualifier = issuer, spNameQualifier = entityId } = nameId;
  const qualifiers = [
    nameQualifier === issuer ? '' : nameQualifier,
    spNameQualifier === entityId ? '' : spNameQualifier,
  ];
  return [JSON.stringify([value, ...qualifiers])];
}
