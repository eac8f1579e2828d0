import { type FetchAnswer, platform } from '../platform.ts';

/** The body of an answer as text; `undefined` if it is longer than `maxBytes`, of which no more is read. */
export async function readText({ body }: FetchAnswer, maxBytes: number): Promise<string | undefined> {
  const reader = body?.getReader();
  const decoder = new platform.TextDecoder('utf-8');
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Not awaited: a custom fetch may never answer, and the connection is lost anyway.
      reader?.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
