import { setFlagsFromString } from 'node:v8';

/**
 * Holds the young generation of the heap small until the returned function is called. A start makes a lot of garbage in
 * a moment; grown for it, the heap would keep some 10 MB for good that an idle server never needs. Under load
 * it grows again.
 */
export function holdYoungGenerationSmall(): () => void {
  setFlagsFromString('--semi-space-growth-factor=1');
  return () => setFlagsFromString('--semi-space-growth-factor=2');
}
