import { ConfigurationError, type OptionError } from '../configuration-error.ts';
import { describe, type Kind } from '../kinds.ts';
import { isQuotable, isScopeToken } from './challenge.ts';

/** The requirements of a request in addition to a valid token. */
export interface AccessRules {
  /** Scopes, all of which the token must have; in one text they are separated by spaces. */
  readonly scope?: string | readonly string[];
  /** Roles, all of which the principal must have. */
  readonly role?: string | readonly string[];
  /** Groups, in all of which the principal must be. */
  readonly group?: string | readonly string[];
  /** What the challenge calls this API (RFC 9110 §11.5). Default `api`. */
  readonly realm?: string;
}

export interface ReadRules {
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly realm: string | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** What is expected of a rule by its name. */
export type RuleKinds = Readonly<Record<string, Pick<Kind, 'expected' | 'isValid'>>>;

const expectations = {
  scope: 'one scope token or more (RFC 6749 section 3.3)',
  role: 'one role or more',
  group: 'one group or more',
} as const;

const accessKinds: RuleKinds = {
  scope: { expected: expectations.scope, isValid: (value) => isListOf(scopesOf(value), isScopeToken) },
  role: { expected: expectations.role, isValid: (value) => isListOf(listOf(value), isText) },
  group: { expected: expectations.group, isValid: (value) => isListOf(listOf(value), isText) },
  realm: { expected: 'ASCII text without quotes and backslashes', isValid: isQuotable },
};

/**
 * Reads rules strictly. An unknown name, a list without items and an undefined value are errors: each would
 * leave an API open that someone meant to close.
 * @param more what the caller knows beside
 * @throws ConfigurationError
 */
export function readRules(given: AccessRules, more: RuleKinds = {}): ReadRules {
  const kinds = new Map(Object.entries({ ...accessKinds, ...more }));
  const errors = Object.entries(Object(given)).flatMap(([name, value]): OptionError[] => {
    const kind = kinds.get(name);
    if (kind?.isValid(value)) return [];
    const expected = kind?.expected ?? `one of ${[...kinds.keys()].join(', ')}`;
    return [{ name, problem: `expected ${expected}, got ${describe(value)}` }];
  });
  if (errors.length > 0) throw new ConfigurationError('The rules of protect', errors);
  const { scope, role, group, realm } = given;
  return { scopes: scopesOf(scope), roles: listOf(role), groups: listOf(group), realm } as ReadRules;
}

/**
 * Reads what a call of a helper requires, as {@link readRules} reads the rule. But it can come from a request, so a scope that no token can
 * have is no error.
 *
 * @param helper its name
 * @throws ConfigurationError
 */
export function readRequired(
  helper: string,
  rule: keyof typeof expectations,
  required: readonly unknown[],
): readonly string[] {
  const valuesOf = rule === 'scope' ? scopesOf : listOf;
  const wrong =
    required.length === 0 ? [undefined] : required.filter((value) => !isListOf(valuesOf(value), isText));
  if (wrong.length > 0) {
    const errors = wrong.map((value) => ({
      name: rule,
      problem: `expected ${expectations[rule]}, got ${describe(value)}`,
    }));
    throw new ConfigurationError(`The call of ${helper}`, errors);
  }
  return required.flatMap(valuesOf) as string[];
}

function isListOf(values: readonly unknown[], isItem: (value: unknown) => boolean): boolean {
  return values.length > 0 && values.every(isItem);
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? [...value] : [value];
}

function scopesOf(value: unknown): readonly unknown[] {
  return listOf(value).flatMap((item) => (typeof item === 'string' ? item.split(' ') : [item]));
}
