// Milliseconds.
const patience = 1000;

/**
 * What is read for the metrics must not delay them much: a scraper waits some seconds, and the metrics matter most when the database
 * does not answer.
 *
 * @returns what the work resolves with; `undefined` if it takes longer than a second
 */
export async function withPatience<Value>(work: Promise<Value>): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, patience, undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
