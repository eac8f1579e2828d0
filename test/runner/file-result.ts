/** The result of a test file. */
export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  /** Why tests were skipped, if they say so. */
  readonly reasons: readonly string[];
  readonly failures: readonly Failure[];
  readonly milliseconds: number;
}

export interface Failure {
  /** The names of its suites and its own. */
  readonly path: readonly string[];
  /** The error, for people. */
  readonly error: string;
}
