import type { Question, Siblings, Topic } from '../runtime/siblings.ts';
import type { Order, Report } from './messages.ts';

type SiblingOrder = Extract<Order, { kind: 'question' | 'answers' | 'news' | 'ping' }>;

/** The other workers, as a worker reaches them: by the main process. */
export class SiblingChannel {
  readonly #report: (report: Report) => void;
  readonly #answers = new Map<string, (argument: unknown) => unknown>();
  readonly #listeners = new Map<string, (news: never) => void>();
  readonly #asked = new Map<number, (answers: readonly unknown[]) => void>();
  #lastId = 0;
  #silent = 0;

  constructor(report: (report: Report) => void) {
    this.#report = report;
  }

  handle(order: SiblingOrder): void {
    if (order.kind === 'news') this.#listeners.get(order.name)?.(order.news as never);
    else if (order.kind === 'question') void this.#answer(order);
    else if (order.kind === 'ping') this.#live(order.silent);
    else {
      this.#asked.get(order.id)?.(order.answers);
      this.#asked.delete(order.id);
    }
  }

  /** @param count number of workers */
  of(count: number): Siblings {
    const ask = (name: string, of: 'all' | 'one', argument: unknown) => this.#ask(name, of, argument);
    return {
      count,
      silent: () => this.#silent,
      answer: ({ name }, answer) => void this.#answers.set(name, answer),
      askAll: async <Answer>({ name }: Question<Answer>, argument?: unknown) =>
        (await ask(name, 'all', argument)) as Answer[],
      askOne: async <Answer>({ name }: Question<Answer>) =>
        (await ask(name, 'one', undefined))[0] as Answer | undefined,
      tell: ({ name }, news) => this.#report({ kind: 'news', name, news }),
      listen: <News>({ name }: Topic<News>, listener: (news: News) => void) =>
        void this.#listeners.set(name, listener),
    };
  }

  #live(silent: number): void {
    this.#silent = silent;
    this.#report({ kind: 'alive' });
  }

  #ask(name: string, of: 'all' | 'one', argument: unknown): Promise<readonly unknown[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#report({ kind: 'ask', id, name, argument, of });
    });
  }

  async #answer({ id, name, argument }: Extract<Order, { kind: 'question' }>): Promise<void> {
    try {
      this.#report({ kind: 'answer', id, answer: await this.#answers.get(name)?.(argument) });
    } catch {
      // The answers then do not have the one of this process.
      this.#report({ kind: 'answer', id, answer: undefined });
    }
  }
}
