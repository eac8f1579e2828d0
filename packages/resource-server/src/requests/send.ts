import { AuthorizationServerUnavailable } from '../errors.ts';
import { type FetchAnswer, type FetchInit, platform } from '../platform/platform.ts';
import type { System } from '../platform/system.ts';

/** A whole answer. */
export interface Answer {
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter: string | null;
  /** `undefined` if the body is longer than it can be. */
  readonly text: string | undefined;
}

/**
 * Sends a request and reads the answer. A `fetch` that was handed in can throw, and answer anything: to the caller that is the same
 * as a network that fails.
 *
 * @param maxBytes of the body of the answer
 * @throws AuthorizationServerUnavailable `unreachable`
 */
export async function send(
  url: string,
  init: Omit<FetchInit, 'redirect'>,
  maxBytes: number,
  { fetch }: Pick<System, 'fetch'>,
): Promise<Answer> {
  try {
    // No other host may receive tokens and secrets, nor send keys.
    const answer = await fetch(url, { ...init, redirect: 'manual' });
    const { status, headers } = answer;
    return { status, retryAfter: headers.get('retry-after'), text: await readText(answer, maxBytes) };
  } catch (cause) {
    throw new AuthorizationServerUnavailable('unreachable', { detail: networkProblem(cause), cause });
  }
}

/** The body as text; `undefined` if it is longer than `maxBytes`, of which no more is read. */
async function readText({ body }: FetchAnswer, maxBytes: number): Promise<string | undefined> {
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

/** Network errors of `fetch` name their reason in `cause`. */
function networkProblem(error: unknown): string {
  const { cause = error } = Object(error) as { cause?: unknown };
  return cause instanceof Error ? cause.message : 'it could not be reached';
}
