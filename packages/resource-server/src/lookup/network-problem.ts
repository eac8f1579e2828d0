/** Network errors of `fetch` name their reason in `cause`. */
export function networkProblem(error: unknown): string {
  const { cause = error } = Object(error) as { cause?: unknown };
  return cause instanceof Error ? cause.message : 'it could not be reached';
}
