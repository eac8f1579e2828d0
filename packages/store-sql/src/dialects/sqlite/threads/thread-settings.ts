import type { MessagePort } from 'node:worker_threads';
import { toSqliteError } from '../files/sqlite-errors.ts';
import type { ThreadReply } from './thread-messages.ts';

/**
 * Opens what this thread serves when its settings come, which are its first message. The first reply reports whether that succeeded.
 *
 * @param port of the thread
 * @param open opens connections, and answers the later messages
 */
export function whenSettingsCome<Settings>(
  port: MessagePort,
  open: (settings: Settings, port: MessagePort) => void,
): void {
  port.once('message', (settings: Settings) => {
    try {
      open(settings, port);
      port.postMessage({ id: 0, value: undefined } satisfies ThreadReply);
    } catch (error) {
      port.postMessage({ id: 0, sqliteError: toSqliteError(error) } satisfies ThreadReply);
    }
  });
}
