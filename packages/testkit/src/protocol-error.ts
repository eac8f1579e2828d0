import { OAuthError, type ProtocolErrorName } from '@watchword/protocol';

/** For `assert.throws` and `assert.rejects`: accepts only an error of the protocol with that name. */
export function protocolError(kind: ProtocolErrorName): (error: unknown) => boolean {
  return (error) => {
    if (error instanceof OAuthError && error.kind === kind) return true;
    throw new Error(`expected the error ${kind}, got ${error}`, { cause: error });
  };
}
