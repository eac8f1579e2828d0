import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** A form of a page. */
export interface HtmlForm {
  /** Absolute. */
  readonly action: string;
  readonly method: string;
  readonly controls: readonly FormControl[];
}

/** An `input`, `button`, `select` or `textarea` that has a name. */
export interface FormControl {
  readonly name: string;
  /** `type` of an input, else the name of the element. */
  readonly type: string;
  readonly value: string;
  readonly checked: boolean;
}

const controlNames = new Set(['input', 'button', 'select', 'textarea']);

/** The forms of a page, in order. */
export function htmlForms(html: string, url: string): HtmlForm[] {
  const elements = [...descendants(parse(html))];
  return elements.filter(({ tagName }) => tagName === 'form').map((form) => readForm(form, elements, url));
}

/** The visible text of a page. */
export function htmlText(html: string): string {
  const words: string[] = [];
  for (const node of nodes(parse(html))) {
    if (node.nodeName === '#text' && 'value' in node) words.push(node.value);
  }
  return words.join(' ').replaceAll(/\s+/g, ' ').trim();
}

function readForm(form: Element, elements: readonly Element[], url: string): HtmlForm {
  const inside = new Set(descendants(form));
  const id = attribute(form, 'id');
  const controls = elements.filter((element) => {
    const owner = attribute(element, 'form');
    return controlNames.has(element.tagName) && (owner === undefined ? inside.has(element) : owner === id);
  });
  return {
    action: new URL(attribute(form, 'action') || url, url).href,
    method: (attribute(form, 'method') ?? 'get').toUpperCase(),
    controls: controls
      .map(readControl)
      .filter(({ name, disabled }) => name !== '' && !disabled)
      .map(({ disabled: _, ...control }) => control),
  };
}

function readControl(element: Element): FormControl & { disabled: boolean } {
  const { tagName } = element;
  const type = attribute(element, 'type')?.toLowerCase();
  return {
    name: attribute(element, 'name') ?? '',
    type: tagName === 'input' ? (type ?? 'text') : tagName === 'button' ? (type ?? 'submit') : tagName,
    value: attribute(element, 'value') ?? (type === 'checkbox' ? 'on' : ''),
    checked: attribute(element, 'checked') !== undefined,
    disabled: attribute(element, 'disabled') !== undefined,
  };
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

function* descendants(node: Node): Generator<Element> {
  for (const each of nodes(node)) if ('tagName' in each) yield each;
}

function* nodes(node: Node): Generator<Node> {
  if (!('childNodes' in node)) return;
  for (const child of node.childNodes) {
    yield child;
    yield* nodes(child);
  }
}
