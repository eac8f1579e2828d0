import { toFetch } from './to-fetch.ts';
import type { RequestOptions } from './types.ts';

export interface CurlOptions {
  /** Show credentials instead of `[redacted]`. */
  readonly showSecrets?: boolean;
}

/** For a POSIX shell, where between single quotes only the single quote is special. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Request options as a curl command for people to read and try; credentials are redacted unless asked for. */
export const toCurl = (request: RequestOptions, { showSecrets }: CurlOptions = {}): string => {
  const [url, { method, headers, body }] = toFetch(request);
  let command = `curl -gX ${quote(method)} ${quote(url)}`;
  for (const [name, value] of Object.entries(headers)) {
    const isHidden = !showSecrets && /auth|cookie|key|token/.test(name);
    command += ` \\\n  -H ${quote(`${name}: ${isHidden ? '[redacted]' : value}`)}`;
  }
  // Forms, bytes and streams cannot be shown: curl takes them from its standard input.
  if (body) command += ` \\\n  --data-${typeof body === 'string' ? `raw ${quote(body)}` : 'binary @-'}`;
  return command;
};
