import { AuthorizationServerUnavailable } from '../errors.ts';
import { type AbortSignal, platform } from '../platform/platform.ts';
import type { Timers } from '../platform/system.ts';

/**
 * The result of work that ends within so many milliseconds. A race, because a fetch that was handed in may not heed the signal.
 *
 * @param begun gets a function that ends the work
 * @throws AuthorizationServerUnavailable `timeout`; `unreachable` for work that was ended
 */
export function within<Value>(
  milliseconds: number,
  { after }: Timers,
  work: (signal: AbortSignal) => Promise<Value>,
  begun: (abort: () => void) => void = () => {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const controller = new platform.AbortController();
    const stopTimer = after(milliseconds, () => {
      const detail = `no whole answer within ${Math.round(milliseconds)} ms`;
      reject(new AuthorizationServerUnavailable('timeout', { detail }));
      controller.abort();
    });
    begun(() => {
      stopTimer();
      reject(new AuthorizationServerUnavailable('unreachable', { detail: 'the request was ended' }));
      controller.abort();
    });
    work(controller.signal).then(resolve, reject).finally(stopTimer);
  });
}
