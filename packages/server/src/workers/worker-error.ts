/** A worker could not start, or the workers end again and again. The message is what the worker reported. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  /** The exit code for the whole server. */
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
