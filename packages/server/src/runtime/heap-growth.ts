import { constants, type PerformanceNodeEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// Milliseconds until the garbage of the start is collected.
const settlingMs = 2000;
// Bytes of a half of the young generation, without the ends of its pages. Twice as much saves 2 to 3 % of the main thread, and takes
// 40 MB more under load.
const most = 7.5 * 1024 * 1024;

/**
 * Lets the heap grow again, which `bin/watchword.js` keeps small. A start makes a lot of garbage in a short time. If the heap grew for it,
 * it would keep about 10 MB that an idle server never needs.
 *
 * The young generation grows up to a limit: V8 has one of its own, but takes another from its command line only. The old generation is
 * collected once at a third of the limit that V8 expects from the start, because that is far more than requests need: 166 MB under flows
 * instead of 195.
 */
export function letHeapGrow(afterMs = settlingMs): void {
  setTimeout(() => {
    setGrowth(2);
    let isGrowing = true;
    let isOldSmall = true;
    // V8 makes it smaller again when there is nothing to do.
    const observer = new PerformanceObserver((collections) => {
      const shouldGrow = half() < most;
      if (shouldGrow !== isGrowing) setGrowth(shouldGrow ? 2 : 1);
      isGrowing = shouldGrow;
      if (!isOldSmall || !(collections.getEntries() as PerformanceNodeEntry[]).some(isMajor)) return;
      setFlagsFromString('--incremental-marking-soft-trigger=0');
      isOldSmall = false;
    });
    observer.observe({ entryTypes: ['gc'] });
  }, afterMs).unref();
}

function setGrowth(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

function half(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  return young === undefined ? 0 : young.space_used_size + young.space_available_size;
}

function isMajor({ detail }: PerformanceNodeEntry): boolean {
  return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
