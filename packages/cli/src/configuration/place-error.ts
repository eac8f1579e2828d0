/** Something that is wrong at a place of a file. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  /** The members that lead to it, such as `clients/3/scopes`; empty: the file. */
  readonly path: string;
  readonly problem: string;
}

/** A configuration that is refused. Nothing was changed. */
export class ConfigurationRefused extends Error {
  override readonly name = 'ConfigurationRefused';
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[]) {
    const lines = problems.map(({ line, column, problem }) => `${file}:${line}:${column}: ${problem}`);
    super([`nothing was changed, because the configuration is refused:`, ...lines].join('\n  '));
    this.problems = problems;
  }
}
