import { printable, printableJson, printableLines } from './printable.ts';

const levels: Readonly<Record<number, string>> = {
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/**
 * Turns lines of the log, which are JSON, into lines for people: time, level, message, and the other fields as `key=value`.
 * The fields of an object have the name of the object before theirs: `audit.action=create`.
 * A value cannot forge a line or control the terminal, because its control characters are escaped.
 * A line that is none of the log stays as it is: a module in a worker can have written it.
 *
 * @param lines one or more whole lines
 */
export function textLines(lines: string): string {
  return lines
    .split(/(?<=\n)/)
    .map((line) => {
      const record = recordOf(line);
      return record === undefined ? line : textLine(record);
    })
    .join('');
}

type LogRecord = Readonly<Record<string, unknown>> & { readonly level: number; readonly time: number };

function recordOf(line: string): LogRecord | undefined {
  if (!line.startsWith('{"level":')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function textLine(record: LogRecord): string {
  // Who reads at a terminal knows which process it is.
  const { level, time, pid: _pid, node: _node, version: _version, msg, err, ...fields } = record;
  const head = `${timeOfDay(time)} ${(levels[level] ?? String(level)).padEnd(5)} ${printable(String(msg))}`;
  return `${head}${pairsOf(fields)}${err === undefined ? '' : errorLines(err)}\n`;
}

function pairsOf(fields: object, prefix = ''): string {
  const pairs = Object.entries(fields).map(([name, value]) => {
    const key = prefix + printable(name);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? pairsOf(value, `${key}.`) : ` ${key}=${shown(value)}`;
  });
  return pairs.join('');
}

/** A word as it is, any other value as JSON. */
function shown(value: unknown): string {
  const isWord = typeof value === 'string' && /^[\w./:@+-]+$/.test(value);
  return isWord ? value : printableJson(value, 0);
}

/** The stack of an error on lines of its own, indented, so that they are no lines of the log. */
function errorLines(error: unknown): string {
  const { stack } = Object(error);
  const text = typeof stack === 'string' ? printableLines(stack) : printableJson(error, 0);
  return `\n${text}`.replaceAll('\n', '\n    ');
}

/** The local time. @param time epoch milliseconds */
function timeOfDay(time: number): string {
  const date = new Date(time);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
