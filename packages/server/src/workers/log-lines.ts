import type { Readable } from 'node:stream';

// Characters. A line that is longer is no line of the log.
const maxLine = 1024 * 1024;

/**
 * Passes the lines of a worker on, each line whole, although they come in parts: the last line of a worker that was killed can
 * be a part, and is left out.
 *
 * @param write is given one or more whole lines
 */
export function passOnLines(from: Readable, write: (lines: string) => void): void {
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (part: string) => {
    const end = part.lastIndexOf('\n') + 1;
    if (end === 0) {
      rest = rest.length > maxLine ? '' : rest + part;
      return;
    }
    write(rest + part.slice(0, end));
    rest = part.slice(end);
  });
}
