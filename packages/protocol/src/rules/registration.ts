import { OAuthError } from '../model/errors.ts';
import type { Scopes } from '../model/scope.ts';
import { isScopeToken, type ScopeSyntax } from './scope.ts';

/** How much a record may hold: characters of a name, of a text; members of a list; bytes. */
export const recordLimits = {
  nameLength: 255,
  textLength: 2000,
  scopes: 100,
  redirectUris: 100,
  attributes: 100,
  /** Names and values of all together, in UTF-8. */
  attributeBytes: 8192,
  /** A century of seconds: far enough that no sum of times leaves the safe integers. */
  expireDuration: 3_155_760_000,
} as const;

const { nameLength: maxNameLength, textLength: maxTextLength, scopes: maxScopes } = recordLimits;

// A list of thousands of wrong members must not make an answer many times its length.
const maxTold = 200;

// The address grammar of HTML's input[type=email]: what people mean by an e-mail address, in linear time.
const emailPattern = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacters = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;

/** Fields that resource servers and clients have in common. */
export interface DescriptiveFields {
  readonly description: string;
  readonly contactName: string;
  readonly contactEmail: string;
  readonly thumbNailUrl: string;
}

/** A value that is not even of the kind that its field takes. */
export interface MalformedField {
  readonly field: string;
  readonly problem: string;
}

/**
 * Collects every rule that a submitted record breaks, so that all can be told at once. Of a field that was found
 * malformed before, nothing else is said: the rules have not seen its value.
 */
export class Violations {
  readonly #found: string[] = [];
  readonly #malformed: ReadonlySet<string>;

  constructor(malformed: readonly MalformedField[] = []) {
    for (const { field, problem } of malformed) this.#found.push(`${field}: ${problem}`);
    this.#malformed = new Set(malformed.map(({ field }) => field));
  }

  add(field: string, problem: string): void {
    if (!this.#malformed.has(field)) this.#found.push(`${field}: ${problem}`);
  }

  /** @throws OAuthError `invalid_request` with all violations, when there are any */
  throwIfAny(): void {
    if (this.#found.length === 0) return;
    const more = this.#found.length - maxTold;
    throw new OAuthError('invalid_request', {
      description: 'The record breaks the rules that violations lists.',
      violations: [...this.#found.slice(0, maxTold), ...(more > 0 ? [`and ${more} more`] : [])],
    });
  }
}

export function checkName(field: string, value: string, violations: Violations): void {
  if (value.trim() === '') violations.add(field, 'is required');
  checkText(field, value, maxNameLength, violations);
}

export function checkDescriptiveFields(fields: DescriptiveFields, violations: Violations): void {
  checkText('description', fields.description, maxTextLength, violations);
  checkName('contactName', fields.contactName, violations);
  if (fields.contactEmail !== '' && !isEmailAddress(fields.contactEmail)) {
    violations.add('contactEmail', 'is not an e-mail address');
  }
  if (fields.thumbNailUrl !== '' && !isWebUrl(fields.thumbNailUrl)) {
    violations.add('thumbNailUrl', 'is not an http(s) URL');
  }
}

/** How scopes are written here, and which of them the record has already. */
export interface ScopeRules {
  /** `undefined`: as RFC 6749 has them. */
  readonly scopeSyntax: ScopeSyntax | undefined;
  readonly known: Scopes;
}

export function checkScopes(scopes: Scopes, rules: ScopeRules, violations: Violations): void {
  if (scopes.length > maxScopes) violations.add('scopes', `are more than ${maxScopes}`);
  for (const scope of scopes) {
    if (!isScopeToken(scope) || scope.length > maxNameLength) {
      violations.add(
        'scopes',
        `${JSON.stringify(scope.slice(0, 40))} is not a scope token (RFC 6749 section 3.3), which has no space, quote or backslash`,
      );
    }
    if (rules.scopeSyntax?.commaSeparated && scope.includes(',') && !rules.known.includes(scope)) {
      violations.add(
        'scopes',
        `${JSON.stringify(scope.slice(0, 40))} has a comma, by which requests to this server separate scopes (setting scope.commaSeparated)`,
      );
    }
  }
}

export function checkText(field: string, value: string, maxLength: number, violations: Violations): void {
  if (value.length > maxLength) violations.add(field, `is longer than ${maxLength} characters`);
  if (controlCharacters.test(value) || !value.isWellFormed()) {
    violations.add(
      field,
      'holds a control character, one that turns the direction of text, or a lone surrogate',
    );
  }
}

function isEmailAddress(value: string): boolean {
  return value.length <= maxNameLength && emailPattern.test(value);
}

function isWebUrl(value: string): boolean {
  return value.length <= maxTextLength && /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value);
}
