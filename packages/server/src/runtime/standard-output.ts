import { BlockWriter } from './block-writer.ts';
import type { LogSink } from './logger.ts';

const flushInterval = 100;
const warnLevel = 40;

/**
 * Standard output as the destination of the log. A reader that stalls or ends, or a full disk, can lose log lines but does
 * not affect requests: nothing here blocks a request, throws, or prevents the end of the process.
 *
 * @param formatted turns lines of JSON into the lines that are written; by default they stay JSON
 */
export function standardOutput(formatted?: (lines: string) => string): LogSink {
  const notice = formatted === undefined ? lossNotice : (dropped: number) => formatted(lossNotice(dropped));
  const writer = new BlockWriter(1, notice);
  setInterval(() => writer.handOver(), flushInterval).unref();
  process.on('exit', () => writer.writeRest());
  return {
    stream: {
      write:
        formatted === undefined ? (lines) => writer.write(lines) : (lines) => writer.write(formatted(lines)),
    },
    dropped: () => writer.dropped,
    flush: () => writer.flush(),
  };
}

/** A line in the format of the logger. */
function lossNotice(dropped: number): string {
  const msg =
    'log lines are missing here: the reader of the log was too slow, or the lines could not be written';
  return `${JSON.stringify({ level: warnLevel, time: Date.now(), pid: process.pid, dropped, msg })}\n`;
}
