import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

/** A place of an expression that reads a metric. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
  /** The functions around it, the nearest first. */
  readonly functions: readonly string[];
  /** The labels that the aggregations and comparisons around it name. */
  readonly groupings: readonly string[];
}

/** An expression of PromQL. */
export interface Query {
  readonly selectors: readonly Selector[];
  /** The labels that a result can have, if aggregations decide on them. */
  readonly resultLabels: readonly string[] | undefined;
}

/** @throws Error if the text is no expression of PromQL */
export function readQuery(text: string): Query {
  const selectors: Selector[] = [];
  const labels = new Set<string>();
  let isAggregated = false;
  parser.parse(text).iterate({
    enter({ name, from, node, type }) {
      if (type.isError) throw new Error(`expected PromQL, got "${text.slice(from)}" in ${text}`);
      if (name === 'AggregateExpr') {
        isAggregated = true;
        for (const label of groupingOf(node, text)) labels.add(label);
      }
      if (name === 'VectorSelector') selectors.push(selectorOf(node, text));
    },
  });
  return { selectors, resultLabels: isAggregated ? [...labels] : undefined };
}

function selectorOf(node: SyntaxNode, text: string): Selector {
  const functions: string[] = [];
  const groupings: string[] = [];
  for (let around = node.parent; around !== null; around = around.parent) {
    const name = around.getChild('FunctionIdentifier');
    if (name !== null) functions.push(textOf(name, text));
    if (around.name === 'AggregateExpr' || around.name === 'BinaryExpr') {
      groupings.push(...groupingOf(around, text));
    }
  }
  const metric = node.getChild('Identifier');
  if (metric === null) throw new Error(`expected the name of a metric, got "${textOf(node, text)}"`);
  return { metric: textOf(metric, text), matchers: matchersOf(node, text), functions, groupings };
}

function matchersOf(node: SyntaxNode, text: string): Matcher[] {
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return matchers.map((matcher) => {
    const part = (name: string) => textOf(matcher.getChild(name), text);
    return {
      label: part('LabelName'),
      operator: part('MatchOp'),
      value: part('StringLiteral').slice(1, -1),
    };
  });
}

/** The labels after `by`, `without` or `on` of a node. */
function groupingOf(node: SyntaxNode, text: string): string[] {
  const modifier = node.getChild('AggregateModifier') ?? node.getChild('MatchingModifierClause');
  const labels = modifier?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
  return labels.map((label) => textOf(label, text));
}

function textOf(node: SyntaxNode | null, text: string): string {
  return node === null ? '' : text.slice(node.from, node.to);
}
