/** One problem of the options of a module. */
export interface ModuleOptionProblem {
  /** The path of the option, such as `identityProviders[0].certificates`; `''` for the options as a whole. */
  readonly option: string;
  /** What was expected and what came, without secrets. */
  readonly problem: string;
}

/** All problems of the options of a module. Its factory throws it. */
export class ModuleOptionsError extends Error {
  override readonly name = 'ModuleOptionsError';
  readonly problems: readonly ModuleOptionProblem[];

  constructor(problems: readonly ModuleOptionProblem[]) {
    super(problems.map(({ option, problem }) => `${option}: ${problem}`).join('\n'));
    this.problems = problems;
  }
}
