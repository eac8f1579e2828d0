import { isObject, notUtf8, utf8Text } from '@watchword/protocol';
import { constructFromEvents, parseEvents, YAMLException } from 'js-yaml';
import { boundedFile, placeInWords } from '../command/bounded-file.ts';
import type { Io } from '../command/io.ts';
import { ConfigurationRefused, type Problem } from './place-error.ts';
import { offsetOf, unwantedIn } from './yaml-events.ts';

// A file of 100,000 clients has about 40 MB.
const limit = { bytes: 64 * 1024 * 1024, advice: 'divide it into several configurations' };
// More are only counted.
const maxShown = 50;

/** The content of a file, and where its members are. */
export interface ConfigurationFile {
  readonly content: unknown;
  /** @param found paths such as `clients/3/scopes`; of one that does not exist, the nearest member is the place */
  refusal(found: readonly (readonly [path: string, problem: string])[]): ConfigurationRefused;
}

/**
 * Reads YAML or JSON in UTF-8. What makes a file hard to review is refused: aliases and anchors, tags, merge keys, and keys that are there
 * twice. It reads events, and not the nodes by which settings are read: those of 10,000 clients would take longer than all other work. For
 * that it says the first error of the syntax alone.
 *
 * @throws UsageError, ConfigurationRefused
 */
export async function readConfigurationFile(file: string, io: Pick<Io, 'stdin'>): Promise<ConfigurationFile> {
  const place = placeInWords(file);
  const text = utf8Text(await boundedFile(file, io, limit));
  if (text === undefined) throw refused(place, [notUtf8], (problem) => ({ ...start, path: '', problem }));
  const at = (offset: number, path: string, problem: string) => ({ ...placeOf(text, offset), path, problem });
  try {
    const events = parseEvents(text, {});
    const unwanted = unwantedIn(events, text);
    if (unwanted.length > 0) throw refused(place, unwanted, ([offset, problem]) => at(offset, '', problem));
    return {
      content: constructFromEvents(events, { source: text })[0],
      refusal(found) {
        // Parsed again: the events of a large file are not kept for a refusal that seldom comes.
        const again = parseEvents(text, {});
        return refused(place, found, ([path, problem]) => at(offsetOf(again, text, path), path, problem));
      },
    };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw refused(place, [error], ({ mark, reason }) => at(mark?.position ?? 0, '', inWords(reason)));
  }
}

const start = { line: 1, column: 1 };

function placeOf(text: string, offset: number): Pick<Problem, 'line' | 'column'> {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Places are looked up of those alone that are shown. */
function refused<Found>(
  place: string,
  found: readonly Found[],
  problemOf: (found: Found) => Problem,
): ConfigurationRefused {
  const shown = found.slice(0, maxShown).map(problemOf);
  const more = found.length - shown.length;
  if (more > 0) shown.push({ ...start, path: '', problem: `and ${more} more problems` });
  return new ConfigurationRefused(place, shown);
}

/** Without the part of the file that a reason can quote, because that part can be a secret. */
function inWords(reason: string): string {
  if (reason === 'duplicated mapping key') return 'the key is there twice; remove one of them';
  if (reason.startsWith('null byte')) return notUtf8;
  if (reason.includes('complex keys')) return 'expected a text as the name of a member';
  return `expected YAML: ${reason.replace(/(?:: | ["!]).*/s, '')}`;
}

/** A member of the content, as far as it is a list of objects. */
export function recordsOf(
  content: unknown,
  list: 'resourceServers' | 'clients',
): readonly Record<string, unknown>[] {
  const records = isObject(content) ? content[list] : undefined;
  return Array.isArray(records) ? records.map((record) => (isObject(record) ? record : {})) : [];
}
