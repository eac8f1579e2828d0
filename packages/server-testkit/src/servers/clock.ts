import { mock } from 'node:test';

/** The time of this process, with the servers in it. Only `advance` changes it until it is disposed of. */
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
