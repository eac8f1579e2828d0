import { mock } from 'node:test';

/** The time of this process, servers in it included, which goes on only by `advance` until it is disposed of. */
export function stoppedClock(): Disposable & { advance(seconds: number): void } {
  let now = Date.now();
  mock.timers.enable({ apis: ['Date'], now });
  return {
    advance(seconds) {
      now += seconds * 1000;
      mock.timers.setTime(now);
    },
    [Symbol.dispose]: () => mock.timers.reset(),
  };
}
