/** One problem of the options of a module. */
export interface ModuleOptionFault {
  /** The path of the option, such as `identityProviders[0].certificates`; `''` for the options as a whole. */
  readonly option: string;
  /** What was expected and what came, without secrets. */
  readonly problem: string;
}

/** Thrown by the factory of a module: all problems of its options. */
export class ModuleOptionsError extends Error {
  override readonly name = 'ModuleOptionsError';
  readonly faults: readonly ModuleOptionFault[];

  constructor(faults: readonly ModuleOptionFault[]) {
    super(faults.map(({ option, problem }) => `${option}: ${problem}`).join('\n'));
    this.faults = faults;
  }
}
