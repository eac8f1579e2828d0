import { utf8Text } from '@watchword/protocol';
import { boundedFile, placeInWords } from '../../command/bounded-file.ts';
import type { Io } from '../../command/io.ts';
import { UsageError } from '../../command/usage-error.ts';

// A realm with 200,000 users has about 400 MB. A text of V8 has at most 512 MiB.
const limit = { bytes: 500 * 1024 * 1024, advice: 'export it in several parts' };

/** The text of an export. @throws UsageError where it is not UTF-8 */
export async function foreignText(file: string, io: Pick<Io, 'stdin'>): Promise<string> {
  const bytes = await boundedFile(file, io, limit);
  const text = utf8Text(bytes);
  if (text !== undefined) return text.replace(/^\uFEFF/, '');
  throw new UsageError(
    `${placeInWords(file)}: expected UTF-8, got ${encodingOf(bytes)}; "iconv -t UTF-8" converts it, or export it again`,
  );
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'UTF-16';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  let from = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
    try {
      decoder.decode(bytes.subarray(from, end));
    } catch {
      break;
    }
    line += 1;
    from = end + 1;
  }
  return `another encoding in line ${line}`;
}

/** The JSON of an export, or a list of what stands as JSON on each line. @throws UsageError */
export async function foreignJsonOrLines(file: string, io: Pick<Io, 'stdin'>): Promise<unknown> {
  const text = await foreignText(file, io);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || parsedLine(lines[0]) === undefined) return parsedJson(file, text);
  return lines.map((line, index) => {
    const value = parsedLine(line);
    if (value !== undefined) return value;
    throw new UsageError(
      `${placeInWords(file)}, line ${index + 1}: expected a user in JSON; the file may be cut off: export it again`,
    );
  });
}

function parsedLine(line = ''): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The JSON of an export. @throws UsageError with the place of the first error, and nothing of the text, which can be a secret */
export async function foreignJson(file: string, io: Pick<Io, 'stdin'>): Promise<unknown> {
  return parsedJson(file, await foreignText(file, io));
}

function parsedJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = /at position (\d+)/.exec((error as Error).message)?.[1];
    const isCutOff = at === undefined || Number(at) >= text.trimEnd().length;
    const place = `${placeInWords(file)}, ${placeOf(text, isCutOff ? text.length : Number(at))}`;
    throw new UsageError(
      isCutOff
        ? `${place}: the JSON ends in the middle; the file is cut off: export it again`
        : `${place}: expected JSON; check it with "jq ." or export it again`,
    );
  }
}

function placeOf(text: string, position: number): string {
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return `line ${line}, column ${position - before.lastIndexOf('\n')}`;
}
