import { isUtf8 } from 'node:buffer';
import { OAuthError } from '@watchword/protocol';

/** A request body as it arrived. */
interface RawBody {
  readonly type: string | undefined;
  readonly bytes: Uint8Array | undefined;
}

const jsonTypes = ['application/json', 'application/merge-patch+json'];

/**
 * @returns `undefined` for an empty body
 * @throws OAuthError `unsupported_media_type`, `invalid_request`
 */
export function parseJsonBody({ type, bytes }: RawBody): unknown {
  if (bytes === undefined || bytes.length === 0) return undefined;
  if (!isJson(type)) {
    throw new OAuthError('unsupported_media_type', {
      description: `The body must be ${jsonTypes.join(' or ')} in UTF-8.`,
    });
  }
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.');
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw malformed('The body is not valid JSON.');
  }
}

function malformed(description: string): OAuthError {
  const violations = [`body: ${description}`];
  return new OAuthError('invalid_request', { description, rule: 'valid_record', violations });
}

function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return (
    jsonTypes.includes(type) &&
    parameters.every(
      (parameter) => !parameter.startsWith('charset=') || /^charset="?utf-8"?$/.test(parameter),
    )
  );
}
