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

/** What people see of a page. It is parsed when somebody first asks: many pages of a flow are only passed. */
export interface ReadHtml {
  /** The visible text. */
  readonly text: string;
  /** In order. */
  readonly forms: readonly HtmlForm[];
}

export function readHtml(html: string, url: string): ReadHtml {
  let found: readonly Node[] | undefined;
  const all = () => {
    found ??= nodesIn(parse(html));
    return found;
  };
  let shown: string | undefined;
  let forms: readonly HtmlForm[] | undefined;
  return {
    get text() {
      shown ??= visibleText(all());
      return shown;
    },
    get forms() {
      forms ??= formsAmong(all().filter(isElement), url);
      return forms;
    },
  };
}

function formsAmong(elements: readonly Element[], url: string): readonly HtmlForm[] {
  const controls = elements.filter(({ tagName }) => controlNames.has(tagName));
  return elements.filter(({ tagName }) => tagName === 'form').map((form) => readForm(form, controls, url));
}

function visibleText(all: readonly Node[]): string {
  const words = all.flatMap((node) => (node.nodeName === '#text' && 'value' in node ? [node.value] : []));
  return words.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** @param all every control of the page */
function readForm(form: Element, all: readonly Element[], url: string): HtmlForm {
  const inside = new Set<Node>(nodesIn(form));
  const id = attribute(form, 'id');
  const controls = all.filter((element) => {
    const owner = attribute(element, 'form');
    return owner === undefined ? inside.has(element) : owner === id;
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

function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

/** What is inside of a node, in order. Generators that call each other took longer than the parser. */
function nodesIn(node: Node, found: Node[] = []): Node[] {
  if (!('childNodes' in node)) return found;
  for (const child of node.childNodes) {
    found.push(child);
    nodesIn(child, found);
  }
  return found;
}
