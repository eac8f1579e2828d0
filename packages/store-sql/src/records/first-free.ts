/** The first free candidate. `holder` looks up the record that has a candidate, in the transaction that will use it. */
export async function firstFree(
  candidates: Iterable<string>,
  holder: (candidate: string) => Promise<unknown>,
): Promise<string> {
  for (const candidate of candidates) {
    if ((await holder(candidate)) === undefined) return candidate;
  }
  throw new Error('every candidate is taken');
}
