/** Under which an answer to a consent page is noted among what may happen once. */
export function answerKey(answerId: string): string {
  return `answer ${answerId}`;
}
