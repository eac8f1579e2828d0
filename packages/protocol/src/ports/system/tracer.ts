/** Reports the steps of a request as the spans of its trace. */
export interface Tracer {
  /**
   * Runs the step. If the current request is traced, the step is a span of its trace, which ends with the promise that the
   * step returns, or else when it returns.
   *
   * @param name one of few: it has no id, token or value of a request
   */
  step<Result>(name: string, work: () => Result): Result;
}

/** A function whose calls are steps of a trace. Without a tracer it is the function itself, so that it costs nothing. */
export function traced<Arguments extends readonly unknown[], Result>(
  tracer: Tracer | undefined,
  name: string,
  work: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  return tracer === undefined ? work : (...given) => tracer.step(name, () => work(...given));
}
