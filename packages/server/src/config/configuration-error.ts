/** One problem of the configuration. */
export interface Problem {
  readonly path: string;
  /** The flag, variable or file that the value came from. */
  readonly place: string;
  /** What was expected and what came. */
  readonly problem: string;
}

/** All problems of the configuration. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ path, place, problem }) => `  ${path} (${place}): ${problem}`);
    super(`The configuration has ${problems.length === 1 ? 'an error' : 'errors'}:\n${lines.join('\n')}`);
    this.problems = problems;
  }
}
