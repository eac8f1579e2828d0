import type { Order, Report } from './messages.ts';

/** A worker that answers questions. */
export interface Answerer {
  readonly number: number;
  send(order: Order): void;
}

type Ask = Extract<Report, { kind: 'ask' }>;
type Answer = Extract<Report, { kind: 'answer' }>;
type News = Extract<Report, { kind: 'news' }>;

// Milliseconds. Answers are sums of numbers in memory: a worker that needs longer is blocked.
const patience = 2000;

/** Carries questions of one worker to all, and their answers back. The main process can answer too. */
export class SiblingHub {
  readonly #workers: () => readonly Answerer[];
  readonly #own: Readonly<Record<string, () => unknown>>;
  readonly #pending = new Map<number, (answer: unknown) => void>();
  #lastId = 0;

  /**
   * @param workers those that are ready
   * @param own answers of the main process, by the name of the question
   */
  constructor(workers: () => readonly Answerer[], own: Readonly<Record<string, () => unknown>>) {
    this.#workers = workers;
    this.#own = own;
  }

  async ask(from: Answerer, { id, name, argument, of }: Ask): Promise<void> {
    const workers = [...this.#workers()].sort((a, b) => a.number - b.number);
    const asked = of === 'one' ? workers.slice(0, 1) : workers;
    const answers = asked.map((worker) => this.#askWorker(worker, name, argument));
    const own = of === 'all' ? this.#own[name]?.() : undefined;
    const known = (await Promise.all([...answers, own])).filter((answer) => answer !== undefined);
    from.send({ kind: 'answers', id, answers: known });
  }

  answered({ id, answer }: Answer): void {
    this.#pending.get(id)?.(answer);
  }

  /** Passes news on to all workers but the one that has sent it. */
  tell(from: Answerer, { name, news }: News): void {
    for (const worker of this.#workers()) if (worker !== from) worker.send({ kind: 'news', name, news });
  }

  #askWorker(worker: Answerer, name: string, argument: unknown): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), patience);
      const settle = (answer: unknown) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(answer);
      };
      this.#pending.set(id, settle);
      worker.send({ kind: 'question', id, name, argument });
    });
  }
}
