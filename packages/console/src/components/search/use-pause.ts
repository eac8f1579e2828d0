import { useEffect, useEffectEvent } from 'react';

// Milliseconds without a key, after which the user has finished typing.
const pause = 250;

/** Calls back with what was typed once nothing more comes; `undefined`: nothing is being typed. */
export function usePause(typed: string | undefined, onPause: (text: string) => void): void {
  const notify = useEffectEvent(onPause);
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => notify(typed), pause);
    return () => clearTimeout(timer);
  }, [typed]);
}
