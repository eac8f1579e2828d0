import type { FailedLogins } from '@watchword/administration';
import type { RecentRequestErrors, RequestError, UnattributedError } from '@watchword/protocol';
import type { Metrics } from '../metrics/metrics.ts';
import type { RequestErrors } from '../request-errors/request-errors.ts';
import type { Question, Siblings } from './siblings.ts';

type ErrorCounts = Awaited<ReturnType<Metrics['errors']>>;

const failedLoginsQuestion: Question<FailedLogins> = { name: 'failed-logins' };
const errorCountsQuestion: Question<ErrorCounts> = { name: 'error-counts' };
const requestErrorsQuestion: Question<RequestError[]> = { name: 'request-errors' };
const foundErrorQuestion: Question<RequestError | UnattributedError | undefined> = {
  name: 'found-request-error',
};
const droppedErrorsQuestion: Question<number> = { name: 'dropped-request-errors' };

/** What processes count in memory and administrators see, of all processes that answer at the port. */
export interface Gathered {
  failedLogins(): Promise<FailedLogins>;
  errors(): Promise<ErrorCounts>;
  readonly requestErrors: RecentRequestErrors;
}

export interface GatheredDependencies {
  readonly metrics: Metrics;
  readonly requestErrors: RequestErrors;
  /** Finds an error at another node. */
  readonly findElsewhere: (requestId: string) => Promise<RequestError | UnattributedError | undefined>;
}

/** @param siblings also ask this process, which answers from now on */
export function gathered(
  siblings: Siblings,
  { metrics, requestErrors, findElsewhere }: GatheredDependencies,
): Gathered {
  siblings.answer(failedLoginsQuestion, () => metrics.failedLogins());
  siblings.answer(errorCountsQuestion, () => metrics.errors());
  siblings.answer(requestErrorsQuestion, (id) => requestErrors.list(typeof id === 'number' ? id : undefined));
  siblings.answer(foundErrorQuestion, (id) => requestErrors.find(String(id)));
  siblings.answer(droppedErrorsQuestion, () => requestErrors.dropped());
  return {
    async failedLogins() {
      const counts = await siblings.askAll(failedLoginsQuestion);
      const sum = (of: keyof FailedLogins) => counts.reduce((total, count) => total + count[of], 0);
      return { lastHour: sum('lastHour'), hourBefore: sum('hourBefore') };
    },
    async errors() {
      const sums = new Map<string, number>();
      for (const { error, requests } of (await siblings.askAll(errorCountsQuestion)).flat()) {
        sums.set(error, (sums.get(error) ?? 0) + requests);
      }
      return [...sums].map(([error, requests]) => ({ error, requests }));
    },
    requestErrors: {
      async dropped() {
        return (await siblings.askAll(droppedErrorsQuestion)).reduce((sum, dropped) => sum + dropped, 0);
      },
      async find(requestId) {
        const answers = await siblings.askAll(foundErrorQuestion, requestId);
        return answers.find((found) => found !== undefined) ?? (await findElsewhere(requestId));
      },
      async list(clientRecordId) {
        const lists = await siblings.askAll(requestErrorsQuestion, clientRecordId);
        const [only = []] = lists;
        return lists.length === 1 ? only : lists.flat().sort((a, b) => (a.id < b.id ? 1 : -1));
      },
    },
  };
}
