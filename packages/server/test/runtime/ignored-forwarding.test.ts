import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Logger } from '../../src/runtime/log/logger.ts';
import { ignoredForwarding } from '../../src/runtime/nodes/ignored-forwarding.ts';
import { alone, type Siblings } from '../../src/runtime/nodes/siblings.ts';

/** Processes that hear each other's news at once. */
function siblings(count: number): Siblings[] {
  const listeners: { of: number; listen(): void }[] = [];
  return Array.from({ length: count }, (_, of) => ({
    ...alone(),
    count,
    tell: () => {
      for (const other of listeners) if (other.of !== of) other.listen();
    },
    listen: (_topic, listener) => void listeners.push({ of, listen: () => listener(true as never) }),
  }));
}

describe('the warning about an ignored X-Forwarded-For', () => {
  it('comes once from all workers of a server together', () => {
    const warnings: string[] = [];
    const logger = {
      warn: (_: unknown, message: string) => void warnings.push(message),
    } as unknown as Logger;
    const reports = siblings(3).map((process) => ignoredForwarding(logger, process));
    for (const report of reports) report('192.0.2.1');
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /192\.0\.2\.1/);
  });
});
