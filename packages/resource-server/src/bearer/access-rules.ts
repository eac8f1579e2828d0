import { ConfigurationError, type OptionError } from '../options/configuration-error.ts';
import { describe, isQuotable, isScopeToken, type Kind, truth, wholeNumber } from '../options/kinds.ts';

/** Names, one of which is enough. */
export interface AnyOf {
  readonly any: readonly string[];
}

/** A name, or several in a list, all of which are required. */
export type Requirement = string | AnyOf | readonly (string | AnyOf)[];

/** What the login of the user must be. */
export interface LoginRequirement {
  /**
   * Authentication context class references, one of which the login must have, the preferred first (RFC 9470 §3); in one text they are
   * separated by spaces. They are compared as texts: name each that is enough.
   */
  readonly acrValues?: string | readonly string[];
  /** Seconds since the login, at most; by the clock of this machine. */
  readonly maxAge?: number;
}

/**
 * The requirements of a request in addition to a valid token. Those of the login need JWTs, or the field `loginDetails` of the resource
 * server.
 */
export interface AccessRules extends LoginRequirement {
  /** Scopes that the token must have; in one text they are separated by spaces. Challenges name the first of `any`. */
  readonly scope?: Requirement;
  /** Roles that the principal must have. */
  readonly role?: Requirement;
  /** Groups in which the principal must be. */
  readonly group?: Requirement;
  /** `true` lets a request without a token pass as nobody. A bad token is refused as ever. Default false. */
  readonly optional?: boolean;
  /** What the challenge calls this API (RFC 9110 §11.5). Default `api`. */
  readonly realm?: string;
}

/** Of each list, one name is required. */
export type Required = readonly (readonly string[])[];

export interface LoginRules {
  readonly acrValues?: readonly string[] | undefined;
  readonly maxAge?: number | undefined;
}

export interface ReadRules {
  readonly scopes: Required;
  readonly roles: Required;
  readonly groups: Required;
  readonly login: LoginRules;
  readonly optional: boolean;
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

type RuleName = keyof typeof expectations;

// The way back from a login takes time: with less, every token would be too old, and the user would have to log in again and again.
const leastAge = 30;
const year = 31_536_000;

const loginKinds: RuleKinds = {
  acrValues: {
    expected: 'one authentication context class reference or more, without spaces and quotes in them',
    isValid: (value) => listed(value).length > 0 && listed(value).every(isScopeToken),
  },
  maxAge: wholeNumber(leastAge, year, 'seconds'),
};

const accessKinds: RuleKinds = {
  scope: { expected: expectations.scope, isValid: (value) => isRequired(read('scope', value), isScopeToken) },
  role: { expected: expectations.role, isValid: (value) => isRequired(read('role', value), isText) },
  group: { expected: expectations.group, isValid: (value) => isRequired(read('group', value), isText) },
  ...loginKinds,
  optional: truth,
  realm: { expected: 'ASCII text without quotes and backslashes', isValid: isQuotable },
};

/**
 * Reads rules strictly. An unknown name, a list without items and an undefined value are errors: each would
 * leave an API open that someone meant to close.
 * @param more what the caller knows beside
 * @throws ConfigurationError
 */
export function readRules(given: AccessRules, more: RuleKinds = {}): ReadRules {
  checkRules('The rules of protect', given, { ...accessKinds, ...more });
  const { scope, role, group, optional = false, realm } = given;
  const [scopes, roles, groups] = [read('scope', scope), read('role', role), read('group', group)];
  return { scopes, roles, groups, login: loginRules(given), optional, realm } as ReadRules;
}

/** @throws ConfigurationError */
function checkRules(what: string, given: object, known: RuleKinds): void {
  const kinds = new Map(Object.entries(known));
  const errors = Object.entries(Object(given)).flatMap(([name, value]): OptionError[] => {
    const kind = kinds.get(name);
    if (kind?.isValid(value)) return [];
    const expected = kind?.expected ?? `one of ${[...kinds.keys()].join(', ')}`;
    return [{ name, problem: `expected ${expected}, got ${describe(value)}` }];
  });
  if (errors.length > 0) throw new ConfigurationError(what, errors);
}

/** Reads what a call of `requireLogin` requires, as {@link readRules} reads the rules. @throws ConfigurationError */
export function readLogin(given: LoginRequirement): LoginRules {
  checkRules('The call of requireLogin', given, loginKinds);
  const rules = loginRules(given);
  if (rules.acrValues !== undefined || rules.maxAge !== undefined) return rules;
  const name = Object.keys(loginKinds).join(' or ');
  throw new ConfigurationError('The call of requireLogin', [
    { name, problem: 'expected one of them, got nothing' },
  ]);
}

function loginRules({ acrValues, maxAge }: LoginRequirement): LoginRules {
  return { acrValues: acrValues === undefined ? undefined : (listed(acrValues) as string[]), maxAge };
}

function listed(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? [...value] : [];
}

/**
 * Reads what a call of a helper requires, as {@link readRules} reads the rule. But it can come from a request, so a scope that no token can
 * have is no error.
 *
 * @param helper its name
 * @throws ConfigurationError
 */
export function readRequired(helper: string, rule: RuleName, required: readonly unknown[]): Required {
  const wrong =
    required.length === 0 ? [undefined] : required.filter((value) => !isRequired(read(rule, value), isText));
  if (wrong.length > 0) {
    const errors = wrong.map((value) => ({
      name: rule,
      problem: `expected ${expectations[rule]}, got ${describe(value)}`,
    }));
    throw new ConfigurationError(`The call of ${helper}`, errors);
  }
  return required.flatMap((value) => read(rule, value)) as Required;
}

function isRequired(lists: readonly (readonly unknown[])[], isName: (value: unknown) => boolean): boolean {
  return lists.length > 0 && lists.every((names) => names.length > 0 && names.every(isName));
}

function read(rule: RuleName, value: unknown): readonly (readonly unknown[])[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).flatMap((item): (readonly unknown[])[] => {
    if (isAnyOf(item)) return [[...item.any]];
    const names = rule === 'scope' && typeof item === 'string' ? item.split(' ') : [item];
    return names.map((name) => [name]);
  });
}

function isAnyOf(value: unknown): value is { readonly any: readonly unknown[] } {
  const names = Object.keys(Object(value));
  return names.length === 1 && Array.isArray(Object(value).any);
}

/** Whether one name of each list is held. */
export function holds(held: readonly string[], required: Required): boolean {
  return required.every((names) => names.some((name) => held.includes(name)));
}

/** The scopes that challenges name: with them a token has enough. */
export function leastOf(scopes: Required): readonly string[] {
  return scopes.flatMap(([first]) => (first === undefined ? [] : [first]));
}
