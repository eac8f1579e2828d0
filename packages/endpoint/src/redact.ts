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
export const redactText = (text: string): string =>
  text
    .replace(/\/\/[^\s/?#]*@/g, `//${REDACTED}@`)
    .replace(/(?<![^?&#;\s])([^?&#;=\s]+)=[^&#;\s]*/g, (pair, name) =>
      isSecret(name) ? `${name}=${REDACTED}` : pair,
    );

/** A header's value, or that of a member of a JSON body. */
export const redactValue = (name: string, value: unknown): unknown => {
  if (isSecret(name)) return REDACTED;
  return typeof value === 'string' ? redactText(value) : value;
};

/** The text of a body: JSON, or a form, or any other. */
export const redactBody = (text: string): string => {
  try {
    const data = JSON.parse(text);
    const redacted = JSON.stringify(data, redactValue);
    // A text without secrets does not change.
    return redacted === JSON.stringify(data) ? text : redacted;
  } catch {
    return redactText(text);
  }
};
