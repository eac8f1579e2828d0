import { isObject, notUtf8, utf8Text } from '@watchword/protocol';
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
} from 'yaml';
import { boundedFile, placeInWords } from '../command/bounded-file.ts';
import type { Io } from '../command/io.ts';
import { ConfigurationRefused, type Problem } from './place-error.ts';

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
 * twice.
 *
 * @throws UsageError, ConfigurationRefused
 */
export async function readConfigurationFile(file: string, io: Pick<Io, 'stdin'>): Promise<ConfigurationFile> {
  const place = placeInWords(file);
  const bytes = await boundedFile(file, io, limit);
  const text = utf8Text(bytes);
  if (text === undefined) throw refused(place, [{ line: 1, column: 1, path: '', problem: notUtf8 }]);
  const { document, at } = parsed(text);
  const syntax = document.errors.map(({ code, message, pos }) => at(pos[0], '', inWords(code, message)));
  if (syntax.length > 0) throw refused(place, syntax);
  const unwanted = unwantedIn(document.contents, (offset, problem) => at(offset, '', problem));
  if (unwanted.length > 0) throw refused(place, unwanted);
  return {
    content: document.toJS({ maxAliasCount: 0 }),
    // Parsed again: the nodes of a large file take more memory and time than all other work.
    refusal(found) {
      const { document, at } = parsed(text);
      const problems = found.map(([path, problem]) => at(offsetOf(document.contents, path), path, problem));
      return refused(place, problems);
    },
  };
}

function parsed(text: string) {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, version: '1.2', merge: false });
  const at = (offset: number, path: string, problem: string): Problem => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1), path, problem };
  };
  return { document, at };
}

function refused(place: string, problems: readonly Problem[]): ConfigurationRefused {
  const more = problems.length - maxShown;
  if (more <= 0) return new ConfigurationRefused(place, problems);
  const rest = { line: 1, column: 1, path: '', problem: `and ${more} more problems` };
  return new ConfigurationRefused(place, [...problems.slice(0, maxShown), rest]);
}

/** Without the part of the file that a message quotes, because that part can be a secret. */
function inWords(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'expected one document, got several; remove the line ---';
  if (code === 'DUPLICATE_KEY') return 'the key is there twice; remove one of them';
  return `expected YAML: ${message.replace(/(?:(?<=\S): | [\\%]).*/s, '')}`;
}

function unwantedIn(
  contents: ParsedNode | null,
  at: (offset: number, problem: string) => Problem,
): Problem[] {
  const found: Problem[] = [];
  const add = (node: Node, problem: string) => {
    if (found.length <= maxShown) found.push(at(node.range?.[0] ?? 0, problem));
  };
  visit(contents, {
    Node(_key, node) {
      if (isAlias(node)) add(node, 'aliases are refused: write the value out');
      else if (node.anchor !== undefined)
        add(node, 'anchors are refused: remove it, and write the value out where it is repeated');
      if (!isAlias(node) && node.tag !== undefined)
        add(node, 'tags are refused: remove it, and write texts in quotation marks');
      return found.length > maxShown ? visit.BREAK : undefined;
    },
    Pair(_key, { key }) {
      if (!isScalar(key) || typeof key.value !== 'string') {
        if (isNode(key)) add(key, 'expected a text as the name of a member; write it in quotation marks');
      } else if (key.value === '<<') add(key, 'merge keys are refused: write the members out');
      return found.length > maxShown ? visit.BREAK : undefined;
    },
  });
  return found;
}

/** Where the key of the last member of the path is that exists, or its item of a list. */
function offsetOf(contents: Node | null, path: string): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const part of path.split('/').filter((each) => each !== '')) {
    if (!isCollection(node)) return offset;
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === part) : undefined;
    const item = isMap(node) ? pair : node.items[Number(part)];
    if (item === undefined || item === null) return offset;
    const place = isPair(item) ? item.key : item;
    if (isNode(place) && place.range) offset = place.range[0];
    node = isPair(item) ? item.value : item;
  }
  return offset;
}

/** A member of the content, as far as it is a list of objects. */
export function recordsOf(
  content: unknown,
  list: 'resourceServers' | 'clients',
): readonly Record<string, unknown>[] {
  const records = isObject(content) ? content[list] : undefined;
  return Array.isArray(records) ? records.map((record) => (isObject(record) ? record : {})) : [];
}
