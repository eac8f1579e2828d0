import { OAuthError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import { type FieldTable, type SubmittedFields, submittedFields } from '../model/fields/field.ts';
import { kindProblems } from '../model/fields/kind-problems.ts';
import { withHidden } from '../model/hidden-characters.ts';
import type { ScopeSyntax } from './scope.ts';

// A list of thousands of wrong members must not make an answer many times its length.
const maxReported = 200;

/** A value that is not even of the kind that its field takes. */
export interface MalformedField {
  readonly field: string;
  readonly problem: string;
}

/**
 * Collects every rule that a submitted record breaks, so that all are reported at once. Of a field that was found
 * malformed before, nothing else is reported: the rules have not seen its value.
 */
export class Violations {
  readonly #found: string[] = [];
  readonly #malformed: ReadonlySet<string>;

  constructor(malformed: readonly MalformedField[] = []) {
    for (const { field, problem } of malformed) this.#found.push(`${field}: ${problem}`);
    this.#malformed = new Set(malformed.map(({ field }) => field));
  }

  /** @param value the text that breaks the rule, whose hidden characters are named */
  add(field: string, problem: string, value = ''): void {
    if (!this.#malformed.has(field)) this.#found.push(`${field}: ${withHidden(problem, value)}`);
  }

  /** @param value as of `add` */
  addAll(field: string, problems: Iterable<string>, value = ''): void {
    for (const problem of problems) this.add(field, problem, value);
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** @throws OAuthError `invalid_request` with all violations, when there are any */
  throwIfAny(): void {
    if (this.isEmpty) return;
    const more = this.#found.length - maxReported;
    throw new OAuthError('invalid_request', {
      ...because('valid_record'),
      violations: [...this.#found.slice(0, maxReported), ...(more > 0 ? [`and ${more} more`] : [])],
    });
  }
}

/** What the checks of a registration depend on. */
export interface Registered<Registration> {
  /** The registration that is to be changed; `undefined` for a new record. */
  readonly before: Registration | undefined;
  /** How requests write scopes; `undefined`: as RFC 6749 has it. */
  readonly scopeSyntax: ScopeSyntax | undefined;
}

/** Checks each field by the rule in the table of the record. */
export function checkFields<Table extends FieldTable>(
  table: Table,
  registration: SubmittedFields<Table>,
  { before, scopeSyntax }: Registered<SubmittedFields<Table>>,
  violations: Violations,
): void {
  const values = registration as Readonly<Record<string, never>>;
  const beforeValues = before as Readonly<Record<string, never>> | undefined;
  const isCommaSeparator = scopeSyntax?.commaSeparated === true;
  for (const [name, { kind, check, partOf = name }] of submittedFields(table)) {
    const value = values[name] as never;
    const problems = check?.(value, { before: beforeValues?.[name], isCommaSeparator });
    const text: unknown = value;
    violations.addAll(partOf, problems ?? kindProblems(kind, value), typeof text === 'string' ? text : '');
  }
}

/** Names each member of a list once. */
export function normalized<Registration extends object>(registration: Registration): Registration {
  const lists = Object.entries(registration).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 1 ? [[name, [...new Set(value)]] as const] : [],
  );
  return lists.length === 0 ? registration : { ...registration, ...Object.fromEntries(lists) };
}
