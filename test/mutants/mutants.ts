import { parseAst } from 'rolldown/parseAst';

/** A change of a source that a test should notice. */
export interface Mutant {
  readonly id: number;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export interface MutatedSource {
  /** The source with all of its mutants. `globalThis.__mutant(id)` says whether one is to run in place of what it changes. */
  readonly code: string;
  readonly mutants: readonly Mutant[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** What opens and closes around a node. The outer one opens first, and closes last. */
interface Insertion {
  readonly at: number;
  readonly text: string;
  readonly isEnd: boolean;
  readonly depth: number;
}

// Boundaries and opposites: a fault of a comparison is one of them.
const operators = new Map([
  ['===', ['!==']],
  ['!==', ['===']],
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['+', ['-']],
  ['-', ['+']],
  ['*', ['/']],
  ['/', ['*']],
]);
const otherMethods = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['min', 'max'],
  ['max', 'min'],
]);
/** Calls that return their object, more or less: the mutant returns it as it is. */
const reducingMethods = new Set(['filter', 'slice', 'toSorted', 'toReversed', 'trim', 'toLowerCase']);
/** Of the errors of the protocol: what a developer reads. */
const textProperties = new Set(['description', 'reason']);
/** Types are no code, except where they stand around an expression. */
const typed = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

/** @param firstId the ids of the mutants count from it */
export function mutate(source: string, firstId: number): MutatedSource {
  const mutants: Mutant[] = [];
  const insertions: Insertion[] = [];
  const text = ({ start, end }: Node) => source.slice(start, end);

  const add = (node: Node, after: string) => {
    const line = source.slice(0, node.start).split('\n').length;
    mutants.push({ id: firstId + mutants.length, line, before: text(node), after });
    return firstId + mutants.length - 1;
  };
  const around = (node: Node, depth: number, start: string, end: string) => {
    insertions.push({ at: node.start, text: start, isEnd: false, depth });
    insertions.push({ at: node.end, text: end, isEnd: true, depth });
  };

  const texts = new Set<Node>();
  const visit = (node: Node, parent: Node | undefined, depth: number) => {
    if (texts.has(node)) return;
    for (const part of textsOf(node)) texts.add(part);
    if (node.type === 'ExpressionStatement' && isRemovable(node)) {
      // In braces, because an `else` that follows belongs to another `if`.
      around(node, depth, `{ if (!__mutant(${add(node, '')})) { `, ' } }');
    }
    const replacements = isReplaceable(node, parent) ? replacementsOf(node, parent, text) : [];
    for (const replacement of new Set(replacements)) {
      around(node, depth, `(__mutant(${add(node, replacement)}) ? (${replacement}) : (`, '))');
    }
    for (const child of childrenOf(node)) visit(child, node, depth + 1);
  };
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node, undefined, 0);
  return { code: inserted(source, insertions), mutants };
}

function inserted(source: string, insertions: readonly Insertion[]): string {
  const sorted = insertions.toSorted(
    (a, b) =>
      a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || (a.isEnd ? b.depth - a.depth : a.depth - b.depth),
  );
  let code = '';
  let until = 0;
  for (const { at, text } of sorted) {
    code += source.slice(until, at) + text;
    until = at;
  }
  return code + source.slice(until);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function child(node: Node, name: string): Node | undefined {
  const { [name]: value } = node;
  return isNode(value) ? value : undefined;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter(isNode)
    .filter(({ type }) => !type.startsWith('TS') || typed.has(type));
}

/** The parts of an error, or of a reported problem, that are nothing but a text for people. */
function textsOf(node: Node): Node[] {
  if (node.type === 'YieldExpression') return childrenOf(node).filter(isTemplate);
  const callee = child(node, 'callee');
  const parts = childrenOf(node).filter((part) => part !== callee);
  if (node.type === 'CallExpression' && callee !== undefined && child(callee, 'property')?.name === 'add') {
    return parts.filter(isTemplate);
  }
  if (node.type !== 'NewExpression' || !String(callee?.name).endsWith('Error')) return [];
  const properties = parts.filter(({ type }) => type === 'ObjectExpression').flatMap(childrenOf);
  return [
    ...parts.filter(isTemplate),
    ...properties.filter((property) => textProperties.has(String(child(property, 'key')?.name))),
  ];
}

function isTemplate({ type }: Node): boolean {
  return type === 'TemplateLiteral';
}

/** A constructor calls that of its class, and a directive is no statement. */
function isRemovable(node: Node): boolean {
  const expression = child(node, 'expression');
  const isSuper = expression !== undefined && child(expression, 'callee')?.type === 'Super';
  return !isSuper && typeof node.directive !== 'string';
}

/** Parentheses around a part of an optional chain, or around a name in a pattern, would be another program. */
function isReplaceable(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === 'ChainExpression') return false;
  const isPart =
    parent !== undefined && (parent.object === node || parent.callee === node || parent.key === node);
  return !(isPart && (node.type === 'CallExpression' || parent.type === 'Property'));
}

function replacementsOf(node: Node, parent: Node | undefined, text: (node: Node) => string): string[] {
  const isTest = parent?.test === node;
  const decided = isTest ? decisions(parent.type) : [];
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  switch (node.type) {
    case 'LogicalExpression':
      return [...decided, ...[left, right].flatMap((side) => (side === undefined ? [] : [text(side)]))];
    case 'BinaryExpression':
      return [...decided, ...(left && right ? otherOperators(node, left, right, isTest, text) : [])];
    case 'UnaryExpression': {
      const argument = child(node, 'argument');
      // With both decisions, the opposite says nothing new.
      return node.operator === '!' && argument && !isTest ? [text(argument)] : decided;
    }
    case 'Literal':
      return [...decided, ...otherLiteral(node)];
    case 'CallExpression':
      return [...decided, ...otherCall(node, text)];
    default:
      return decided;
  }
}

/** What the test of a statement or of an expression is replaced by. A loop that never ends is noticed by all tests. */
function decisions(parent: string): string[] {
  if (parent === 'IfStatement' || parent === 'ConditionalExpression') return ['true', 'false'];
  return parent === 'WhileStatement' || parent === 'ForStatement' ? ['false'] : [];
}

function otherOperators(
  node: Node,
  left: Node,
  right: Node,
  isTest: boolean,
  text: (node: Node) => string,
): string[] {
  const { operator } = node;
  if (typeof operator !== 'string') return [];
  const isText = [left, right].some(
    ({ type, value }) => type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string'),
  );
  const [nearest, ...opposite] = operators.get(operator) ?? [];
  // The opposite of an equality, and of a comparison that is no test: both decisions are there for a test.
  if (nearest === undefined || (operator === '+' && isText)) return [];
  const isEquality = operator === '===' || operator === '!==';
  const others = isTest ? (isEquality ? [] : [nearest]) : [nearest, ...opposite];
  const whole = text(node);
  // With what stands between the operands: the parentheses that do not belong to them.
  const [from, to] = [left.end - node.start, right.start - node.start];
  return others.map(
    (other) => whole.slice(0, from) + whole.slice(from, to).replace(operator, other) + whole.slice(to),
  );
}

function otherLiteral({ value, regex }: Node): string[] {
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof regex !== 'object' || regex === null) return [];
  const { pattern, flags } = regex as { readonly pattern: string; readonly flags: string };
  return [
    ...(pattern.startsWith('^') ? [`/${pattern.slice(1)}/${flags}`] : []),
    ...(pattern.endsWith('$') ? [`/${pattern.slice(0, -1)}/${flags}`] : []),
  ];
}

function otherCall(node: Node, text: (node: Node) => string): string[] {
  const callee = child(node, 'callee');
  const object = callee && child(callee, 'object');
  const name = callee && child(callee, 'property')?.name;
  if (callee?.type !== 'MemberExpression' || object === undefined || typeof name !== 'string') return [];
  if (reducingMethods.has(name)) return [text(object)];
  const other = otherMethods.get(name);
  const rest = text(node).slice(text(callee).length);
  return other === undefined ? [] : [`${text(object)}.${other}${rest}`];
}
