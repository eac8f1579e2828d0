import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** A form that is posted. */
export interface PageForm {
  /** Absolute. */
  readonly action: string;
  /** The values that the form has by itself, without its buttons. */
  readonly values: URLSearchParams;
  /** Names of all controls, also those of buttons. */
  readonly names: ReadonlySet<string>;
}

export interface ReadPage {
  readonly forms: readonly PageForm[];
  /** Where a page sends the browser that only forwards it. */
  readonly forward: string | undefined;
  /** The text that a user reads, shortened. */
  readonly text: string;
}

const longestText = 300;

/** Reads a page of the server, also of templates that the operator has changed. */
export function readPage(html: string, url: URL): ReadPage {
  const elements = [...elementsOf(parse(html))];
  const forms = elements.filter(({ tagName }) => tagName === 'form');
  const main =
    elements.find(({ tagName }) => tagName === 'main') ?? elements.find(({ tagName }) => tagName === 'body');
  const forwarding = elements.find((element) => attribute(element, 'id') === 'forward');
  const target = forwarding && (attribute(forwarding, 'href') ?? attribute(forwarding, 'action'));
  return {
    forms: forms.map((form) => readForm(form, elements, url)),
    forward: target === undefined ? undefined : URL.parse(target, url)?.href,
    text: main === undefined ? '' : textOf(main).slice(0, longestText),
  };
}

function readForm(form: Element, elements: readonly Element[], url: URL): PageForm {
  const inside = new Set(elementsOf(form));
  const id = attribute(form, 'id');
  const controls = elements.filter((element) => {
    const owner = attribute(element, 'form');
    return (
      ['input', 'button', 'select', 'textarea'].includes(element.tagName) &&
      (owner === undefined ? inside.has(element) : owner === id)
    );
  });
  const values = controls
    .filter(isSent)
    .map((control) => [attribute(control, 'name') ?? '', attribute(control, 'value') ?? '']);
  return {
    action: new URL(attribute(form, 'action') || url, url).href,
    values: new URLSearchParams(values),
    names: new Set(controls.map((control) => attribute(control, 'name') ?? '')),
  };
}

/** Whether a form sends the control without a user (HTML standard, constructing the entry list). */
function isSent(control: Element): boolean {
  const type = attribute(control, 'type')?.toLowerCase() ?? 'text';
  if (control.tagName === 'button' || type === 'submit' || !attribute(control, 'name')) return false;
  return !['checkbox', 'radio'].includes(type) || attribute(control, 'checked') !== undefined;
}

function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((each) => each.name === name)?.value;
}

function textOf(node: Node): string {
  const texts: string[] = [];
  for (const each of nodesOf(node)) if (each.nodeName === '#text' && 'value' in each) texts.push(each.value);
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

function* elementsOf(node: Node): Generator<Element> {
  for (const each of nodesOf(node)) if ('tagName' in each) yield each;
}

function* nodesOf(node: Node): Generator<Node> {
  if (!('childNodes' in node)) return;
  for (const child of node.childNodes) {
    yield child;
    yield* nodesOf(child);
  }
}
