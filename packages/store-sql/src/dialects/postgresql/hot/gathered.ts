interface Waiting<Item, Found> {
  readonly items: readonly Item[];
  readonly caller: PromiseWithResolvers<readonly Found[]>;
}

/**
 * Runs a few calls at a time. Those that come meanwhile wait, and are one call when one of them has ended: a round trip costs more than
 * what it carries.
 *
 * @param run resolves with one result for each item, in order
 */
export function gathered<Item, Found>(
  run: (items: readonly Item[]) => Promise<readonly Found[]>,
  limit: number,
): (items: readonly Item[]) => Promise<readonly Found[]> {
  let waiting: Waiting<Item, Found>[] = [];
  let underWay = 0;

  const runWaiting = async () => {
    const calls = waiting;
    waiting = [];
    underWay += 1;
    try {
      const found = await run(calls.flatMap(({ items }) => items));
      let start = 0;
      for (const { items, caller } of calls) {
        caller.resolve(found.slice(start, start + items.length));
        start += items.length;
      }
    } catch (error) {
      for (const { caller } of calls) caller.reject(error);
    }
    underWay -= 1;
    if (waiting.length > 0) void runWaiting();
  };

  return (items) => {
    const caller = Promise.withResolvers<readonly Found[]>();
    waiting.push({ items, caller });
    if (underWay < limit) void runWaiting();
    return caller.promise;
  };
}
