/** One thing that is wrong with the configuration. */
export interface Fault {
  readonly path: string;
  /** The flag, variable or file that it came from. */
  readonly place: string;
  /** What was expected and what came. */
  readonly problem: string;
}

/** Everything that is wrong with the configuration. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const lines = faults.map(({ path, place, problem }) => `  ${path} (${place}): ${problem}`);
    super(`The configuration has ${faults.length === 1 ? 'a fault' : 'faults'}:\n${lines.join('\n')}`);
    this.faults = faults;
  }
}
