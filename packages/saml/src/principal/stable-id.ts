import type { Assertion, NameId } from '../response/assertion.ts';
import { SamlError } from '../saml-error.ts';
import type { Attributes } from './scopes.ts';

/** The sources without configuration: a NameID with the format persistent. */
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
 * The stable identifier of a user at an identity provider: the value of the first source that has one. It begins with the
 * name of the source, so that equal values of two sources differ. `undefined` when no sources are configured and the NameID
 * is not persistent, or when the configured list is empty. Then the name identifies the user.
 *
 * @param attributes the attributes of the assertion after the check of their scopes
 * @param sources `NameID`, which must be persistent (SAML Core §8.3.7), or names of attributes with one value
 * @param entityId of this server
 * @throws SamlError `name` when sources are configured and the assertion has none of them: identified by the name instead,
 *   the user would be another resource owner
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
    if (others.length > 0) throw new SamlError('name', `${source} has several values`);
    const stableId = `${source} ${caseless.has(source) ? value.toLowerCase() : value}`;
    if (stableId.length > maxLength || !stableId.isWellFormed()) {
      throw new SamlError(
        'name',
        `${source} is longer than ${maxLength} characters, or is not well-formed Unicode`,
      );
    }
    return stableId;
  }
  if (sources === undefined || sources.length === 0) return undefined;
  throw new SamlError('name', `expected a value of ${sources.join(' or ')} as the stable id`);
}

/**
 * The value with its qualifiers, which are part of the identifier. An omitted qualifier means the entity id of the identity
 * provider, or of this server (SAML Core §8.3.7). So both forms give the same identifier.
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
