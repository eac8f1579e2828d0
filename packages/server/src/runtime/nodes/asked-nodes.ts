import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, OAuthError, type RequestError, type UnattributedError } from '@watchword/protocol';
import type { ServerStore } from '@watchword/store-sql';
import type { Logger } from '../log/logger.ts';

type FoundError = RequestError | UnattributedError;

// Milliseconds. A node knows of a question within a quarter of a second, unless it is very busy.
const patience = 1000;
const interval = 100;
// Milliseconds. An answer that comes later is not waited for.
const lifetime = 10_000;
// Questions under way. Each is a change of the database, and anyone who administers a client can ask.
const most = 4;
const longestId = 128;

export interface AskedNodesDependencies {
  readonly store: Pick<ServerStore, 'nodeQuestions' | 'followChanges'>;
  readonly requestErrors: { find(requestId: string): FoundError | undefined };
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Finds errors of requests that another node of the database has in memory, and answers other nodes that ask. What anonymous callers do
 * is not written, so nodes ask each other, through the database: it is all that they share.
 *
 * @returns the error with that id of the request, of any node
 */
export function askedNodes(
  deps: AskedNodesDependencies,
): (requestId: string) => Promise<FoundError | undefined> {
  const { store, clock, logger } = deps;
  const { nodeQuestions } = store;
  const answered = answers(deps);
  // A question that cannot be answered must not keep the node from its records.
  const answer = () => answered().catch((err) => logger.warn({ err }, 'another node got no answer'));
  store.followChanges(async () => void answer());
  let underWay = 0;
  return async (requestId) => {
    if (requestId.length > longestId) return undefined;
    if (underWay >= most) throw new OAuthError('temporarily_unavailable', { retryAfter: 1 });
    underWay += 1;
    try {
      const question = await nodeQuestions.ask(requestId, clock.now());
      try {
        for (let waited = 0; waited < patience; waited += interval) {
          const [found] = await nodeQuestions.answersTo(question);
          if (found !== undefined) return found as FoundError;
          await delay(interval);
        }
        return undefined;
      } finally {
        await nodeQuestions.remove(question, clock.now() - lifetime);
      }
    } finally {
      underWay -= 1;
    }
  };
}

/** Answers the questions that are new. */
function answers({ store: { nodeQuestions }, requestErrors, clock }: AskedNodesDependencies) {
  let last = 0;
  return async () => {
    for (const { number, question } of await nodeQuestions.listAfter(last, clock.now() - lifetime)) {
      if (number <= last) continue;
      last = number;
      const found = requestErrors.find(question);
      if (found !== undefined) await nodeQuestions.answer(number, found, clock.now());
    }
  };
}
