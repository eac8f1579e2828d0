import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// Milliseconds until the garbage of the start is collected.
const settlingMs = 2000;
// Bytes of one of its halves, without the ends of its pages. Twice as much saves 2 to 3 % of the main thread, and takes 40 MB more
// under load.
const most = 7.5 * 1024 * 1024;

/**
 * Lets the young generation of the heap grow again, which `bin/watchword.js` keeps small. A start makes a lot of garbage in a
 * short time. If the heap grew for it, it would keep about 10 MB that an idle server never needs.
 *
 * V8 has a limit of its own, but takes another one from its command line only.
 */
export function letYoungGenerationGrow(): void {
  setTimeout(() => {
    setGrowth(2);
    let isGrowing = true;
    // V8 makes it smaller again when there is nothing to do.
    const observer = new PerformanceObserver(() => {
      const shouldGrow = half() < most;
      if (shouldGrow !== isGrowing) setGrowth(shouldGrow ? 2 : 1);
      isGrowing = shouldGrow;
    });
    observer.observe({ entryTypes: ['gc'] });
  }, settlingMs).unref();
}

function setGrowth(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

function half(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  return young === undefined ? 0 : young.space_used_size + young.space_available_size;
}
