import { AdminError } from '@watchword/admin-client';

export interface AnswerBounds {
  /** Bytes that one answer may have. */
  readonly answer: number;
  /** Bytes that all of them may have. */
  readonly all: number;
  /** Milliseconds after which an answer must be there, whole. */
  readonly timeout: number;
}

// A page of 1000 records with all that may be in them has a few MiB, a list of 100,000 clients some 100 MiB.
const usual: AnswerBounds = { answer: 16 * 1024 * 1024, all: 256 * 1024 * 1024, timeout: 60_000 };

/** `fetch` for one command. A server that answers without end must not keep it, nor fill the memory. */
export function boundedFetch(bounds: AnswerBounds = usual): typeof fetch {
  let leftInAll = bounds.all;
  return async (input, init = {}) => {
    const timeout = AbortSignal.timeout(bounds.timeout);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const response = await fetch(input, { ...init, signal });
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
  return new AdminError('The server answers with more than a list of its records can have.', {
    status,
    code: 'unexpected_answer',
  });
}
