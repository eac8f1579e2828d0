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

/** The one error this package throws; its message says what was expected and what came instead. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  declare readonly code: EndpointErrorCode;

  /** @param got shown short, and quoted so that no line break in it can forge a line in a log */
  constructor(code: EndpointErrorCode, expected: string, got: unknown) {
    super(`Expected ${expected}, got ${JSON.stringify(String(got).slice(0, 80))}`);
    this.code = code;
  }
}
