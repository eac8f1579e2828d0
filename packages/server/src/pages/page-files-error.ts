/** One problem of a file of the operator. */
export interface PageFileProblem {
  /** The setting that named the file. */
  readonly setting: string;
  /** File, with `:line` if the line is known. */
  readonly place: string;
  /** What was expected and what came. */
  readonly problem: string;
}

/** All problems of the files of the operator. The server does not start. */
export class PageFilesError extends Error {
  override readonly name = 'PageFilesError';
  readonly problems: readonly PageFileProblem[];

  constructor(problems: readonly PageFileProblem[]) {
    super(problems.map(({ setting, place, problem }) => `${setting} (${place}): ${problem}`).join('\n'));
    this.problems = problems;
  }
}
