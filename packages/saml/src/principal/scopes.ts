import { runInThisContext } from 'node:vm';
import type { IdentityProvider } from '../metadata/identity-provider.ts';

// Attributes whose values end with the domain of their identity provider, by both of their names.
const scopedAttributes = new Set([
  'urn:mace:dir:attribute-def:eduPersonPrincipalName',
  'urn:oid:1.3.6.1.4.1.5923.1.1.1.6',
  'urn:mace:dir:attribute-def:eduPersonScopedAffiliation',
  'urn:oid:1.3.6.1.4.1.5923.1.1.1.9',
  'urn:mace:dir:attribute-def:eduPersonUniqueId',
  'urn:oid:1.3.6.1.4.1.5923.1.1.1.13',
  'urn:oasis:names:tc:SAML:attribute:subject-id',
  'urn:oasis:names:tc:SAML:attribute:pairwise-id',
]);

// RFC 1035 §2.3.4.
const maxDomainLength = 255;

export type Attributes = ReadonlyMap<string, readonly string[]>;

export interface CheckedScopes {
  readonly attributes: Attributes;
  /** Names of the attributes with values that were left out. */
  readonly foreign: readonly string[];
}

/**
 * Leaves out values with a domain that the metadata does not give to the identity provider: one university must not assert
 * users of another. If the metadata names no domain, nothing can be checked.
 */
export function withinScopes(attributes: Attributes, { scopes }: IdentityProvider): CheckedScopes {
  if (scopes.length === 0) return { attributes, foreign: [] };
  const scoped = [...attributes].filter(([name]) => scopedAttributes.has(name));
  const permitted = permittedDomains(
    scoped.flatMap(([, values]) => values.map(domainOf)),
    scopes,
  );
  const checked = new Map(attributes);
  const foreign: string[] = [];
  for (const [name, values] of scoped) {
    const own = values.filter((value) => permitted.has(domainOf(value)));
    checked.set(name, own);
    if (own.length < values.length) foreign.push(name);
  }
  return { attributes: checked, foreign };
}

function permittedDomains(
  domains: readonly string[],
  scopes: IdentityProvider['scopes'],
): ReadonlySet<string> {
  const given = new Set(domains.filter((domain) => domain !== ''));
  const exact = new Set(scopes.flatMap(({ value, isPattern }) => (isPattern ? [] : [value.toLowerCase()])));
  const patterns = scopes.flatMap(({ value, isPattern }) => (isPattern ? [value] : []));
  const others = [...given].filter((domain) => !exact.has(domain));
  return new Set([...[...given].filter((domain) => exact.has(domain)), ...matchingTexts(others, patterns)]);
}

/** In lower case; empty for a value without a domain, or with a domain that is too long. */
function domainOf(value: string): string {
  const at = value.lastIndexOf('@');
  const domain = at === -1 ? '' : value.slice(at + 1).toLowerCase();
  return domain.length > maxDomainLength ? '' : domain;
}

// Milliseconds for all patterns together; usual patterns take about one.
const timeout = 500;

/**
 * The texts that match one of the patterns as a whole. The patterns come from metadata. When they take longer than the timeout,
 * no text matches, so that other requests wait no longer than that.
 *
 * @param patterns regular expressions; an invalid one matches nothing
 */
function matchingTexts(texts: readonly string[], patterns: readonly string[]): readonly string[] {
  if (texts.length === 0 || patterns.length === 0) return [];
  // JSON is valid JavaScript, so no pattern or text can break out of its string.
  const given = JSON.stringify({ texts, patterns: patterns.filter(isPattern) });
  const code = `(({ texts, patterns }) => {
    const expressions = patterns.map((pattern) => new RegExp('^(?:' + pattern + ')$', 'i'));
    return texts.filter((text) => expressions.some((expression) => expression.test(text)));
  })(${given})`;
  try {
    return runInThisContext(code, { timeout });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return [];
    throw error;
  }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
