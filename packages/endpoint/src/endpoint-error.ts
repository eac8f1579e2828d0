/** Stable: callers branch on these, while messages may be reworded. */
export type EndpointErrorCode =
  | 'INVALID_HEADER'
  | 'INVALID_METHOD'
  | 'INVALID_TEMPLATE'
  | 'INVALID_URL'
  | 'INVALID_VALUE'
  | 'MISSING_URL'
  | 'MISSING_VARIABLE'
  | 'UNSAFE_VALUE';

/** The only error of this package. The message has what was expected and what came instead. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  declare readonly code: EndpointErrorCode;

  /**
   * @param got shown short, without a URL's user information, and quoted so that no line break in it can forge a line in a log
   */
  constructor(code: EndpointErrorCode, expected: string, got: unknown, options?: ErrorOptions) {
    const text = String(got).replace(/\/\/[^/?#]*@/, '//');
    super(`Expected ${expected}, got ${JSON.stringify(text.slice(0, 80))}`, options);
    this.code = code;
  }
}

/** Even where what was thrown throws when it is looked at, as a revoked proxy does. */
const toEndpointError = (cause: unknown): EndpointError => {
  let message: unknown;
  try {
    if (cause instanceof EndpointError) return cause;
    message = `${(cause as Error).message}`;
  } catch {}
  return new EndpointError('INVALID_VALUE', 'values that can be read', message, { cause });
};

/**
 * The same function; what it throws is an EndpointError, also where a value's own code threw, or JSON cannot hold it.
 * @param run has at most three parameters; a list of any number would cost each call an allocation
 */
export const guarded = <Run extends (...args: never[]) => unknown>(run: Run): Run =>
  ((first: never, second: never, third: never) => {
    try {
      return run(first, second, third);
    } catch (cause) {
      throw toEndpointError(cause);
    }
  }) as Run;
