/** The one-time key under which an answer to a consent page is stored. */
export function answerKey(answerId: string): string {
  return `answer ${answerId}`;
}
