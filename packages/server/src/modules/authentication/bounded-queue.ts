import type { LoginTurn } from '@watchword/protocol';

export interface BoundedQueueOptions {
  /** Maximum number of tasks that run at the same time. */
  readonly concurrency: number;
  /** Maximum number of tasks that wait. */
  readonly maxWaiting: number;
  /** Called for each task that gets a {@link QueueFullError}. */
  readonly onRefused?: (() => void) | undefined;
}

/** Thrown when the queue has no place for a task. The task did not begin. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

type Waiting = PromiseWithResolvers<void>;

const unnamed: LoginTurn = { of: '', isKnownDevice: false };

/**
 * Runs some tasks at a time, while a limited number waits. Those who wait take turns, so that one of them with many tasks keeps
 * nobody else out: the tasks of one are done in their order, and known devices have every other turn. When the queue is full, a task
 * takes the place of the last one of whoever has most, if that one still has no less then.
 */
export class BoundedQueue {
  readonly #options: BoundedQueueOptions;
  readonly #known = new WaitingTasks();
  readonly #others = new WaitingTasks();
  #running = 0;
  #wasKnown = false;

  constructor(options: BoundedQueueOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    const { concurrency, maxWaiting } = this.#options;
    return this.#running >= concurrency && this.waiting >= maxWaiting;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#known.size + this.#others.size;
  }

  /** Asked before work for a task is done: whether the task gets a {@link QueueFullError} now. Then it is refused already. */
  refuses(turn: LoginTurn): boolean {
    if (!this.isFull || this.#longest(turn) !== undefined) return false;
    this.#options.onRefused?.();
    return true;
  }

  /** @throws QueueFullError at once, or when a task of another one takes the place */
  async run<Value>(work: () => Promise<Value>, turn: LoginTurn = unnamed): Promise<Value> {
    if (this.isFull) this.#takePlace(turn);
    if (this.#running < this.#options.concurrency) this.#running += 1;
    else await this.#tasksOf(turn).add(turn.of);
    try {
      return await work();
    } finally {
      // The next task runs, or the place becomes free.
      const next = this.#next();
      if (next === undefined) this.#running -= 1;
      else next.resolve();
    }
  }

  #takePlace(turn: LoginTurn): void {
    const longest = this.#longest(turn);
    if (longest === undefined) throw this.#refused();
    longest.takeLast().reject(this.#refused());
  }

  /** Where a task of this turn can take a place; `undefined` if nobody has more than the turn would have. */
  #longest(turn: LoginTurn): WaitingTasks | undefined {
    const own = this.#tasksOf(turn).countOf(turn.of);
    const [known, others] = [this.#known.most, this.#others.most];
    const enough = own + 2;
    // The first task of a known device comes before any of the others.
    const mayTakeOthers = others >= (turn.isKnownDevice && own === 0 ? 1 : enough);
    if (known >= enough && !(mayTakeOthers && others >= known)) return this.#known;
    return mayTakeOthers ? this.#others : undefined;
  }

  #tasksOf({ isKnownDevice }: LoginTurn): WaitingTasks {
    return isKnownDevice ? this.#known : this.#others;
  }

  #next(): Waiting | undefined {
    const [first, second] = this.#wasKnown ? [this.#others, this.#known] : [this.#known, this.#others];
    const from = first.size > 0 ? first : second;
    this.#wasKnown = from === this.#known;
    return from.takeNext();
  }

  #refused(): QueueFullError {
    this.#options.onRefused?.();
    return new QueueFullError('the queue is full');
  }
}

/** Tasks that wait, by whose they are. The first of the map is the next to have a turn. */
class WaitingTasks {
  readonly #byOwner = new Map<string, Waiting[]>();
  size = 0;

  countOf(owner: string): number {
    return this.#byOwner.get(owner)?.length ?? 0;
  }

  /** The number of tasks of whoever has most. */
  get most(): number {
    return Math.max(0, ...[...this.#byOwner.values()].map(({ length }) => length));
  }

  add(owner: string): Promise<void> {
    const task: Waiting = Promise.withResolvers();
    const own = this.#byOwner.get(owner);
    if (own === undefined) this.#byOwner.set(owner, [task]);
    else own.push(task);
    this.size += 1;
    return task.promise;
  }

  takeNext(): Waiting | undefined {
    for (const [owner, tasks] of this.#byOwner) {
      this.#byOwner.delete(owner);
      const next = tasks.shift();
      if (tasks.length > 0) this.#byOwner.set(owner, tasks);
      if (next !== undefined) this.size -= 1;
      return next;
    }
    return undefined;
  }

  /** The newest task of whoever has most. */
  takeLast(): Waiting {
    const { most } = this;
    for (const [owner, tasks] of this.#byOwner) {
      if (tasks.length < most) continue;
      const last = tasks.pop();
      if (tasks.length === 0) this.#byOwner.delete(owner);
      if (last === undefined) break;
      this.size -= 1;
      return last;
    }
    throw new Error('no task waits');
  }
}
