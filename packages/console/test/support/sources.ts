import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

/** A node of the syntax tree (ESTree), with the nodes around it. */
export interface SourceNode {
  readonly type: string;
  readonly start: number;
  readonly parent: SourceNode | undefined;
  readonly [member: string]: unknown;
}

export interface Source {
  /** Relative to `src`. */
  readonly file: string;
  readonly nodes: readonly SourceNode[];
  /** The number of the line of a node. */
  lineOf(node: SourceNode): number;
}

const directory = fileURLToPath(new URL('../../src/', import.meta.url));

/** The modules of the GUI whose text has this, parsed. */
export function sources(having = ''): readonly Source[] {
  return globSync('**/*.{ts,tsx}', { cwd: directory })
    .filter((file) => !file.endsWith('.d.ts') && file !== 'texts/parameters.ts')
    .sort()
    .map((file) => ({ file, text: readFileSync(directory + file, 'utf8') }))
    .filter(({ text }) => text.includes(having))
    .map(({ file, text }) => {
      const nodes: SourceNode[] = [];
      collect(parseSync(file, text).program, undefined, nodes);
      return { file, nodes, lineOf: ({ start }) => text.slice(0, start).split('\n').length };
    });
}

function collect(value: unknown, parent: SourceNode | undefined, nodes: SourceNode[]): void {
  if (Array.isArray(value)) for (const member of value) collect(member, parent, nodes);
  else if (isNode(value)) {
    const node: SourceNode = { ...value, parent };
    nodes.push(node);
    for (const member of Object.values(value)) collect(member, node, nodes);
  }
}

function isNode(value: unknown): value is { readonly type: string; readonly start: number } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The nodes around a node, the nearest first. */
export function* around({ parent }: SourceNode): Iterable<SourceNode> {
  for (let node = parent; node !== undefined; node = node.parent) yield node;
}

/** The name of the function that a node calls; `undefined` for another node. */
export function calledName({ type, callee }: SourceNode): string | undefined {
  return type === 'CallExpression' || type === 'NewExpression'
    ? (callee as { readonly name?: string }).name
    : undefined;
}
