/** One problem of a setting, or of a file that a setting names. */
export interface Problem {
  /** The setting, or the part of its value: `authenticators[0].module`. */
  readonly path: string;
  /** The flag, variable or file that the value came from. A file of the operator can have `:line`. */
  readonly place: string;
  /** What was expected and what came, never with a secret. */
  readonly problem: string;
}

/** All problems of the configuration. The server does not start. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ path, place, problem }) => `  ${path} (${place}): ${problem}`);
    super(`The configuration has ${problems.length === 1 ? 'an error' : 'errors'}:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}
