import type { EndedGrants } from '@watchword/protocol';

/** "1 grant with its tokens and 2 remembered consents" */
export function grantsInWords({ grants, consents }: EndedGrants): string {
  const granted = `${grants} grant${grants === 1 ? ' with its' : 's with their'} tokens`;
  return `${granted} and ${consents} remembered consent${consents === 1 ? '' : 's'}`;
}
