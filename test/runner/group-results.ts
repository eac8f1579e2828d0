import type { TestEvent } from 'node:test/reporters';
import type { Group } from './groups.ts';

/** The result of a test file. */
export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  /** Why tests were skipped, if they say so. */
  readonly reasons: readonly string[];
  readonly failures: readonly Failure[];
  readonly milliseconds: number;
  /** The text that its tests wrote to standard output and standard error. */
  readonly output: string;
}

export interface Failure {
  /** The names of its suites and its own. */
  readonly path: readonly string[];
  readonly error: unknown;
}

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>;

/** Makes the results of files from the events of their process. */
export class GroupResults {
  readonly #waiting: Set<string>;
  readonly #names: string[] = [];
  #passed = 0;
  #skipped = 0;
  #reasons: string[] = [];
  #failures: Failure[] = [];
  #output = '';

  constructor(group: Group) {
    this.#waiting = new Set(group);
  }

  /** Returns the result of a file at the last of its events. */
  take(event: TestEvent): FileResult | undefined {
    switch (event.type) {
      case 'test:stdout':
      case 'test:stderr':
        this.#output += event.data.message;
        return undefined;
      case 'test:start':
        this.#names[event.data.nesting] = event.data.name;
        return undefined;
      case 'test:pass':
      case 'test:fail':
        return this.#end(event);
      default:
        return undefined;
    }
  }

  /** Files without an end, and the error of the process: a file that did not run has not passed. */
  *missing(): Generator<FileResult> {
    for (const file of this.#waiting) {
      this.#failures.push({ path: [], error: 'its process ended before this file did' });
      yield this.#result(file, 0);
    }
    if (this.#failures.length > 0) yield this.#result('the process that ran the files above', 0);
  }

  #end({ type, data }: Ended): FileResult | undefined {
    const isFile = data.nesting === 0 && this.#waiting.delete(data.name);
    const isTest = data.details.type !== 'suite' && !isFile;
    if (data.skip !== undefined) this.#skip(data.skip);
    else if (type === 'test:fail' && data.todo === undefined) this.#fail(data);
    else if (isTest) this.#passed += 1;
    if (!isFile) return undefined;
    if (this.#passed + this.#skipped + this.#failures.length === 0) {
      this.#failures.push({ path: [], error: 'there is no test in this file' });
    }
    return this.#result(data.name, data.details.duration_ms);
  }

  #skip(reason: string | boolean): void {
    this.#skipped += 1;
    if (typeof reason === 'string') this.#reasons.push(reason);
  }

  #fail({ nesting, name, details }: Extract<TestEvent, { type: 'test:fail' }>['data']): void {
    const { error } = details;
    // The failed tests in it are already reported.
    if ('failureType' in error && error.failureType === 'subtestsFailed') return;
    const path = nesting === 0 ? [] : [...this.#names.slice(1, nesting), name];
    this.#failures.push({ path, error: error.cause ?? error });
  }

  #result(file: string, milliseconds: number): FileResult {
    const result = {
      file,
      passed: this.#passed,
      skipped: this.#skipped,
      reasons: this.#reasons,
      failures: this.#failures,
      milliseconds,
      output: this.#output,
    };
    [this.#passed, this.#skipped, this.#reasons, this.#failures, this.#output] = [0, 0, [], [], ''];
    return result;
  }
}
