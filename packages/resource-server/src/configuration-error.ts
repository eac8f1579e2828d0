/** One thing that is wrong with what was configured. */
export interface Fault {
  /** The option or environment variable. */
  readonly name: string;
  /** What was expected and what came. */
  readonly problem: string;
}

/** Everything that is wrong with the options, rules or environment at once. Shows no secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly Fault[];

  constructor(subject: string, faults: readonly Fault[]) {
    const lines = faults.map(({ name, problem }) => `\n  ${name}: ${problem}`);
    super(`${subject} ${faults.length === 1 ? 'has a fault' : 'have faults'}:${lines.join('')}`);
    this.faults = faults;
  }
}
