import { type KeySet, noKeys } from '@watchword/proofs';
import type { AssertionIssuer } from '../assertion-issuer.ts';
import type { ResourceServerScopes } from '../resource-server-scopes.ts';
import type { ScopeDescription } from '../scope-description.ts';

/**
 * The values of a field. A kind is plain data, so that the REST schema, the columns of the database, the options
 * of the command line and the GUI are made from it.
 */
export type Kind =
  | TextKind
  | ChoiceKind
  | FlagKind
  | WholeNumberKind
  | TextsKind
  | ScopesKind
  | ScopeDescriptionsKind
  | ResourceServerScopesKind
  | TextMapKind
  | KeySetKind
  | AssertionIssuersKind;

/** The value of a field of a kind. */
export type ValueOf<K extends Kind> = K extends ChoiceKind
  ? K['values'][number]
  : K extends { readonly type: 'texts'; readonly values: readonly (infer Value)[] }
    ? readonly Value[]
    : Values[Exclude<K['type'], 'choice'>];

interface Values {
  readonly text: string;
  readonly flag: boolean;
  readonly wholeNumber: number;
  readonly texts: readonly string[];
  readonly scopes: readonly string[];
  readonly scopeDescriptions: readonly ScopeDescription[];
  readonly resourceServerScopes: readonly ResourceServerScopes[];
  readonly textMap: Readonly<Record<string, string>>;
  readonly keySet: KeySet;
  readonly assertionIssuers: readonly AssertionIssuer[];
}

export interface TextKind {
  readonly type: 'text';
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** One of a list of texts. The empty text, where it is one of them, means that none is chosen. */
export interface ChoiceKind {
  readonly type: 'choice';
  /** The first is the value of an absent field. */
  readonly values: readonly [string, ...string[]];
}

export interface FlagKind {
  readonly type: 'flag';
}

export interface WholeNumberKind {
  readonly type: 'wholeNumber';
  readonly minimum: number;
  readonly maximum?: number;
}

/** A list without repetition. */
export interface TextsKind {
  readonly type: 'texts';
  readonly maxItems?: number;
  /** Of each text. */
  readonly maxLength?: number;
  /** The only texts that there can be. */
  readonly values?: readonly string[];
}

/** Scope tokens (RFC 6749 §3.3), without repetition. */
export interface ScopesKind {
  readonly type: 'scopes';
  readonly maxItems: number;
  /** Of each scope. */
  readonly maxLength: number;
}

/** Scopes with what they mean for users. */
export interface ScopeDescriptionsKind {
  readonly type: 'scopeDescriptions';
  readonly maxItems: number;
  /** Of each text. */
  readonly maxLength: number;
  /** Of each scope. */
  readonly maxLanguages: number;
}

/** Resource servers, each once, with scopes of each. */
export interface ResourceServerScopesKind {
  readonly type: 'resourceServerScopes';
  readonly maxItems: number;
  /** Of each resource server. */
  readonly maxScopes: number;
  /** Of each scope. */
  readonly maxLength: number;
}

/** Texts by name. */
export interface TextMapKind {
  readonly type: 'textMap';
  readonly maxMembers: number;
  /** Of each text. */
  readonly maxLength?: number;
  /** The only names that there can be. */
  readonly names?: readonly string[];
}

/** Public keys (RFC 7517 §5), within the limits of `readKeySet`. */
export interface KeySetKind {
  readonly type: 'keySet';
}

/** Within the limits of `assertionIssuerProblems`. */
export interface AssertionIssuersKind {
  readonly type: 'assertionIssuers';
}

/** The value of an absent field, unless its table names another. */
export function emptyOf(kind: Kind): ValueOf<Kind> {
  switch (kind.type) {
    case 'text':
      return '';
    case 'choice':
      return kind.values[0];
    case 'flag':
      return false;
    case 'wholeNumber':
      return kind.minimum;
    case 'texts':
    case 'scopes':
    case 'scopeDescriptions':
    case 'resourceServerScopes':
    case 'assertionIssuers':
      return [];
    case 'textMap':
      return {};
    case 'keySet':
      return noKeys;
  }
}
