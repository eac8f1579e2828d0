import { runInThisContext } from 'node:vm';

// Milliseconds for all patterns together; usual patterns take about one.
const timeout = 500;

/**
 * The texts that match one of the patterns as a whole. The patterns come from metadata. When they take longer than the timeout,
 * no text matches, so that other requests wait no longer than that.
 *
 * @param patterns regular expressions; an invalid one matches nothing
 */
export function matchingTexts(texts: readonly string[], patterns: readonly string[]): readonly string[] {
  if (texts.length === 0 || patterns.length === 0) return [];
  // JSON is valid JavaScript, so no pattern or text can break out of its string.
  const given = JSON.stringify({ texts, patterns: patterns.filter(isPattern) });
  const code = `(({ texts, patterns }) => {
    const expressions = patterns.map((pattern) => new RegExp('^(?:' + pattern + ')$', 'i'));
    return texts.filter((text) => expressions.some((expression) => expression.test(text)));
  })(${given})`;
  try {
    return runInThisContext(code, { timeout });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return [];
    throw error;
  }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
