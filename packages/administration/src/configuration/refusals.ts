import { OAuthError } from '@watchword/protocol';

/** Names of members and indexes from the root of a document, with `/` between them, such as `clients/3/scopes`; empty: the root. */
export type Place = string;

// A broken file of thousands of records must not make an answer of its length.
const maxReported = 200;

/** Collects everything that is wrong with a configuration, each with its place. */
export class Refusals {
  readonly #found: string[] = [];
  #more = 0;

  /** @param problem what is wrong, and what mends it; never with a secret */
  add(place: Place, problem: string): void {
    if (this.#found.length < maxReported) this.#found.push(`/${place}: ${problem}`);
    else this.#more += 1;
  }

  /** The violations of an error of the rules of a record. */
  addError(error: unknown, place: Place, members: readonly string[]): void {
    if (!(error instanceof OAuthError)) throw error;
    for (const violation of error.violations ?? [error.message]) {
      const [, field = ''] = /^(\w+): /.exec(violation) ?? [];
      this.add(members.includes(field) ? `${place}/${field}` : place, violation);
    }
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** @throws OAuthError `invalid_request` with all of them, when there are any */
  throwIfAny(): void {
    if (this.isEmpty) return;
    const more = this.#more > 0 ? [`/: and ${this.#more} more`] : [];
    throw new OAuthError('invalid_request', {
      rule: 'valid_record',
      description: 'The configuration is refused, and nothing was changed.',
      violations: [...this.#found, ...more],
    });
  }
}
