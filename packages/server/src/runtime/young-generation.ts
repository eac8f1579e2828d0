import { setFlagsFromString } from 'node:v8';

// Milliseconds until the garbage of the start is collected.
const settlingMs = 2000;

/**
 * Lets the young generation of the heap grow again, which `bin/watchword.js` keeps small. A start makes a lot of garbage in a
 * short time. If the heap grew for it, it would keep about 10 MB that an idle server never needs.
 */
export function letYoungGenerationGrow(): void {
  setTimeout(() => setFlagsFromString('--semi-space-growth-factor=2'), settlingMs).unref();
}
