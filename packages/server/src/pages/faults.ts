/** One thing that is wrong with a file that the operator gave. */
export interface PageFault {
  /** The setting that named it. */
  readonly setting: string;
  /** File, with `:line` where it is known. */
  readonly place: string;
  /** What was expected and what came. */
  readonly problem: string;
}

/** Everything that is wrong with files that the operator gave; the server does not start. */
export class PageFiles extends Error {
  override readonly name = 'PageFiles';
  readonly faults: readonly PageFault[];

  constructor(faults: readonly PageFault[]) {
    super(faults.map(({ setting, place, problem }) => `${setting} (${place}): ${problem}`).join('\n'));
    this.faults = faults;
  }
}
