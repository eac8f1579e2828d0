/** One thing that is wrong with what was configured. */
export interface OptionError {
  /** The option or environment variable. */
  readonly name: string;
  /** What was expected and what came. */
  readonly problem: string;
}

/** Everything that is wrong with the options, rules or environment at once. Shows no secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly errors: readonly OptionError[];

  constructor(subject: string, errors: readonly OptionError[]) {
    const lines = errors.map(({ name, problem }) => `\n  ${name}: ${problem}`);
    super(`${subject} ${errors.length === 1 ? 'has an error' : 'have errors'}:${lines.join('')}`);
    this.errors = errors;
  }
}
