import { guarded } from './endpoint-error.ts';
import { toFetch } from './fetch.ts';
import { redactBody, redactText, redactValue } from './redact.ts';
import type { RequestOptions } from './types.ts';

export interface CurlOptions {
  /** Show credentials instead of `[redacted]`. */
  readonly showSecrets?: boolean;
}

/** For a POSIX shell, where between single quotes only the single quote is special. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Request options as a curl command for people to read and try. The user information of the URL is redacted, and so are
 * the values of headers, parameters and members of the body that are usually secret, unless they are asked for.
 */
export const toCurl = guarded((request: RequestOptions, { showSecrets }: CurlOptions = {}): string => {
  const [url, { method, headers, body }] = toFetch(request);
  let command = `curl -gX ${quote(method)} ${quote(showSecrets ? url : redactText(url))}`;
  for (const [name, value] of Object.entries(headers)) {
    command += ` \\\n  -H ${quote(`${name}: ${showSecrets ? value : redactValue(name, value)}`)}`;
  }
  if (body) {
    const text = typeof body === 'string' && (showSecrets ? body : redactBody(body));
    // Forms, bytes and streams cannot be shown: curl takes them from its standard input.
    command += ` \\\n  --data-${text ? `raw ${quote(text)}` : 'binary @-'}`;
  }
  return command;
});
