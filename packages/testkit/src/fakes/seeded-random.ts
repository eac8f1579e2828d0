import { hash } from 'node:crypto';
import type { Random } from '@watchword/protocol';

/** The same bytes in every run. They differ between seeds and between calls. */
export function seededRandom(seed = 'watchword'): Random {
  let block = 0;
  return {
    fill(target) {
      for (let offset = 0; offset < target.length; offset += 32) {
        block += 1;
        const bytes = hash('sha256', `${seed}/${block}`, 'buffer');
        target.set(bytes.subarray(0, target.length - offset), offset);
      }
    },
  };
}
