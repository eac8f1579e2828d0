import { hash } from 'node:crypto';
import type { MachineSecret } from '@watchword/protocol';

/** The stored form of a secret, made without the code under test. */
export function machineSecret(secret: string): MachineSecret {
  return { hash: hash('sha256', secret, 'buffer'), previousHash: undefined, previousValidUntil: 0 };
}
