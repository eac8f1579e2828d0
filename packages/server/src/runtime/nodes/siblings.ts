/**
 * The processes that answer at one port of one machine, this one among them. A server without workers is alone, and is asked
 * by itself only.
 */
export interface Siblings {
  /** Number of processes. */
  readonly count: number;
  /** Number of processes that have not answered for some time. They are replaced. */
  silent(): number;
  /** Sets how this process answers a question. */
  answer<Answer>(question: Question<Answer>, answer: (argument: unknown) => Answer | Promise<Answer>): void;
  /** The answers of all processes. A process that does not answer in time is left out. */
  askAll<Answer>(question: Question<Answer>, argument?: unknown): Promise<Answer[]>;
  /** The answer of one process, which is always the same as long as it runs; `undefined` if it does not answer in time. */
  askOne<Answer>(question: Question<Answer>): Promise<Answer | undefined>;
  /** Sends news to the other processes. */
  tell<News>(topic: Topic<News>, news: News): void;
  /** Calls back with the news of other processes. */
  listen<News>(topic: Topic<News>, listener: (news: News) => void): void;
}

/** The name of a question, with the type of its answer. Answers travel between processes: they are data. */
export interface Question<Answer> {
  readonly name: string;
  readonly example?: Answer;
}

/** The name of a kind of news, with its type. */
export interface Topic<News> {
  readonly name: string;
  readonly example?: News;
}

type Answers = (argument: unknown) => unknown;

/** A process that answers alone at its port. */
export function alone(): Siblings {
  const answers = new Map<string, Answers>();
  const ask = async (name: string, argument?: unknown) => {
    const answer = answers.get(name);
    return answer === undefined ? [] : [await answer(argument)];
  };
  return {
    count: 1,
    silent: () => 0,
    answer: ({ name }, answer) => void answers.set(name, answer),
    askAll: async <Answer>({ name }: Question<Answer>, argument?: unknown) =>
      (await ask(name, argument)) as Answer[],
    askOne: async <Answer>({ name }: Question<Answer>) => (await ask(name))[0] as Answer | undefined,
    tell() {},
    listen() {},
  };
}
