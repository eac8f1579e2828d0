import { setFlagsFromString } from 'node:v8';

// Until what the start left behind has been collected.
const settlingMs = 2000;

/**
 * Lets the young generation of the heap grow again, which `bin/watchword.js` holds small. A start makes a lot of garbage in a
 * moment; grown for it, the heap would keep some 10 MB for good that an idle server never needs.
 */
export function letYoungGenerationGrow(): void {
  setTimeout(() => setFlagsFromString('--semi-space-growth-factor=2'), settlingMs).unref();
}
