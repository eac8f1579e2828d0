import type { Primary, PrimaryEvent } from '../../../store/database-events.ts';

/** No server is used, because an operator must first decide which one has the right data. */
export class SplitBrainError extends Error {
  override readonly name = 'SplitBrainError';
}

/**
 * Which server the process writes to. After a failover without fencing, the old primary and the new one both accept writes, and what
 * is written to one of them is lost. Nothing tells which: the newer one can have been promoted by mistake. So none is used.
 */
export class Primaries {
  readonly #stops: (() => void)[] = [];
  #used: Primary | undefined;
  #problem: string | undefined;
  #report: (event: PrimaryEvent) => void = () => {};
  #looking: Promise<string | undefined> | undefined;

  /** Why no server is used now. */
  get problem(): string | undefined {
    return this.#problem;
  }

  watch(report: (event: PrimaryEvent) => void): void {
    this.#report = report;
  }

  /** @param stop called when connections that are open must not be used any more */
  onStop(stop: () => void): void {
    this.#stops.push(stop);
  }

  /**
   * The process is about to use the server.
   *
   * @throws SplitBrainError
   */
  async admit(found: Primary, ask: Ask): Promise<void> {
    if (this.#problem === undefined && this.#used?.startedAt === found.startedAt) return;
    const problem = (await this.look(ask)) ?? this.#olderThanUsed(found);
    this.#conclude(problem);
    if (problem !== undefined) throw new SplitBrainError(problem);
    const before = this.#used;
    this.#used = found;
    if (before !== undefined && isChange(before, found))
      this.#report({ kind: 'changed', from: before, to: found });
  }

  /** Asks all hosts. Resolves with why no server may be used if two accept writes; a caller meanwhile gets the same answer. */
  look(ask: Ask): Promise<string | undefined> {
    this.#looking ??= this.#look(ask).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(ask: Ask): Promise<string | undefined> {
    let found = await ask();
    // A server that was restarted or lost its role between two answers is one server.
    if (splitOf(found) !== undefined) found = await ask();
    const [first] = found;
    const split = splitOf(found);
    if (first !== undefined) this.#conclude(split ?? this.#olderThanUsed(first));
    return split;
  }

  #olderThanUsed({ host, system, timeline }: Primary): string | undefined {
    const used = this.#used;
    if (used === undefined || used.system !== system || used.timeline <= timeline) return undefined;
    return `${host} accepts writes on timeline ${timeline}, which is older than timeline ${used.timeline} of ${used.host}, which was used until now: what was written there is missing. ${advice} If ${host} is the right one, restart the server.`;
  }

  #conclude(problem: string | undefined): void {
    const before = this.#problem;
    this.#problem = problem;
    if (before === problem) return;
    this.#report(problem === undefined ? { kind: 'goes-on' } : { kind: 'stopped', problem });
    if (problem !== undefined) for (const stop of this.#stops) stop();
  }
}

/** Finds every host that accepts writes now. */
type Ask = () => Promise<readonly Primary[]>;

const advice = 'Stop the wrong one, and make it a standby again with pg_rewind.';

function splitOf(primaries: readonly Primary[]): string | undefined {
  for (const [index, one] of primaries.entries()) {
    const other = primaries
      .slice(index + 1)
      .find(({ system, startedAt }) => system === one.system && startedAt !== one.startedAt);
    if (other === undefined) continue;
    const both = [one, other].map(({ host, timeline }) => `${host} (timeline ${timeline})`).join(' and ');
    return `${both} are two servers of one database that both accept writes, so what is written to one of them is lost: nothing is written until one of them is stopped. ${advice}`;
  }
  return undefined;
}

/** A restart on the same host is none, and neither is another name. */
function isChange(from: Primary, to: Primary): boolean {
  if (from.startedAt === to.startedAt) return false;
  if (from.system !== to.system || from.timeline !== to.timeline) return true;
  return from.host !== to.host;
}
