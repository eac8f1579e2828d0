import { EVENT_ID, type Event, SCALAR_STYLE } from 'js-yaml';

/** The offset in the file, and what is wrong there. */
export type Unwanted = readonly [offset: number, problem: string];

/** What a parser understands, and a reviewer might not. */
export function unwantedIn(events: readonly Event[], text: string): Unwanted[] {
  const found: Unwanted[] = [];
  let documents = 0;
  // Of each collection that is open, and of the document: how many nodes came. In a mapping every second one is a key.
  const open: { readonly isMapping: boolean; nodes: number }[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) documents += 1;
    else {
      const parent = open.at(-1);
      const isKey = parent?.isMapping === true && parent.nodes % 2 === 0;
      if (parent !== undefined) parent.nodes += 1;
      if (documents === 2 && open.length === 1)
        found.push([startOf(event) ?? 0, 'expected one document, got several; remove the line ---']);
      const problem = problemOf(event, isKey, text);
      if (problem !== undefined) found.push(problem);
    }
    if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS)
      open.push({ isMapping: event.type === EVENT_ID.MAPPING, nodes: 0 });
  }
  return found;
}

type NodeEvent = Exclude<Event, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>;

function problemOf(event: NodeEvent, isKey: boolean, text: string): Unwanted | undefined {
  if (event.type === EVENT_ID.ALIAS)
    return [event.anchorStart - 1, 'aliases are refused: write the value out'];
  if (event.anchorStart !== absent)
    return [
      event.anchorStart - 1,
      'anchors are refused: remove it, and write the value out where it is repeated',
    ];
  if (event.tagStart !== absent)
    return [event.tagStart, 'tags are refused: remove it, and write texts in quotation marks'];
  const isMerge =
    isKey && event.type === EVENT_ID.SCALAR && text.slice(event.valueStart, event.valueEnd) === '<<';
  return isMerge ? [event.valueStart, 'merge keys are refused: write the members out'] : undefined;
}

/** Of a range that an event does not have. */
const absent = -1;

/** `undefined` of a value that is left out. */
function startOf(event: Event | undefined): number | undefined {
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP)
    return undefined;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return event.valueStart === absent ? undefined : event.valueStart - (isQuoted ? 1 : 0);
}

/** Where the key of the last member of a path such as `clients/3/scopes` is that exists, or its item of a list. */
export function offsetOf(events: readonly Event[], text: string, path: string): number {
  // After the event of the document.
  let node = 1;
  let offset = startOf(events[node]) ?? 0;
  for (const part of path.split('/').filter((each) => each !== '')) {
    const member = memberOf(events, text, node, part);
    if (member === undefined) return offset;
    offset = startOf(events[member.place]) ?? offset;
    node = member.value;
  }
  return offset;
}

/** Indexes of the events of a key and its value, or of an item, which is both. */
function memberOf(events: readonly Event[], text: string, collection: number, name: string) {
  const type = events[collection]?.type;
  if (type !== EVENT_ID.MAPPING && type !== EVENT_ID.SEQUENCE) return undefined;
  let index = 0;
  for (let place = collection + 1; events[place]?.type !== EVENT_ID.POP; index += 1) {
    const value = type === EVENT_ID.MAPPING ? afterNode(events, place) : place;
    const key = events[place];
    const isMember =
      type === EVENT_ID.SEQUENCE
        ? index === Number(name)
        : key?.type === EVENT_ID.SCALAR && text.slice(key.valueStart, key.valueEnd) === name;
    if (isMember) return { place, value };
    place = afterNode(events, value);
  }
  return undefined;
}

function afterNode(events: readonly Event[], node: number): number {
  let depth = 0;
  for (let index = node; index < events.length; index += 1) {
    const type = events[index]?.type;
    if (type === EVENT_ID.POP) depth -= 1;
    else if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth += 1;
    if (depth === 0) return index + 1;
  }
  return events.length;
}
