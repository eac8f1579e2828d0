/** Stable: callers branch on these, while messages may be reworded. */
export type EndpointErrorCode =
  | 'INVALID_HEADER'
  | 'INVALID_METHOD'
  | 'INVALID_OPTION'
  | 'INVALID_TEMPLATE'
  | 'INVALID_URL'
  | 'INVALID_VALUE'
  | 'IRREVERSIBLE_TEMPLATE'
  | 'MISSING_URL'
  | 'MISSING_VARIABLE'
  | 'SCHEMA_MISMATCH'
  | 'UNEXPECTED_DATA'
  | 'UNSAFE_VALUE'
  | 'UNUSED_PARAMETER';

/** The only error of this package. The message has the route, the place in it, what was expected and what came instead. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  declare readonly code: EndpointErrorCode;

  constructor(code: EndpointErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Short, without a URL's user information, and quoted so that no line break in it can forge a line in a log. */
const quote = (text: string): string => JSON.stringify(text.replace(/\/\/[^/?#]*@/, '//').slice(0, 80));

/** @param got what came instead; it is shown */
export const unexpected = (code: EndpointErrorCode, expected: string, got: unknown): EndpointError =>
  new EndpointError(code, `expected ${expected}, got ${quote(String(got))}`);

/**
 * What a caller gets of what was thrown.
 * @param route what the message begins with, without its query, which may hold a secret
 */
export const failure = (cause: unknown, route?: unknown): EndpointError => {
  let error: EndpointError | undefined;
  let got: unknown;
  try {
    if (cause instanceof EndpointError) error = cause;
    else got = `${(cause as Error).message}`;
  } catch {} // What was thrown throws when it is looked at, as a revoked proxy does.
  const { code, message } = error ?? unexpected('INVALID_VALUE', 'readable values', got);
  const text =
    route && typeof route === 'string'
      ? `${quote(route.replace(/(?<!\{)[?#].*/s, '')).slice(1, -1)}: ${message}`
      : message.replace(/^./, (first) => first.toUpperCase());
  // The cause of an error of ours goes along.
  return new EndpointError(code, text, error ?? { cause });
};

/**
 * The same function; what it throws is an EndpointError, also where a value's own code threw, or JSON cannot hold it.
 * @param run has at most two parameters; a list of any number would cost each call an allocation
 */
export const guarded = <Run extends (...args: never[]) => unknown>(run: Run): Run =>
  ((first: never, second: never) => {
    try {
      return run(first, second);
    } catch (cause) {
      throw failure(cause);
    }
  }) as Run;
