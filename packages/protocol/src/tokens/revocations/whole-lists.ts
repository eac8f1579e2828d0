import type { Clock } from '../../ports/system/clock.ts';
import type { RevocationCursor } from './revocation-cursor.ts';
import { sharedRuns } from './shared-runs.ts';

/** A whole list, signed, and its cursor. */
export interface WholeList {
  readonly cursor: RevocationCursor;
  readonly list: Uint8Array;
}

interface Kept {
  /** Resolves with a list that has all that was known at the call. */
  readonly ask: () => Promise<WholeList>;
  latest: WholeList | undefined;
  /** Number of callers that wait. */
  waiting: number;
}

// Milliseconds for which the bytes of a list are sent again if nothing has changed: all processes of an API start together.
const keptTime = 2000;

/** Signed whole lists of resource servers. A long one is tens of megabytes, so requests at the same time share its bytes. */
export class WholeLists {
  readonly #make: (resourceServerId: number) => Promise<WholeList>;
  readonly #isUnchanged: (resourceServerId: number, cursor: RevocationCursor) => boolean;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #lists = new Map<number, Kept>();

  /**
   * @param make reads and signs a list
   * @param isUnchanged whether nothing is known that a list with this cursor does not have
   */
  constructor(
    make: (resourceServerId: number) => Promise<WholeList>,
    isUnchanged: (resourceServerId: number, cursor: RevocationCursor) => boolean,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#clock = clock;
    this.#make = make;
    this.#isUnchanged = isUnchanged;
  }

  /** @throws what `make` throws */
  async of(resourceServerId: number): Promise<WholeList> {
    const kept = this.#lists.get(resourceServerId) ?? this.#add(resourceServerId);
    kept.waiting += 1;
    try {
      return await kept.ask();
    } finally {
      kept.waiting -= 1;
    }
  }

  /** Frees the memory of lists that nobody gets any more. */
  forgetOld(): void {
    for (const [id, { latest, waiting }] of this.#lists) {
      if (waiting === 0 && !this.#isYoung(latest)) this.#lists.delete(id);
    }
  }

  #add(id: number): Kept {
    const kept: Kept = {
      ask: sharedRuns(async () => {
        const { latest } = kept;
        if (this.#isYoung(latest) && this.#isUnchanged(id, latest.cursor)) return latest;
        const list = await this.#make(id);
        kept.latest = list;
        return list;
      }),
      latest: undefined,
      waiting: 0,
    };
    this.#lists.set(id, kept);
    return kept;
  }

  #isYoung(list: WholeList | undefined): list is WholeList {
    return list !== undefined && Math.abs(this.#clock.now() - list.cursor.time) < keptTime;
  }
}
