import { guarded } from './endpoint-error.ts';
import { toFetch } from './fetch.ts';
import type { RequestOptions } from './types/options.ts';

export interface CurlOptions {
  /** Show credentials instead of `[redacted]`. */
  readonly showSecrets?: boolean;
}

/** Usual names of headers and parameters that hold credentials. An `author` is none, and neither is a `keyword`. */
const SECRET =
  /assertion|auth(?!or(?!i))|cookie|credential|dpop|jwt|key(?!word)|otp|passw|passphrase|pwd|saml|secret|session|signature|token|^(code(_verifier)?|pass|pin|sig)$/i;

const REDACTED = '[redacted]';

/** @param name percent-encoded or not; one that cannot be decoded may hide anything */
const isSecret = (name: string): boolean => {
  try {
    return SECRET.test(decodeURIComponent(name));
  } catch {
    return true;
  }
};

/** A URL, a form or other text without user information and the values of secret parameters. */
const redactText = (text: string): string =>
  text
    .replace(/\/\/[^\s/?#]*@/g, `//${REDACTED}@`)
    .replace(/(?<![^?&#;\s])([^?&#;=\s]+)=[^&#;\s]*/g, (pair, name) =>
      isSecret(name) ? `${name}=${REDACTED}` : pair,
    );

/** A header's value, or that of a member of a JSON body. */
const redactValue = (name: string, value: unknown): unknown => {
  if (isSecret(name)) return REDACTED;
  return typeof value === 'string' ? redactText(value) : value;
};

/** The text of a body: JSON, or a form, or any other. */
const redactBody = (text: string): string => {
  try {
    const data = JSON.parse(text);
    const redacted = JSON.stringify(data, redactValue);
    // A text without secrets does not change.
    return redacted === JSON.stringify(data) ? text : redacted;
  } catch {
    return redactText(text);
  }
};

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
