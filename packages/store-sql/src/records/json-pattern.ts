// Neither an end of the text nor an escape in it.
const text = '"[^"\\\\\\u0000-\\u001f]*"';
const number = '-?(?:0|[1-9][0-9]*)';

/**
 * Matches nothing but JSON objects with exactly these members in this order, written by `JSON.stringify`, whose values are of the
 * kinds of the given ones. Names are identifiers. It does not match all of them: a text with an escape, or a number with a fraction, is left out.
 * A match costs 0.4 us where `JSON.parse` costs 2.5 (600 characters).
 *
 * @param exact members whose values must be these
 */
export function jsonPattern(
  members: Iterable<readonly [name: string, value: unknown]>,
  exact: Readonly<Record<string, unknown>>,
): RegExp {
  const patterns = Array.from(members, ([name, value]) => {
    const isExact = Object.hasOwn(exact, name);
    return `"${name}":${isExact ? JSON.stringify(exact[name]) : valuePattern(value)}`;
  });
  return new RegExp(`^\\{${patterns.join(',')}\\}$`);
}

function valuePattern(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return text;
    case 'boolean':
      return '(?:true|false)';
    case 'number':
      return number;
    default:
      return Array.isArray(value) ? `\\[${listOf(text)}\\]` : `\\{${listOf(`${text}:${text}`)}\\}`;
  }
}

function listOf(item: string): string {
  return `(?:${item}(?:,${item})*)?`;
}
