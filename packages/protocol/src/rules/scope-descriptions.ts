import type { Scopes } from '../model/scope.ts';
import { canonicalLanguage, type ScopeDescription } from '../model/scope-description.ts';

type Descriptions = readonly ScopeDescription[];

/** What a resource server has of its scopes. */
export interface DescribedScopes {
  readonly scopes: Scopes;
  /** Only of scopes that have a description. */
  readonly scopeDescriptions: Descriptions;
}

/**
 * The scopes that a request sets. A scope without a description keeps the one that it has: callers that know names only send
 * back what they read. A description, also an empty one, replaces what the scope has as a whole.
 */
export function scopesOf(submitted: Descriptions, before: Descriptions): DescribedScopes {
  const described = new Map(before.map((scope) => [scope.name, scope]));
  for (const scope of submitted.filter(isDescribed)) described.set(scope.name, canonical(scope));
  const scopes = [...new Set(submitted.map(({ name }) => name))];
  return { scopes, scopeDescriptions: descriptionsOf(scopes, [...described.values()]) };
}

/** The descriptions of these scopes, in their order. */
export function descriptionsOf(scopes: Scopes, descriptions: Descriptions): Descriptions {
  return describedScopes(scopes, descriptions).filter(isDescribed);
}

/** Every scope as an object, with its description if it has one. */
export function describedScopes(scopes: Scopes, descriptions: Descriptions): Descriptions {
  return scopes.map((scope) => descriptions.find(({ name }) => name === scope) ?? { name: scope });
}

function isDescribed({ description, descriptions }: ScopeDescription): boolean {
  return description !== undefined || descriptions !== undefined;
}

/** Without empty texts, and with canonical language tags. A text that is no tag stays, so that it is reported. */
function canonical({ name, description = '', descriptions = {} }: ScopeDescription): ScopeDescription {
  const languages = Object.entries(descriptions)
    .filter(([, text]) => text !== '')
    .map(([tag, text]) => [canonicalLanguage(tag) ?? tag, text])
    .toSorted();
  return {
    name,
    ...(description !== '' && { description }),
    ...(languages.length > 0 && { descriptions: Object.fromEntries(languages) }),
  };
}
