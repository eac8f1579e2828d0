import { AdminError } from '@watchword/admin-client';
import { isLoopbackHost } from '@watchword/protocol';
import { fetchLoopback } from '../../command/loopback.ts';

export interface AnswerBounds {
  /** Maximum size of one answer, in bytes. */
  readonly answer: number;
  /** Maximum size of all answers together, in bytes. */
  readonly all: number;
  /** Milliseconds within which an answer must be complete. */
  readonly timeout: number;
}

// A page of 1000 records with the largest values has a few MiB, a list of 100,000 clients about 100 MiB.
const usual: AnswerBounds = { answer: 16 * 1024 * 1024, all: 256 * 1024 * 1024, timeout: 60_000 };

/** `fetch` for one command. An endless answer of a server must not block the command or fill the memory. */
export function boundedFetch(bounds: AnswerBounds = usual): typeof fetch {
  let leftInAll = bounds.all;
  return async (input, init = {}) => {
    const timeout = AbortSignal.timeout(bounds.timeout);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    const send = isLoopbackHost(hostname) ? fetchLoopback : fetch;
    const response = await send(input, { ...init, signal });
    let left = Math.min(bounds.answer, leftInAll);
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.length;
        leftInAll -= chunk.length;
        if (left < 0) controller.error(tooLong(response.status));
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(counted) ?? null, response);
  };
}

function tooLong(status: number): AdminError {
  return new AdminError(
    'The answer of the server is larger than a list of records can be. Check that --url is the base URL of a Watchword server.',
    {
      status,
      code: 'unexpected_answer',
    },
  );
}
