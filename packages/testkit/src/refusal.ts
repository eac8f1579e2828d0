import { OAuthError, type ProtocolErrorName } from '@watchword/protocol';

/** For `assert.throws` and `assert.rejects`: a refusal of that kind, and nothing else. */
export function refusal(kind: ProtocolErrorName): (error: unknown) => boolean {
  return (error) => {
    if (error instanceof OAuthError && error.kind === kind) return true;
    throw new Error(`expected the refusal ${kind}, got ${error}`, { cause: error });
  };
}
